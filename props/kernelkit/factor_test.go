package kernelkit

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
)

// factorOnly leaves the parts that this file's tests are about.
func factorOnly(k Kernel) Kernel {
	k.BLAS = nil
	return k
}

// TestOurFactors holds our rotations and factorisations to every check, on the set of inner routines in use; that all sets
// compute the same bits is tested with them.
func TestOurFactors(t *testing.T) {
	result, err := Run(t.Context(), factorOnly(builtIn(t, "thm")), Options{Seed: 1})
	require.NoError(t, err)
	for _, row := range result.Checks {
		if row.Verdict != Holds && row.Verdict != NotOffered {
			t.Errorf("%s: %s", row.Check, row.complaint())
		}
	}
	require.Equal(t, len(factorChecks()), len(result.Checks)-result.Counts[NotOffered])
	require.Equal(t, result.Cases.Planned, result.Cases.Run)
}

// ourTestRatios are what our factorisations promise of themselves, where LAPACK's testers allow 50. Values without vectors
// have been seen between 1 and 2 (Sturm counts of a circulant of order 13 with seed 1); which step loses them is not known.
var ourTestRatios = map[string]float64{"residual,orthogonality,symmetry": 1, "values,Sturm counts,near the limits": 2}

// TestOurTestRatios holds our factorisations to more than the kit asks of a stranger's.
func TestOurTestRatios(t *testing.T) {
	k := factorOnly(builtIn(t, "thm"))
	for match, ratio := range ourTestRatios {
		k.TestRatio = ratio
		result, err := Run(t.Context(), k, Options{Seed: 1, Match: match})
		require.NoError(t, err)
		for _, row := range result.Checks {
			if row.Verdict != Holds && row.Verdict != NotOffered {
				t.Errorf("test ratio %v: %s: %s", ratio, row.Check, row.complaint())
			}
		}
	}
}

// TestGonumFactors says exactly which checks gonum fails: its waivers are all needed, and there is no failure besides.
func TestGonumFactors(t *testing.T) {
	result, err := Run(t.Context(), factorOnly(builtIn(t, "gonum")), Options{Seed: 1, Waivers: gonumFactorWaivers()})
	require.NoError(t, err)
	require.Empty(t, result.Complaints)
	for _, row := range result.Checks {
		if row.Verdict != Holds && row.Verdict != NotOffered && row.Verdict != Waived {
			t.Errorf("%s: %s", row.Check, row.complaint())
		}
		if row.Verdict == Waived {
			require.NotEmpty(t, row.Counterexample, row.Check)
		}
	}
}

// TestDlasr asks for the simplest counterexample to gonum's Dlasr: two rows and, because the defect repeats a rotation once
// for every column, two columns.
func TestDlasr(t *testing.T) {
	result, err := Run(t.Context(), builtIn(t, "gonum"), Options{Seed: 1, Match: "dlasr/exact integers"})
	require.NoError(t, err)
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Counterexample, "left/top/backward")
	require.Contains(t, result.Checks[0].Counterexample, "A (2×2)")
}

// TestFactorKills holds the faults against the checks that promise to reject them.
func TestFactorKills(t *testing.T) {
	m, err := Kills(t.Context(), factorOnly(builtIn(t, "thm")), Options{Seed: 1}, false)
	require.NoError(t, err)
	for _, gap := range m.Gaps() {
		t.Error(gap)
	}
	require.Len(t, m.Rows, len(factorChecks()))
}

// TestEveryFactorFaultIsUsed finds faults that no check asks for.
func TestEveryFactorFaultIsUsed(t *testing.T) {
	for _, set := range []any{rotationFaults, svdFaults, eigenFaults, polarFaults} {
		v := reflect.ValueOf(set)
		var asked []string
		for _, c := range factorChecks() {
			for _, f := range c.Faults {
				asked = append(asked, string(c.Part)+": "+f.Name)
			}
		}
		part := map[string]string{"rotationFaultSet": "rotations", "svdFaultSet": "svd", "eigenFaultSet": "symeigen", "polarFaultSet": "polar"}[v.Type().Name()]
		for i := range v.NumField() {
			name := v.Field(i).FieldByName("Name").String()
			require.NotEmpty(t, name, v.Type().Field(i).Name)
			require.Contains(t, asked, part+": "+name)
		}
	}
}

