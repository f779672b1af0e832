package conformance

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/kernelkit"
	"github.com/thm-suite/thm/props/results"
)

func TestKernelsExitCode(t *testing.T) {
	for _, c := range []struct {
		name    string
		kernels []Kernel
		code    int
	}{
		{"holds", []Kernel{kernelWith("thm", true, kernelkit.Holds)}, cli.Green},
		{"waived", []Kernel{kernelWith("gonum", true, kernelkit.Waived)}, cli.Green},
		{"failed", []Kernel{kernelWith("thm", true, kernelkit.Failed)}, cli.Refuted},
		{"waiver in vain", []Kernel{kernelWith("thm", true, kernelkit.Holds, "waiver of x is not needed")},
			cli.Refuted},
		{"library failed", []Kernel{kernelWith("thm", true, kernelkit.Holds),
			kernelWith("blis", false, kernelkit.Failed)},
			cli.Green},
		{"named library failed", []Kernel{kernelWith("blis", true, kernelkit.Failed)}, cli.Refuted},
		{"incomplete", []Kernel{kernelWith("thm", true, kernelkit.Incomplete)}, cli.Unsettled},
		{"broken", []Kernel{kernelWith("thm", true, kernelkit.Error)}, cli.Unsettled},
		{"failed and incomplete", []Kernel{kernelWith("thm", true, kernelkit.Incomplete),
			kernelWith("gonum", true, kernelkit.Failed)}, cli.Refuted},
		{"nothing checked", []Kernel{kernelWith("thm", true, kernelkit.NotOffered)}, cli.Refuted},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.code, Report{Kernels: c.kernels}.ExitCode())
		})
	}
}

func TestKernelsText(t *testing.T) {
	r := Report{Kernels: []Kernel{kernelWith("thm", true, kernelkit.Holds), kernelWith("gonum", true, kernelkit.Waived),
		kernelWith("blis", false, kernelkit.Failed, "waiver of x expired on 2020-01-01: y")}}
	r.Kernels[0].Speeds = []kernels.Speed{{Operation: "gemm", N: 512, Flops: 1e11, Peak: 0.875}}
	r.Kernels[1].Speeds = []kernels.Speed{{Operation: "gemm", N: 512, Refused: "wrong result"}}
	text := Text(r, terminal.Style{})
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

// A library of three routines has no rows for the hundreds of checks of other routines.
func TestKernelsTextLeavesOutWhatNoKernelOffers(t *testing.T) {
	offered, lacks := kernelWith("thm", true, kernelkit.Holds), kernelWith("mine", true, kernelkit.NotOffered)
	lacks.Result.Checks[0].Waiver = nil
	require.NotContains(t, Text(Report{Kernels: []Kernel{lacks}}, terminal.Style{}), "gemm/sum")
	require.Contains(t, Text(Report{Kernels: []Kernel{lacks, offered}}, terminal.Style{}), "gemm/sum     -  +Inf\n")
}

// TestFiles looks in the published files for a failure, its reason and the program that shows it.
func TestFiles(t *testing.T) {
	r := Report{Kernels: []Kernel{kernelWith("mine", true, kernelkit.Failed), kernelWith("gonum", true, kernelkit.Waived)}}
	r.Kernels[0].Result.Checks[0].Reproducer = "int main;\n"
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, r.Write(Files{at("junit.xml"), at("page.html"), at("badge.svg"), at("programs")}, "thm kernels"))
	read := func(name string) string {
		b, err := os.ReadFile(at(name))
		require.NoError(t, err)
		return string(b)
	}
	require.Contains(t, read("junit.xml"), `name="mine" tests="1" failures="1"`)
	require.Contains(t, read("junit.xml"), "waived until 2027-06-30: reported upstream")
	require.Contains(t, read("page.html"), "mine-gemm-sum.c: a program that shows it, 1 lines")
	require.Contains(t, read("badge.svg"), "0 of 2 checks")
	require.Equal(t, "int main;\n", read("programs/mine-gemm-sum.c"))
	for _, text := range []string{`[{"check": 1}]`, `[{"chek": "x"}]`} {
		require.NoError(t, os.WriteFile(at("waivers"), []byte(text), 0o644))
		_, err := ReadWaivers(at("waivers"))
		require.ErrorContains(t, err, "want a list like")
	}
}

// kernelWith returns the report on a kernel with one check of a given verdict.
func kernelWith(name string, counts bool, v kernelkit.Verdict, complaints ...string) Kernel {
	return Kernel{Counts: counts, Result: &kernelkit.Result{Kernel: name, Counts: map[kernelkit.Verdict]int{v: 1},
		Complaints: complaints,
		Checks: []kernelkit.CheckResult{{Check: "gemm/sum", Doc: "Sums are right.", Verdict: v,
			Ratio:          results.Number(math.Inf(1)),
			Counterexample: "a =\n⎡1  2⎤\n", Waiver: &kernelkit.Waiver{Reason: "reported upstream",
				Expires: "2027-06-30"}}}}}
}
