package expansion

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria for the displayed weights, k = 1, 2, 3, and for a series that does not end.
var displayed = []string{"coefficient of u aᵀ", "coefficient of u^∘2 (a^∘2)ᵀ", "coefficient of u^∘3 (a^∘3)ᵀ"}

const sine = "coefficient of u aᵀ, sine"

// measured are means over so many networks of a size.
type measured struct {
	Size, Networks int
	Mean           map[string]float64
}

// networks is how many networks one cell averages.
func networks(e props.Effort) int { return props.Scale{Quick: 1, Standard: 1, Deep: 4}.At(e) }

// measureCoefficients returns means over several networks of coefficients for the displayed weights, by the degree,
// each over what is claimed.
func measureCoefficients(t *props.Trial, c network.Cell) measured {
	s, count := network.By(setups, c.Setup), networks(t.Effort)
	mean, size := map[string]float64{}, props.Scale{Quick: 48, Standard: 180, Deep: 640}.At(t.Effort)
	for range count {
		h := draw(t, s, size)
		eta := 4 * math.Sqrt(float64(len(h.A)))
		f := theory.Features{Step: s.Step(), Eta: eta}
		gentle := theory.Features{Step: s.Step(), Eta: eta / 24}
		gentle.Activation = curve.Closed
		for _, g := range []head{h, h.mirrored()} {
			fit := g.bilinear(g.gain(s.Act, eta), 3)
			for k := range displayed {
				mean[displayed[k]] += fit.At(k+1, k+1) / f.Coefficient(k+1, k+1) / 2 / float64(count)
			}
			mean[sine] += g.bilinear(g.gain(curve, gentle.Eta), 3).At(1, 1) /
				gentle.Coefficient(1, 1) / 2 / float64(count)
		}
	}
	return measured{size, count, mean}
}

// curve is a sine, whose series does not end.
var curve = network.Named("phase-sine")

func concludeCoefficients(r *props.Record, cells []network.Cell, all []measured, claim coefficients) {
	scale := 160 / float64(all[0].Size)
	spread := scale * math.Sqrt(4/float64(all[0].Networks))
	for _, regime := range network.Teachers {
		r.Regime(regime)
		mine, s := network.Of(setups, regime, cells, all), network.In(setups, regime)
		values := func(name string) []float64 {
			return network.Map(mine, func(m measured) float64 { return m.Mean[name] })
		}
		f := theory.Features{Step: s.Step(), Eta: 4 * math.Sqrt(96)}
		for k, name := range displayed {
			want := claim.displayed(f, k+1) / ofPower(f, k+1)
			sd := []float64{0.007, 0.002, 0.001}[k]
			props.Limit{Name: name, SD: sd * spread, Bias: 0.005 * scale}.Judge(r, values(name), want)
		}
		props.Limit{Name: sine, SD: 0.0128 * spread, Bias: 0.0045 * scale}.Judge(r, values(sine), claim.linear)
	}
}

// coefficients are what is claimed for the displayed weights, and of u aᵀ for a sine, over the one that it has.
type coefficients struct {
	displayed func(f theory.Features, k int) float64
	linear    float64
}

// ofPower is the coefficient of u^k(a^∘k)ᵀ.
func ofPower(f theory.Features, k int) float64 { return f.Coefficient(k, k) }
