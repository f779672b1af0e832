package main

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit"
)

// kernelWith is the report on a kernel with one check of a verdict.
func kernelWith(name string, counts bool, v kernelkit.Verdict, complaints ...string) kernelReport {
	return kernelReport{Counts: counts, Result: &kernelkit.Result{Kernel: name, Counts: map[kernelkit.Verdict]int{v: 1}, Complaints: complaints,
		Checks: []kernelkit.CheckResult{{Check: "gemm/sum", Doc: "Sums are right.", Verdict: v, Ratio: props.Number(math.Inf(1)),
			Counterexample: "a =\n⎡1  2⎤\n", Waiver: &kernelkit.Waiver{Reason: "reported upstream", Expires: "2027-06-30"}}}}}
}

func TestKernelsExitCode(t *testing.T) {
	for _, c := range []struct {
		name    string
		kernels []kernelReport
		code    int
	}{
		{"holds", []kernelReport{kernelWith("thm", true, kernelkit.Holds)}, cli.Green},
		{"waived", []kernelReport{kernelWith("gonum", true, kernelkit.Waived)}, cli.Green},
		{"failed", []kernelReport{kernelWith("thm", true, kernelkit.Failed)}, cli.Refuted},
		{"waiver in vain", []kernelReport{kernelWith("thm", true, kernelkit.Holds, "waiver of x is not needed")}, cli.Refuted},
		{"library failed", []kernelReport{kernelWith("thm", true, kernelkit.Holds), kernelWith("blis", false, kernelkit.Failed)}, cli.Green},
		{"named library failed", []kernelReport{kernelWith("blis", true, kernelkit.Failed)}, cli.Refuted},
		{"incomplete", []kernelReport{kernelWith("thm", true, kernelkit.Incomplete)}, cli.Unsettled},
		{"broken", []kernelReport{kernelWith("thm", true, kernelkit.Error)}, cli.Unsettled},
		{"failed and incomplete", []kernelReport{kernelWith("thm", true, kernelkit.Incomplete), kernelWith("gonum", true, kernelkit.Failed)}, cli.Refuted},
		{"nothing checked", []kernelReport{kernelWith("thm", true, kernelkit.NotOffered)}, cli.Refuted},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			p := program{Output: cli.Output{Stdout: &out}}
			err := p.publishKernels(context.Background(), kernelsFlags{}, kernelsReport{Kernels: c.kernels})
			got := cli.Green
			if err != nil {
				got = err.(cli.Exit).Code
			}
			require.Equal(t, c.code, got)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out strings.Builder
	p := program{Output: cli.Output{Stdout: &out}}
	err := p.publishKernels(ctx, kernelsFlags{}, kernelsReport{Kernels: []kernelReport{kernelWith("thm", true, kernelkit.Holds)}})
	require.Equal(t, cli.Exit{Code: cli.Unsettled}, err, "a run that was interrupted is not green")
}

func TestKernelsText(t *testing.T) {
	r := kernelsReport{Kernels: []kernelReport{kernelWith("thm", true, kernelkit.Holds), kernelWith("gonum", true, kernelkit.Waived),
		kernelWith("blis", false, kernelkit.Failed, "waiver of x expired on 2020-01-01: y")}}
	r.Kernels[0].Speeds = []kernels.Speed{{Operation: "gemm", N: 512, Flops: 1e11, Peak: 0.875}}
	r.Kernels[1].Speeds = []kernels.Speed{{Operation: "gemm", N: 512, Refused: "wrong result"}}
	text := kernelsText(r, terminal.Style{})
	for _, want := range []string{
		"check      thm        gonum    blis\n",
		"gemm/sum  +Inf  waived +Inf  ✗ +Inf\n",
		"blis  gemm/sum: failed, ratio +Inf",
		"  Sums are right.\n  a =\n  ⎡1  2⎤\n",
		"waiver: gonum gemm/sum until 2027-06-30: reported upstream\n",
		"blis: waiver of x expired on 2020-01-01: y\n",
		"gemm n=512         100.0 (88%)  not timed     -\n",
		"not timed: gonum, gemm n=512: wrong result\n",
		"✗ blis: 1 failed; - cases; not counted in the exit code, because it was not named\n",
	} {
		require.Contains(t, text, want)
	}
}
