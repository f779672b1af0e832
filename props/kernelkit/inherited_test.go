package kernelkit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// mine overrides one routine of gonum, by value and by pointer, and through another struct.
type mine struct{ gonum.Implementation }

func (mine) Dsyr(blas.Uplo, int, float64, []float64, int, []float64, int) {}

type deeper struct{ mine }

func (*deeper) Dtrmm(blas.Side, blas.Uplo, blas.Transpose, blas.Diag, int, int, float64, []float64, int, []float64,
	int) {
}

func TestInheritedWaivers(t *testing.T) {
	for _, c := range []struct {
		k     Kernel
		mine  []string
		gonum []string
	}{
		{Kernel{Name: "g", BLAS: gonum.Implementation{}}, nil, []string{"Dsyr", "Dtrmm", "Dgemm"}},
		{Kernel{Name: "m", BLAS: mine{}}, []string{"Dsyr"}, []string{"Dtrmm", "Dgemm"}},
		{Kernel{Name: "p", BLAS: &mine{}}, []string{"Dsyr"}, []string{"Dtrmm", "Dgemm"}},
		{Kernel{Name: "d", BLAS: &deeper{}}, []string{"Dsyr", "Dtrmm"}, []string{"Dgemm"}},
		{Kernel{Name: "none"}, []string{"Dsyr"}, nil},
	} {
		for _, routine := range c.mine {
			require.False(t, fromGonum(c.k.BLAS, routine), "%s %s", c.k.Name, routine)
		}
		for _, routine := range c.gonum {
			require.True(t, fromGonum(c.k.BLAS, routine), "%s %s", c.k.Name, routine)
		}
	}
	checks := func(k Kernel) (out []string) {
		for _, w := range inherited(k) {
			out = append(out, w.Check)
		}
		return out
	}
	require.Contains(t, checks(Kernel{BLAS: gonum.Implementation{}}), "syr/NaN and infinities")
	require.False(t, slices.Contains(checks(Kernel{BLAS: mine{}}), "syr/NaN and infinities"))
}

// Waivers that nobody asked for count, accept a failure, and are no complaint where they are not needed.
func TestInheritedWaiversAreOptional(t *testing.T) {
	k := Kernel{Name: "mine", BLAS: mine{}}
	w, err := newWaivers(k, Options{})
	require.NoError(t, err)
	row := CheckResult{Check: "gemm/NaN and infinities", Verdict: Failed}
	w.apply(&row)
	require.Equal(t, Waived, row.Verdict)
	row = CheckResult{Check: "gemm/alpha zero", Verdict: Holds}
	w.apply(&row)
	require.Equal(t, Holds, row.Verdict)
	require.Empty(t, w.complaints(Checks()))
	w, err = newWaivers(k, Options{Strict: true})
	require.NoError(t, err)
	row = CheckResult{Check: "gemm/NaN and infinities", Verdict: Failed}
	w.apply(&row)
	require.Equal(t, Failed, row.Verdict)
}
