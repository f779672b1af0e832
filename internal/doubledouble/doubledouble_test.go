package doubledouble_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/roundoff"
)

type number = doubledouble.Number

const bits = 400

func wide(x number) *big.Float {
	sum := new(big.Float).SetPrec(bits).SetFloat64(x.Hi)
	return sum.Add(sum, new(big.Float).SetFloat64(x.Lo))
}

// TestNumber compares the arithmetic with 400 bits.
func TestNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	near := func(got number, want *big.Float) {
		t.Helper()
		d := new(big.Float).SetPrec(bits).Sub(wide(got), want)
		relative, _ := d.Quo(d, want).Float64()
		require.LessOrEqual(t, math.Abs(relative), 0x1p-99, "%v", got)
	}
	random := func() number { return doubledouble.TwoSum(r.NormFloat64(), 0x1p-54*r.NormFloat64()) }
	exact := func() *big.Float { return new(big.Float).SetPrec(bits) }
	for range 1000 {
		x, y, c := random(), random(), r.NormFloat64()
		near(x.Times(y), exact().Mul(wide(x), wide(y)))
		near(x.Over(y), exact().Quo(wide(x), wide(y)))
		near(x.Scaled(c), exact().Mul(wide(x), wide(number{Hi: c})))
		near(x.Times(x).Sqrt(), exact().Abs(wide(x)))
		x.Hi, x.Lo = math.Abs(x.Hi), math.Copysign(x.Lo, x.Hi*x.Lo) // of one sign, so that nothing cancels
		near(x.Plus(x.Times(x)), exact().Add(wide(x), exact().Mul(wide(x), wide(x))))
		near(x.Minus(x.Times(x).Neg()), exact().Add(wide(x), exact().Mul(wide(x), wide(x))))
	}
}

// TestSum compares compensated sums that cancel with 400 bits.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	uniform := func() float64 { return 2*r.Float64() - 1 }
	for range 200 {
		var s doubledouble.Sum
		exact, term := new(big.Float).SetPrec(bits), new(big.Float).SetPrec(bits)
		size := 0.0
		for range 1 + r.IntN(100) {
			x, y := math.Ldexp(uniform(), r.IntN(40)), uniform()
			s.AddProduct(x, y)
			exact.Add(exact, term.Mul(new(big.Float).SetFloat64(x), new(big.Float).SetFloat64(y)))
			size += math.Abs(x * y)
		}
		c := uniform()
		var multiple doubledouble.Sum
		multiple.AddMultiple(c, s)
		exact.Mul(exact, new(big.Float).SetFloat64(c))
		want, _ := exact.Float64()
		diff, _ := term.Sub(exact, new(big.Float).SetFloat64(multiple.Float64())).Float64()
		allowed := roundoff.Unit*math.Abs(want) + math.Pow(roundoff.Gamma(100), 2)*size
		require.LessOrEqual(t, math.Abs(diff), allowed)
	}
}

// TestSumKeepsWhatCancels adds 1, then 2⁻¹⁰⁰ a thousand times, then −1: in float64 nothing would be left.
func TestSumKeepsWhatCancels(t *testing.T) {
	s := doubledouble.Sum{Hi: 1}
	for range 1000 {
		s.AddMultiple(0x1p-50, doubledouble.Sum{Hi: 0x1p-50})
	}
	require.Equal(t, 1000*0x1p-100, s.Minus(1))
	// (1 + 2⁻⁵²)² = 1 + 2⁻⁵¹ + 2⁻¹⁰⁴: the last term is the rounding error of the product.
	var square doubledouble.Sum
	square.AddProduct(1+roundoff.Ulp, 1+roundoff.Ulp)
	require.Equal(t, 0x1p-104, square.Minus(1+2*roundoff.Ulp))
}
