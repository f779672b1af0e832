package kernelkit

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
)

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

// TestOurBLAS holds our kernels to every check of a BLAS, on each set of inner routines.
func TestOurBLAS(t *testing.T) {
	for _, k := range BuiltIn() {
		if k.Name == "gonum" || k.Name == "thm" { // thm is one of the others
			continue
		}
		result, err := Run(t.Context(), blasOnly(k), Options{Seed: 1})
		require.NoError(t, err)
		for _, row := range result.Checks {
			if row.Verdict != Holds && row.Verdict != NotOffered {
				t.Errorf("%s: %s: %s", k.Name, row.Check, row.complaint())
			}
		}
		require.Greater(t, result.Counts[Holds], 200)
		require.Equal(t, result.Cases.Planned, result.Cases.Run)
	}
}

// TestGonumBLAS says exactly which checks gonum fails: its waivers are all needed, and there is no failure besides.
func TestGonumBLAS(t *testing.T) {
	accepted := gonumWaivers()
	if gonumAssembly {
		accepted = append(accepted, gonumAssemblyWaivers()...)
	}
	Test(t, blasOnly(builtIn(t, "gonum")), accepted...)
}

// TestRan asks that nothing is said about waivers of checks that a filter left out.
func TestRan(t *testing.T) {
	w, err := newWaivers("sound", Options{Waivers: []Waiver{waiver("gemm/rounding bound", "2000-01-01"), waiver("axpy/rounding bound", "2000-01-01")}})
	require.NoError(t, err)
	w.apply(&CheckResult{Check: "axpy/rounding bound", Verdict: Failed})
	require.Len(t, w.complaints(ran(Checks(), w)), 1)
}

// TestSwallowedNaN asks for the simplest counterexample to gonum's Dgemm: one product, 0·NaN.
func TestSwallowedNaN(t *testing.T) {
	result, err := Run(t.Context(), builtIn(t, "gonum"), Options{Seed: 1, Match: "gemm/NaN and infinities"})
	require.NoError(t, err)
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Counterexample, "m=1, n=1, k=1")
	require.Contains(t, result.Checks[0].Counterexample, "want NaN")
}

// TestBLASKills holds the faults against the checks that promise to reject them.
func TestBLASKills(t *testing.T) {
	m, err := Kills(t.Context(), blasOnly(builtIn(t, "thm")), Options{Seed: 1}, false)
	require.NoError(t, err)
	for _, gap := range m.Gaps() {
		t.Error(gap)
	}
	require.Len(t, m.Rows, len(blasChecks()))
}

// TestNaNLoses spoils every routine with NaN. What compares with a definition must notice, whatever it subtracts.
func TestNaNLoses(t *testing.T) {
	compare := []property{roundingBound, exactArithmetic, roundingGrowth, alphaZero, powersOfTwo, probes, partition, agreement, aliasing}
	var checks []props.Check
	for _, r := range blasRoutines {
		k := builtIn(t, "thm")
		k.BLAS = faulty{k.BLAS, r, after(func(r *routine, a *args) {
			changeAll(r, a, func(float64) float64 { return math.NaN() })
		})()}
		for _, p := range compare {
			if p.applies(r) {
				checks = append(checks, p.check(r).Make(k))
			}
		}
	}
	for i, out := range props.JudgeChecks(context.Background(), suite, checks, props.Options{Effort: props.Quick}) {
		require.Equal(t, props.Refuted, out.Verdict, "%d: %s", i, out.Check)
		require.True(t, math.IsInf(float64(out.Ratio), 1), out.Check)
	}
}

// TestSurroundingsSeeEverything changes one bit at a drawn place that is no result, of each routine, after a sound call.
func TestSurroundingsSeeEverything(t *testing.T) {
	tampered := surroundings
	tampered.judge = once(func(r *run, t *props.T) props.Ratio {
		var places []*float64
		for _, o := range r.operands {
			own := o.entries()
			for i := range r.backing[o.index] {
				if !o.written || !own[i] {
					places = append(places, &r.backing[o.index][i])
				}
			}
		}
		x := places[rapid.IntRange(0, len(places)-1).Draw(t.T, "place")]
		*x = math.Float64frombits(math.Float64bits(*x) ^ 1)
		return props.Truth(r.surroundings(t).Verdict() == props.Refuted)
	})
	var checks []props.Check
	for _, r := range blasRoutines {
		checks = append(checks, tampered.check(r).Make(builtIn(t, "thm")))
	}
	for _, out := range props.JudgeChecks(t.Context(), suite, checks, props.Options{Effort: props.Quick}) {
		require.Equal(t, props.Holds, out.Verdict, out.Check)
	}
}

// TestSum holds the compensated sum to 400-bit arithmetic on sums that cancel.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var s sum
		exact, term := new(big.Float).SetPrec(400), new(big.Float).SetPrec(400)
		size := 0.0
		for range 1 + r.IntN(100) {
			x, y := math.Ldexp(symmetricUniform(r), r.IntN(40)), symmetricUniform(r)
			s.addProduct(x, y)
			exact.Add(exact, term.Mul(new(big.Float).SetFloat64(x), new(big.Float).SetFloat64(y)))
			size += math.Abs(x * y)
		}
		c := symmetricUniform(r)
		var multiple sum
		multiple.addMultiple(c, s)
		exact.Mul(exact, new(big.Float).SetFloat64(c))
		want, _ := exact.Float64()
		diff, _ := term.Sub(exact, new(big.Float).SetFloat64(multiple.value())).Float64()
		allowed := unit*math.Abs(want) + gamma(100)*gamma(100)*size
		if ok := math.Abs(diff) <= allowed; !ok {
			t.Fatalf("error %g, allowed %g", diff, allowed)
		}
	}
}

// TestSignatures checks that each routine describes itself by arguments that exist, and that its result is one of them.
func TestSignatures(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range blasRoutines {
		require.False(t, seen[r.name], r.name)
		seen[r.name] = true
		require.True(t, r.out == 0 || r.takes(string(r.out)), r.name)
		a := args{a: []float64{}, b: []float64{}, c: []float64{}, x: []float64{}, y: []float64{}}
		for _, name := range strings.Fields(r.signature) {
			require.NotEmpty(t, a.text(name), "%s: %s", r.name, name)
		}
	}
}

// TestEveryFaultIsUsed keeps the list of faults free of names that no check asks for, and the checks of misspelt ones.
func TestEveryFaultIsUsed(t *testing.T) {
	var asked, made []string
	for _, p := range properties {
		asked = append(asked, p.faults...)
	}
	for _, g := range genericFaults {
		made = append(made, g.name)
	}
	made = append(made, threadFault)
	slices.Sort(asked)
	slices.Sort(made)
	require.Equal(t, slices.Compact(asked), made)
}
