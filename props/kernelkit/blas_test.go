package kernelkit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/collector"
)

func init() { collector.Set() }

// blasOnly is the kernel without its factorisations, which have tests of their own.
func blasOnly(k Kernel) Kernel {
	k.Rotations, k.SVD, k.SymEigen, k.Polar = nil, nil, nil, nil
	return k
}

func builtIn(t *testing.T, name string) Kernel {
	t.Helper()
	for _, k := range BuiltIn() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no built-in kernel %s", name)
	return Kernel{}
}

// TestOurBLAS holds our kernels to every check of a BLAS on the set of inner routines in use, and to the definition of
// each routine on every set: that all sets compute the same bits is tested with them, and thm kernels runs all of it.
func TestOurBLAS(t *testing.T) {
	for _, k := range BuiltIn() {
		o, holding := Options{Seed: 1, Match: "*/rounding bound"}, 20
		switch {
		case strings.HasPrefix(k.Name, "gonum"):
			continue
		case k.Name == "thm":
			o.Match, holding = "", 200
		}
		result, err := Run(t.Context(), blasOnly(k), o)
		require.NoError(t, err)
		for _, row := range result.Checks {
			if row.Verdict != Holds && row.Verdict != NotOffered {
				t.Errorf("%s: %s: %s", k.Name, row.Check, row.complaint())
			}
		}
		require.Greater(t, result.Counts[Holds], holding)
		require.Equal(t, result.Cases.Planned, result.Cases.Run)
	}
}

// TestGonumBLAS says exactly which checks gonum fails: its waivers are all needed, and there is no failure besides. The
// code of double precision, from which gonum generates the other, is held to its waivers and to the definitions.
func TestGonumBLAS(t *testing.T) {
	Test(t, blasOnly(builtIn(t, "gonum-single")), gonumWaivers("gonum-single")...)
	match, waivers := "*/rounding bound", gonumWaivers("gonum")
	for _, w := range waivers {
		match += "," + w.Check
	}
	result, err := Run(t.Context(), blasOnly(builtIn(t, "gonum")), Options{Seed: 1, Match: match, Waivers: waivers})
	require.NoError(t, err)
	require.Equal(t, len(waivers), result.Counts[Waived])
	require.True(t, result.OK(), "%v", result.Complaints)
}

// TestRan asks that nothing is said about waivers of checks that a filter left out.
func TestRan(t *testing.T) {
	w, err := newWaivers(Kernel{Name: "sound"}, Options{Waivers: []Waiver{waiver("gemm/rounding bound", "2000-01-01"),
		waiver("axpy/rounding bound", "2000-01-01")}})
	require.NoError(t, err)
	w.apply(&CheckResult{Check: "axpy/rounding bound", Verdict: Failed})
	require.Len(t, w.complaints(ran(Checks(), w)), 1)
}

// TestSwallowedNaN asks for the simplest counterexample to gonum's Dgemm: one product, 0·NaN.
func TestSwallowedNaN(t *testing.T) {
	result, err := Run(t.Context(), builtIn(t, "gonum"), Options{Seed: 1, Strict: true, Match: "gemm/NaN and infinities"})
	require.NoError(t, err)
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Counterexample, "m=1, n=1, k=1")
	require.Contains(t, result.Checks[0].Counterexample, "want NaN")
}
