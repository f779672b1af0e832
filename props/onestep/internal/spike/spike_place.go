package spike

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// In W₁ the place of the spike scatters by some percent, and N/d is close to one: there 1 in the place of 1/ψ goes
// unnoticed. Here the spike is independent of W₀, and W₀ far from square.

// shapes are the regimes, and aspects their ψ = d/N.
var (
	shapes  = []string{"N = 5d", "d = 5N"}
	aspects = map[string]float64{shapes[0]: 0.2, shapes[1]: 5}
)

// The criteria.
const (
	place = "largest singular value of W₀ + θuvᵀ over its place"
	right = "squared overlap of its right vector with v, minus prediction"
	left  = "squared overlap of its left vector with u, minus prediction"
)

// placed is what one matrix shows: place over prediction, and squared overlaps with the spike, at its own strength.
type placed struct {
	Size                 int
	Spike                theory.WeightSpike
	Largest, Right, Left float64
}

func placeCells(e props.Effort) []network.Cell {
	var cells []network.Cell
	for _, name := range shapes {
		for i := range (props.Scale{Quick: 64, Standard: 160, Deep: 200}).At(e) {
			cells = append(cells, network.Cell{Setup: name, Index: i})
		}
	}
	return cells
}

// placeSize is √(dN).
var placeSize = props.Scale{Quick: 160, Standard: 480, Deep: 960}

func measurePlace(t *props.Trial, c network.Cell) placed {
	psi := aspects[c.Setup]
	size := placeSize.At(t.Effort)
	d, width := int(float64(size)*math.Sqrt(psi)), int(float64(size)/math.Sqrt(psi))
	w := features.GaussianRows(t.Rand, width, d)
	u, v := features.UnitVector(t.Rand, width), features.UnitVector(t.Rand, d)
	uv, vv := mat.NewVecDense(width, u), mat.NewVecDense(d, v)
	out := placed{Size: size, Spike: theory.WeightSpike{Strength: 2 * math.Pow(psi, -0.25), Psi: psi}}
	own := mat.Inner(uv, w, vv) // what W₀ has in the place of the spike
	w.RankOne(w, out.Spike.Strength, uv, vv)
	out.Spike.Strength += own
	top := network.Leading(linalg.Matrix(w), 1, t.Rand)
	out.Largest = top.Values[0]
	out.Right, out.Left = math.Pow(network.Cosine(top.Right[0], v), 2), math.Pow(network.Cosine(top.Left[0], u), 2)
	return out
}

// placing is where a spike is claimed to stand, and the squared overlaps of its vectors.
type placing struct {
	location, right, left func(theory.WeightSpike) float64
}

func concludePlace(r *props.Record, cells []network.Cell, all []placed, claim placing) {
	for _, name := range shapes {
		r.Regime(name)
		var places, rights, lefts []float64
		for i, c := range cells {
			if c.Setup != name {
				continue
			}
			s := all[i].Spike
			places = append(places, all[i].Largest/claim.location(s))
			rights, lefts = append(rights, all[i].Right-claim.right(s)), append(lefts, all[i].Left-claim.left(s))
		}
		// A quadratic form of W₀ in u or v is a mean of so many squares: it scatters as (dN)^(−1/4), and what outliers are
		// off by on average is its square. From √(dN) = 160 to 480 standard deviations fall by 1.7 to 1.9.
		scale := 160 / float64(all[0].Size)
		spread := math.Sqrt(scale)
		props.Limit{Name: place, SD: 0.016 * spread, Bias: 0.006 * scale}.Judge(r, places, 1)
		props.Limit{Name: right, SD: 0.026 * spread, Bias: 0.01 * scale}.Absolute(r, rights, 0)
		props.Limit{Name: left, SD: 0.026 * spread, Bias: 0.01 * scale}.Absolute(r, lefts, 0)
	}
}
