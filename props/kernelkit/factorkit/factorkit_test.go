package factorkit

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
)

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

// TestCounterexampleIsGross: a small specimen that barely fails does not hide a gross failure.
func TestCounterexampleIsGross(t *testing.T) {
	worst, note := gravest([]finding{{ratio: props.Ratio{}}, {props.Within(1.1, 1), "small"},
		{props.Within(1e4, 1), "gross"}, {props.Within(1e6, 1), "worst"}})
	require.Equal(t, "gross", note)
	require.Equal(t, 1e6, worst.Value)
}
