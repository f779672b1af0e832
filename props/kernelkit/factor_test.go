package kernelkit

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/kernelkit/internal/factorkit"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// factorOnly leaves the parts that this file's tests are about.
func factorOnly(k Kernel) Kernel {
	k.BLAS = nil
	return k
}

// ourTestRatios are the ratios that our factorisations keep to, where LAPACK's testers allow 50. Values without vectors
// have been seen between 1 and 2 (Sturm counts of a circulant of order 13 with seed 1); which step loses them is not
// known.
var ourTestRatios = map[string]float64{
	"svd/residual,svd/orth*ty,symeigen/residual,symeigen/orth*ty,polar/orth*ty,symmetry,qr/residual,cholesky/*": 1,
	"values,Sturm counts,near the limits,qr/orthogonality":                                                      2,
}

// TestOurFactors holds our rotations and factorisations to every check, and to more than the kit asks of a stranger's,
// on the set of inner routines in use; that all sets compute the same bits is tested with them.
func TestOurFactors(t *testing.T) {
	ratios := map[string]float64{}
	for match, ratio := range ourTestRatios {
		promised, err := Match(match)
		require.NoError(t, err)
		for _, c := range promised {
			if less, twice := ratios[c.Name]; !twice || ratio < less {
				ratios[c.Name] = ratio
			}
		}
	}
	k, o := factorOnly(builtIn(t, "thm")), Options{Seed: 1}
	restore, err := k.Begin()
	require.NoError(t, err)
	defer restore()
	var rows []CheckResult
	for _, c := range Checks() {
		k.TestRatio = ratios[c.Name]
		row := RunOne(t.Context(), c, k, o)
		if row.Verdict != Holds && row.Verdict != NotOffered {
			t.Errorf("test ratio %v: %s: %s", k.TestRatio, row.Check, row.complaint())
		}
		rows = append(rows, row)
	}
	result, err := Conclude(k, o, rows)
	require.NoError(t, err)
	require.Equal(t, len(factorkit.Checks()), len(result.Checks)-result.Counts[NotOffered])
	require.Equal(t, result.Cases.Planned, result.Cases.Run)
}

// TestGonumFactors says exactly which checks gonum fails: its waivers are all needed, and there is no failure besides.
// That gonum, which has no threads here, repeats itself on a large matrix takes five times as long as all that: it is
// asked with the build tag system.
func TestGonumFactors(t *testing.T) {
	holdToWaivers(t, "gonum", func(check string) bool { return !strings.HasSuffix(check, "/repeatable") })
}

// holdToWaivers runs those checks of a built-in kernel's factorisations whose names fit.
func holdToWaivers(t *testing.T, name string, fits func(check string) bool) {
	t.Helper()
	var names []string
	for _, c := range factorkit.Checks() {
		if fits(c.Name) {
			names = append(names, c.Name)
		}
	}
	result, err := Run(t.Context(), factorOnly(builtIn(t, name)), Options{Seed: 1, Match: strings.Join(names, ","),
		Waivers: gonumFactorWaivers()})
	require.NoError(t, err)
	require.Len(t, result.Checks, len(names))
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

// TestDlasr asks for the simplest counterexample to gonum's Dlasr: two rows and, because the defect repeats a rotation
// once for every column, two columns.
func TestDlasr(t *testing.T) {
	result, err := Run(t.Context(), builtIn(t, "gonum"), Options{Seed: 1, Match: "dlasr/exact integers"})
	require.NoError(t, err)
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Counterexample, "left/top/backward")
	require.Contains(t, result.Checks[0].Counterexample, "A (2×2)")
}

// TestFactorPoison puts NaN and infinities into everything that a factorisation returns. What judges numbers must not
// hold.
func TestFactorPoison(t *testing.T) {
	ours := builtIn(t, "thm")
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
		k.QR = func(a *mat.Dense) (*mat.Dense, *mat.Dense, error) {
			q, r, err := ours.QR(a)
			q.Set(0, 0, poison)
			r.Set(0, 0, poison)
			return q, r, err
		}
		k.Cholesky = func(a *mat.SymDense) (*mat.TriDense, error) {
			l, err := ours.Cholesky(a)
			if err == nil {
				l.SetTri(0, 0, poison)
			}
			return l, err
		}
		k.Polar = func(a *mat.Dense) (*mat.Dense, error) {
			u := mat.DenseCopyOf(a)
			u.Set(0, 0, poison)
			return u, nil
		}
		for _, c := range factorkit.Checks() {
			_, property, _ := strings.Cut(c.Name, "/")
			if c.Part == kit.RotationsPart || slices.Contains([]string{"storage", "repeatable", "not finite", "empty"},
				property) {
				continue // these do not look at numbers
			}
			found := Judge(t.Context(), c, factorOnly(k), Options{Seed: 1})
			require.Equal(t, Failed, VerdictOf(found.Verdict), c.Name)
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
		result, err := Run(t.Context(), k, Options{Seed: 1,
			Match: "svd/residual,svd/order,svd/permutation,svd/storage"})
		require.NoError(t, err)
		for _, row := range result.Checks {
			require.Equal(t, Failed, row.Verdict, row.Check)
			require.Regexp(t, "out of cheese|not today", row.Counterexample)
		}
	}
}
