package factorkit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
)

// TestSturmCounts: the oracle agrees with every closed form of the gallery to the rounding of matrix and form alone,
// and a value that is off by a few times that is noticed.
func TestSturmCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, m := range gallery.Select(gallery.KnownSingularValues) {
		for _, n := range []int{1, 2, 3, 7, 20} {
			x := m.Make(r, n, n)
			a := subject{}.normalise(x.A)
			if a.norm == 0 {
				continue
			}
			tolerance := math.Ldexp(x.Error, -a.exponent) + roundoff.Ulp*a.norm
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

// TestCounterexampleIsGross: a small specimen that barely fails does not hide a gross failure.
func TestCounterexampleIsGross(t *testing.T) {
	worst, note := gravest([]finding{{ratio: props.Ratio{}}, {props.Within(1.1, 1), "small"},
		{props.Within(1e4, 1), "gross"}, {props.Within(1e6, 1), "worst"}})
	require.Equal(t, "gross", note)
	require.Equal(t, 1e6, worst.Value)
}
