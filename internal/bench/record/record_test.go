package record

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/impl/builtin"
)

func facts(schema string) Facts {
	return Facts{Schema: schema, Commit: "0123", Date: "2026-11-21", Command: "thm", CPU: "x", CPUs: 2, Load: "0.1"}
}

func sample() *Record {
	return &Record{Facts: facts(Schema),
		Peers: &peers.Report{Schema: peers.Schema, Level: 0.95,
			Peers: []peers.Side{{Name: "numpy", Version: "1", Core: "Zen"}}, Notes: []string{},
			Rows: []peers.Row{{Name: "matmul", N: 8, Peer: "numpy", OursSeconds: 1, PeerSeconds: 2, Ratio: 0.5,
				Paired: 0.5, Low: 0.4, High: 0.6, Samples: 6}}},
		Gonum:    []peers.Timing{{Name: "matmul", N: 8, Seconds: 3, Runs: 3}},
		Roofline: Roofline{Bytes: 1e10, Roofs: []Roof{{"thm", 1e11}}, Points: []Point{{"thm", "gemm", 4, 5e10, 0.1}}},
	}
}

func TestEncodeAndRead(t *testing.T) {
	b, err := Encode(sample())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "record.json")
	require.NoError(t, os.WriteFile(file, b, 0o666))
	r, err := Read(file)
	require.NoError(t, err)
	require.Equal(t, sample(), r)
	_, err = Read(file + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestRecordsThatDoNotFitAreRefused(t *testing.T) {
	for want, degrade := range map[string]func(*Record){
		`schema is "v0"`:                  func(r *Record) { r.Schema = "v0" },
		"peers are missing":               func(r *Record) { r.Peers = nil },
		"matmul at n = 8: 0 is no time":   func(r *Record) { r.Peers.Rows[0].OursSeconds = 0 },
		"matmul at n = 8: -1 is no time":  func(r *Record) { r.Peers.Rows[0].PeerSeconds = -1 },
		"matmul at n = 8: NaN is no time": func(r *Record) { r.Peers.Rows[0].Ratio = math.NaN() },
		"gonum: matmul at n = 8":          func(r *Record) { r.Gonum[0].Seconds = math.Inf(1) },
		"the peak of thm is 0":            func(r *Record) { r.Roofline.Roofs[0].Flops = 0 },
		"gemm of thm lies at 0":           func(r *Record) { r.Roofline.Points[0].Intensity = 0 },
		"the bandwidth is 0":              func(r *Record) { r.Roofline.Bytes = 0 },
	} {
		r := sample()
		degrade(r)
		_, err := Encode(r)
		require.ErrorContains(t, err, want)
	}
	good, err := Encode(sample())
	require.NoError(t, err)
	for want, text := range map[string]string{
		"there is no JSON value": "",
		"unexpected EOF":         string(good[:len(good)/2]),
		"something follows":      string(good) + "{}",
		"unknown field":          strings.Replace(string(good), `"date"`, `"day"`, 1),
	} {
		err := decode([]byte(text), new(Record))
		require.ErrorContains(t, err, want)
	}
}

// TestRooflineOfSmallProducts measures for real; it asks for figures that any machine gives, and that the settings of
// the process are as before.
func TestRooflineOfSmallProducts(t *testing.T) {
	before := builtin.InUse()
	r, err := MeasureRoofline(context.Background(), true, func(Point) {})
	require.NoError(t, err)
	require.Equal(t, before, builtin.InUse())
	require.NotEmpty(t, r.Roofs)
	require.Len(t, r.Points, 2*(len(r.Roofs)+1))
	for _, p := range r.Points {
		require.True(t, positive(p.Flops) && p.Ratio <= 1)
	}
	require.Equal(t, 2*64.*64*64/(3*8*64*64), r.Points[len(r.Points)-1].Intensity)
	for _, k := range blas.Kernels() {
		require.True(t, !k.Chosen || k.Name == before)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = MeasureRoofline(ctx, true, func(Point) {})
	require.ErrorIs(t, err, context.Canceled)
}

// FuzzDecode asks that what is read can be written and read again.
func FuzzDecode(f *testing.F) {
	good, _ := json.Marshal(sample())
	f.Add(good)
	f.Add([]byte(`{"schema":"thm.record/v1","peers":null}`))
	good, _ = json.Marshal(vclSample())
	f.Add(good)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, r := range []validated{new(Record), new(VCL)} {
			if decode(b, r) != nil {
				continue
			}
			again, err := encode(r)
			require.NoError(t, err)
			require.NoError(t, decode(again, r))
		}
	})
}

func TestProcessor(t *testing.T) {
	require.Equal(t, "AMD EPYC (family 25, model 1)",
		processor("processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\n"))
	require.Equal(t, "ARM", processor("model name : ARM\n"))
	require.Equal(t, runtime.GOARCH, processor(""))
}
