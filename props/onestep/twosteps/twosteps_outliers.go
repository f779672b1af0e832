package twosteps

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// count is the criterion for W₂.
const count = "number of singular values of W₂ beyond the bulk"

// row is a pair of step sizes κN^α, with c₂ and c₃ of a cubic activation with c₁ = 1.
type row struct {
	Name          string // the regime
	First, Second float64
	Kappa         float64
	Square, Cube  float64
}

// At these sizes N^0.1 is 1.8: coefficients and κ are such that spikes on both sides of the threshold are apart from
// it. With a floor of two the third spike is not: counts were from two to five.
var rows = []row{
	{"floor 0, α = (0.2, 0.2)", 0.2, 0.2, 1, -0.3, -0.1},
	{"floor 0, α = (0.1, 0.3)", 0.1, 0.3, 1, -0.3, -0.1},
	{"floor 1, α = (0.3, 0.3)", 0.3, 0.3, 1.2, -0.35, -0.05},
}

// two is the network that takes both steps, but for its activation.
var two = network.Setup{Phi: 0.5, Psi: 0.5, Teacher: network.Linear(0)}

type rowCell struct{ Row, Index int }

func rowCells(e props.Effort) []rowCell {
	var out []rowCell
	for r := range rows {
		for i := range (props.Scale{Quick: 96, Standard: 96, Deep: 200}).At(e) {
			out = append(out, rowCell{r, i})
		}
	}
	return out
}

// outside counts the singular values of W₂ beyond the edge of the bulk by six percent. The bulk is that of W₀ with the
// energy of all that is no spike added to its entries.
func outside(t *props.Trial, c rowCell, done string) float64 {
	s, size := two, props.Scale{Quick: 180, Standard: 240, Deep: 700}.At(t.Effort)
	s.Act = network.Series(0, 1, rows[c.Row].Square, rows[c.Row].Cube)
	if done == "linear" {
		s.Act, size = network.Series(0, 1), 80
	}
	first := s.Draw(t.Rand, size)
	n, d := first.X.Dims()
	second := network.Sample{X: features.Gaussian(t.Rand, n, d)}
	second.Y = network.Times(second.X, first.Target)
	width := float64(len(first.A))
	eta := [2]float64{rows[c.Row].Kappa * math.Pow(width, rows[c.Row].First),
		rows[c.Row].Kappa * math.Pow(width, rows[c.Row].Second)}
	w := moved(first.W, first.Gradient(s.Act.Run), eta[0])
	layer := features.NewLayer(second.X, w, first.A, s.Act.Run)
	w = moved(w, layer.Direction(second.Y, 1/math.Sqrt(width)), eta[1])

	residual := append([]float64{}, second.Y...)
	floats.AddScaled(residual, -1/math.Sqrt(width), layer.Output())
	u := network.Times(second.X, first.Beta)
	var rest mat.Dense
	rest.Sub(w, first.W)
	spike := func(size float64, power int, direction []float64) {
		a := network.Map(first.A, func(a float64) float64 { return math.Pow(a, float64(power)) })
		rest.RankOne(&rest, -size, mat.NewVecDense(len(a), a), mat.NewVecDense(d, direction))
	}
	step := theory.SecondStep{Activation: s.Act.Closed, First: eta[0], Second: eta[1]}
	spike(eta[0]*s.Act.Closed.Coefficient(1), 1, first.Beta)
	for k := range 3 {
		weighted := make([]float64, n)
		for i, r := range residual {
			weighted[i] = r * power(u[i], k)
		}
		spike(step.Coefficient(k), k+1, network.Correlate(second.X, weighted))
	}
	energy := mat.Norm(&rest, 2)
	edge := theory.WeightSpike{Psi: s.Psi}.Edge() * math.Sqrt(1+energy*energy/width)
	// One more than are claimed: values of the bulk are close to each other and take most of the time.
	leading, beyond := int(theory.Outside(rows[c.Row].First, rows[c.Row].Second))+1, 0.0
	for _, x := range network.Leading(linalg.Matrix(w), leading, t.Rand).Values {
		if x > 1.06*edge {
			beyond++
		}
	}
	return beyond
}

// moved is w + ηg.
func moved(w, g *mat.Dense, eta float64) *mat.Dense {
	var out mat.Dense
	out.Scale(eta, g)
	out.Add(w, &out)
	return &out
}

func concludeOutside(r *props.Record, cells []rowCell, all []float64, claimed string) {
	for i, row := range rows {
		r.Regime(row.Name)
		var mine []float64
		for k, c := range cells {
			if c.Row == i {
				mine = append(mine, all[k])
			}
		}
		want := theory.Outside(row.First, row.Second)
		switch claimed {
		case "new ones only":
			want--
		case "one more":
			want++
		}
		iv := stat.Median(mine, stat.CriterionAlpha)
		r.Measured(count, iv, want)
		r.EqualsAbsolutely(count, iv, want, 0.5)
	}
}
