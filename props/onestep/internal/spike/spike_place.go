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

// placed holds the measurements of one matrix: place over prediction, and squared overlaps with the spike, at its own
// strength.
type placed struct {
	Size                 int
	Spike                theory.WeightSpike
	Largest, Right, Left float64
}

func placeCells(e props.Effort) []network.Cell {
	return network.CellsOf(shapes, props.Scale{Quick: 96, Standard: 160, Deep: 200}.At(e))
}

// placeSize is the larger √(dN); the other one is a quarter of it.
var placeSize = props.Scale{Quick: 160, Standard: 480, Deep: 960}

// smaller is the number of matrices of the smaller size in a cell.
const smaller = 4

// measurePlace looks at one matrix of the larger size, and at some of the smaller one.
func measurePlace(t *props.Trial, c network.Cell) []placed {
	psi, size := aspects[c.Setup], placeSize.At(t.Effort)
	out := []placed{spiked(t, psi, size)}
	for range smaller {
		out = append(out, spiked(t, psi, size/4))
	}
	return out
}

// spiked looks at one matrix of that size.
func spiked(t *props.Trial, psi float64, size int) placed {
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

// placing holds the claimed place of a spike, and the squared overlaps of its vectors.
type placing struct {
	location, right, left func(theory.WeightSpike) float64
}

func concludePlace(r *props.Record, cells []network.Cell, all [][]placed, claim placing) {
	for _, name := range shapes {
		r.Regime(name)
		mine := network.Measured(name, cells, all)
		values := func(value func(placed) float64) []float64 {
			return network.Map(mine, func(sizes []placed) float64 { return network.LimitOf(sizes, value) })
		}
		// A quadratic form of W₀ in u or v is a mean of that many squares: it scatters as (dN)^(−1/4), and what outliers are
		// off by on average is its square, which is extrapolated away.
		scale := 160 / float64(all[0][0].Size)
		spread := math.Sqrt(scale)
		network.TwoSizes(place, 0.0215/spread, scale).Judge(r,
			values(func(p placed) float64 { return p.Largest / claim.location(p.Spike) }), 1)
		network.TwoSizes(right, 0.0335/spread, scale).Absolute(r,
			values(func(p placed) float64 { return p.Right - claim.right(p.Spike) }), 0)
		network.TwoSizes(left, 0.0335/spread, scale).Absolute(r,
			values(func(p placed) float64 { return p.Left - claim.left(p.Spike) }), 0)
	}
}
