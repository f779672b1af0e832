package latent_test

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/latent"
)

// Γ(1+x)Γ(n+1)/Γ(n+1+x) is the product of j/(j+x) over j ≤ n, which errs by 2n roundings. Logarithms of Γ err by their
// size, below n·ln n, and what is left of Stirling's series by a relative x|x²−1|/(24n²) and less of higher order.
func TestNearestDistanceIsAProduct(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 1000, 10000, 10001, 40000} {
		for _, d := range []int{1, 2, 3, 16} {
			for _, q := range []float64{1, 2} {
				x, want := q/float64(d), math.Exp2(-q)
				for j := 1.; j <= float64(n); j++ {
					want *= j / (j + x)
				}
				count := float64(n)
				relative := (4*count + 8*count*math.Log(1+count) + 8) * roundoff.Unit
				if n > 10000 {
					relative = (4*count+8)*roundoff.Unit + x*(math.Abs(x*x-1)+0.01)/(24*count*count)
				}
				near(t, "mean distance", latent.NearestDistance(d, n, q), want, relative*want)
			}
		}
	}
}

// sin²x is Σ (−1)^(k+1) 2^(2k−1) x^(2k)/(2k)!, so the error 1 − sin²x/3 − sin²x/x² has the coefficient below at x^(2j),
// and none of 1 and x². The closed form cancels to an absolute few roundings; the series that replaces it below x = 0.1
// has four terms and errs by less than the fifth.
func TestSineErrorIsItsSeries(t *testing.T) {
	coefficient := func(j int) float64 {
		square := func(k int) float64 { return -math.Pow(-4, float64(k)) / 2 / math.Gamma(float64(2*k+1)) }
		return -square(j)/3 - square(j+1)
	}
	for _, n := range []int{4, 8, 16, 31, 32, 33, 48, 64, 1000} {
		x, want := math.Pi/float64(n), 0.0
		for j := 14; j >= 2; j-- {
			want += coefficient(j) * math.Pow(x, float64(2*j))
		}
		tolerance := 8 * roundoff.Unit
		if x < 0.1 {
			tolerance = 16*roundoff.Unit*want + math.Abs(coefficient(6))*math.Pow(x, 12)
		}
		near(t, "error of the sine", latent.SineError(n), want, tolerance)
	}
	near(t, "error of a sine that no sample sees", latent.SineError(2), 0.5, 0)
}
