package expansion

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria for the displayed weights, k = 1, 2, 3, and for a series that does not end.
var displayed = []string{"coefficient of u aᵀ", "coefficient of u^∘2 (a^∘2)ᵀ", "coefficient of u^∘3 (a^∘3)ᵀ"}

const sine = "coefficient of u aᵀ, sine"

// several is the number of networks of the smaller size that a cell averages.
const several = 5

// measureCoefficients takes one network of the larger size and some of a quarter of it.
func measureCoefficients(t *props.Trial, c network.Cell) []sized {
	s, size := network.By(setups, c.Setup), props.Scale{Quick: 48, Standard: 180, Deep: 640}.At(t.Effort)
	return []sized{coefficientsAt(t, s, size, 1), coefficientsAt(t, s, size/4, several)}
}

// coefficientsAt returns means over count networks of coefficients for the displayed weights, by the degree, each over
// what is claimed.
func coefficientsAt(t *props.Trial, s network.Setup, size, count int) sized {
	mean := map[string]float64{}
	for range count {
		h := draw(t, s, size)
		eta := 4 * math.Sqrt(float64(len(h.A)))
		f := theory.Features{Step: s.Step(), Eta: eta}
		gentle := theory.Features{Step: s.Step(), Eta: eta / 24}
		gentle.Activation = curve.Closed
		both := algebra.Sum(h.gain(s.Act, eta), h.mirrored().gain(s.Act, eta))
		fit := h.bilinear(both, 3)
		for k := range displayed {
			mean[displayed[k]] += fit.At(k+1, k+1) / f.Coefficient(k+1, k+1) / 2 / float64(count)
		}
		mean[sine] += h.bilinear(h.sineGain(gentle.Eta), 3).At(1, 1) / gentle.Coefficient(1, 1) / float64(count)
	}
	return sized{size, mean}
}

// curve is a sine, whose series does not end: √e sin(z + 1), up to a constant.
var curve = network.Named("phase-sine")

// sineGain is the gain with the sine, as a mean over W₀ and −W₀: the mean of sin(z + δ + 1), δ = ηc₁ua, is
// cos z sin(δ + 1).
func (h head) sineGain(eta float64) *mat.Dense {
	out := mat.DenseCopyOf(h.z)
	eta *= curve.Closed.Coefficient(1)
	for i, u := range h.u {
		row := out.RawRowView(i)
		for j, z := range row {
			row[j] = math.Sqrt(math.E) * math.Cos(z) * (math.Sin(eta*u*h.A[j]+1) - math.Sin(1))
		}
	}
	return out
}

// scatters are standard deviations of extrapolated coefficients at √(nd) = 48, and the powers of 1/√(nd) that they fall
// as up to 180: high powers of u and a scatter more in small networks.
var scatters = []struct{ sd, power float64 }{{0.063, 1}, {0.0226, 1.15}, {0.0213, 1.6}}

// concludeCoefficients compares coefficients with those of the terms. Two sizes remove the part of order 1/d.
func concludeCoefficients(r *props.Record, cells []network.Cell, all [][]sized, claim coefficients) {
	scale := 48 / float64(all[0][0].Size)
	for _, regime := range kinds {
		r.Regime(regime)
		mine, s := network.Of(setups, regime, cells, all), network.In(setups, regime)
		values := func(name string) []float64 {
			return network.Map(mine, func(m []sized) float64 {
				return network.LimitOf(m, func(s sized) float64 { return s.Mean[name] })
			})
		}
		f := theory.Features{Step: s.Step(), Eta: 4 * math.Sqrt(96)}
		for k, name := range displayed {
			want := claim.displayed(f, k+1) / ofPower(f, k+1)
			sd := scatters[k].sd * math.Pow(scale, scatters[k].power-1)
			network.TwoSizes(name, sd, scale).Judge(r, values(name), want)
		}
		network.TwoSizes(sine, 0.104, scale).Judge(r, values(sine), claim.linear)
	}
}

// coefficients holds the claimed coefficients for the displayed weights, and for a sine the claimed coefficient of u aᵀ
// over the one that it has.
type coefficients struct {
	displayed func(f theory.Features, k int) float64
	linear    float64
}

// ofPower is the coefficient of u^k(a^∘k)ᵀ.
func ofPower(f theory.Features, k int) float64 { return f.Coefficient(k, k) }
