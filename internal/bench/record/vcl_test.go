package record

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/vcl"
)

func vclSample() *VCL {
	l := vcl.Layer{M: 256, N: 784, Batch: 64}
	return &VCL{Facts: facts(VCLSchema), Kernel: "avx2", Rounds: 10, VCLSpeeds: vcl.VCLSpeeds{
		Steps: []vcl.VCLStep{{Layer: l, Method: "polar", Seconds: 1, Full: 16, SGD: 0.1, Exact: true, Error: 1e-14,
			Ratio: 0.1, Target: &vcl.Target{Faster: 15, Error: 1e-11}}},
		Training: []vcl.VCLTraining{{Widths: []int{784, 10}, Batch: 64, Seconds: 2, SGD: 1, Factors: 1.5, Limit: 2}},
		Costs:    []vcl.VCLCost{{Layer: l, Over: "n", Method: "sgd", Seconds: 1, Flops: 2}},
	}}
}

func TestVCLEncodeAndRead(t *testing.T) {
	b, err := EncodeVCL(vclSample())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "vcl.json")
	require.NoError(t, os.WriteFile(file, b, 0o666))
	r, err := ReadVCL(file)
	require.NoError(t, err)
	require.Equal(t, vclSample(), r)
	_, err = Read(file)
	require.ErrorContains(t, err, "unknown field")
}

func TestVCLRecordsThatDoNotFitAreRefused(t *testing.T) {
	for want, degrade := range map[string]func(*VCL){
		`schema is "v0"`:               func(r *VCL) { r.Schema = "v0" },
		"steps, training or costs":     func(r *VCL) { r.Steps = nil },
		"or costs are missing":         func(r *VCL) { r.Costs = nil },
		`step of "polar" on m=256`:     func(r *VCL) { r.Steps[0].Seconds = math.NaN() },
		"n=784/batch=64 is no":         func(r *VCL) { r.Steps[0].Full = 0 },
		"error NaN":                    func(r *VCL) { r.Steps[0].Error = math.NaN() },
		"ratio 1.5":                    func(r *VCL) { r.Steps[0].Ratio = 1.5 },
		"bar &{0 1e-11}":               func(r *VCL) { r.Steps[0].Target.Faster = 0 },
		`step of "magic"`:              func(r *VCL) { r.Steps[0].Method = "magic" },
		"training of [784 10]":         func(r *VCL) { r.Training[0].SGD = -1 },
		"training of [784]":            func(r *VCL) { r.Training[0].Widths = []int{784} },
		`cost of "sgd" over "m" on`:    func(r *VCL) { r.Costs[0].Over, r.Costs[0].M = "m", 0 },
		`cost of "sgd" over "time" on`: func(r *VCL) { r.Costs[0].Over = "time" },
		`cost of "sgd" over "n" on`:    func(r *VCL) { r.Costs[0].Flops = math.Inf(1) },
	} {
		r := vclSample()
		degrade(r)
		_, err := EncodeVCL(r)
		require.ErrorContains(t, err, want)
	}
}

func TestRunVCL(t *testing.T) {
	r, err := RunVCL(context.Background(), vcl.VCLPlan{Quick: true, Rounds: 1, Methods: []string{"polar"}},
		func(string) {})
	require.NoError(t, err)
	_, err = EncodeVCL(r)
	require.NoError(t, err)
}