// TestDoubleDouble compares the arithmetic of the oracles with 300 bits.
func TestDoubleDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	wide := func(x dd) *big.Float {
		sum := new(big.Float).SetPrec(300).SetFloat64(x.hi)
		return sum.Add(sum, new(big.Float).SetFloat64(x.lo))
	}
	near := func(got dd, want *big.Float) {
		t.Helper()
		d := new(big.Float).SetPrec(300).Sub(wide(got), want)
		d.Quo(d, want)
		relative, _ := d.Float64()
		if ok := math.Abs(relative) <= 0x1p-99; !ok {
			t.Errorf("%v: relative error %g", got, relative)
		}
	}
	random := func() dd { return exactSum(r.NormFloat64(), 0x1p-54*r.NormFloat64()) }
	for range 1000 {
		x, y, c := random(), random(), r.NormFloat64()
		new300 := func() *big.Float { return new(big.Float).SetPrec(300) }
		near(x.mul(y), new300().Mul(wide(x), wide(y)))
		near(x.div(y), new300().Quo(wide(x), wide(y)))
		near(x.times(c), new300().Mul(wide(x), wide(dd{c, 0})))
		near(x.mul(x).sqrt(), new300().Abs(wide(x)))
		x.hi, x.lo = math.Abs(x.hi), math.Copysign(x.lo, x.hi*x.lo) // of one sign, so that nothing cancels
		near(x.add(x.mul(x)), new300().Add(wide(x), new300().Mul(wide(x), wide(x))))
	}
}

// TestSturmCounts: the oracle agrees with every closed form of the gallery to the rounding of matrix and form alone, and a
// value that is off by a few times that is noticed.
func TestSturmCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, m := range gallery.Select(gallery.KnownSingularValues) {
		for _, n := range []int{1, 2, 3, 7, 20} {
			x := m.Make(r, n, n)
			a := Kernel{}.normalise(x.A)
			if a.norm == 0 {
				continue
			}
			tolerance := math.Ldexp(x.Error, -a.exponent) + ulp*a.norm
			counts, values := reduceGeneral(a.a), a.scale(x.Singular)
			for i, s := range values {
				if ok := counts.distance(2*n-1-i, s, tolerance) <= 1; !ok {
					t.Errorf("%s, n = %d: value %d", m.Name, n, i)
				}
			}
			require.Greater(t, counts.distance(2*n-1, values[0]+8*tolerance, tolerance), 1.0, m.Name)
			require.Greater(t, counts.distance(2*n-1, math.NaN(), tolerance), 1.0)
			if x.Eigen != nil {
				counts, values = reduceSymmetric(a.a), a.scale(x.Eigen)
				for i, w := range values {
					if ok := counts.distance(i, w, tolerance) <= 1; !ok {
						t.Errorf("%s, n = %d: eigenvalue %d", m.Name, n, i)
					}
				}
				require.Greater(t, counts.distance(0, values[0]-8*tolerance, tolerance), 1.0, m.Name)
			}
		}
	}
}

// TestFactorPoison puts NaN and infinities into everything that a factorisation returns. What judges numbers must not hold.
func TestFactorPoison(t *testing.T) {
	for _, poison := range []float64{math.NaN(), math.Inf(1)} {
		k := builtIn(t, "gonum")
		sound := k.SVD
		k.SVD = func(a *mat.Dense, kind mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
			u, s, v, err := sound(a, kind)
			s[len(s)-1] = poison
			if u != nil {
				u.Set(0, 0, poison)
				v.Set(0, 0, poison)
			}
			return u, s, v, err
		}
		eigen := k.SymEigen
		k.SymEigen = func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
			w, v, err := eigen(a, vectors)
			w[0] = poison
			if v != nil {
				v.Set(0, 0, poison)
			}
			return w, v, err
		}
		k.Polar = func(a *mat.Dense) (*mat.Dense, error) {
			u := mat.DenseCopyOf(a)
			u.Set(0, 0, poison)
			return u, nil
		}
		for _, c := range factorChecks() {
			_, property, _ := strings.Cut(c.Name, "/")
			if c.Part == RotationsPart || slices.Contains([]string{"storage", "repeatable", "not finite", "empty"}, property) {
				continue // these do not look at numbers
			}
			result, err := Run(t.Context(), factorOnly(k), Options{Seed: 1, Match: c.Name})
			require.NoError(t, err)
			require.Equal(t, Failed, result.Checks[0].Verdict, c.Name)
		}
	}
}

// TestRefusals: a kernel that returns an error for a good matrix, or panics, fails every check that calls it.
func TestRefusals(t *testing.T) {
	for _, refuse := range []func(){func() {}, func() { panic("out of cheese") }} {
		k := Kernel{Name: "refusing"}
		k.SVD = func(*mat.Dense, mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
			refuse()
			return nil, nil, nil, errors.New("not today")
		}
		result, err := Run(t.Context(), k, Options{Seed: 1, Match: "svd/residual,svd/order,svd/permutation,svd/storage"})
		require.NoError(t, err)
		for _, row := range result.Checks {
			require.Equal(t, Failed, row.Verdict, row.Check)
			require.Regexp(t, "out of cheese|not today", row.Counterexample)
		}
	}
}

// TestCounterexampleIsGross: a small specimen that barely fails does not hide a gross failure.
func TestCounterexampleIsGross(t *testing.T) {
	worst, note := gravest([]finding{{ratio: props.Ratio{}}, {props.Within(1.1, 1), "small"}, {props.Within(1e4, 1), "gross"}, {props.Within(1e6, 1), "worst"}})
	require.Equal(t, "gross", note)
	require.Equal(t, 1e6, worst.Value)
}
