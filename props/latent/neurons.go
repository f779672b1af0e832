package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// neuronCell is a population of neurons in d dimensions that see one target with r latent directions.
type neuronCell struct {
	Target  targetName
	Setting setting
	D, R    int
}

// setting is how the network departs from the claim's.
type setting string

const (
	asClaimed setting = ""
	biased    setting = "bias 1"
	unpaired  setting = "unpaired" // the network is a single neuron, so its output is not zero
)

// neuronCells are two ladders for the claim, one in d and one in r, that meet in one cell, and short ladders for the
// controls.
func neuronCells(e props.Effort) []neuronCell {
	var cells []neuronCell
	for d := 32; d <= (props.Scale{Quick: 512, Standard: 1024, Deep: 4096}).At(e); d *= 2 {
		cells = append(cells, neuronCell{isotropic, asClaimed, d, ladderR})
	}
	for _, r := range []int{1, 2, 8, 16} {
		cells = append(cells, neuronCell{isotropic, asClaimed, ladderD, r})
	}
	for _, r := range []int{2, 4, 8, 16} {
		cells = append(cells, neuronCell{alternating, asClaimed, ladderD, r})
	}
	for _, d := range []int{16, 64, 256} {
		cells = append(cells,
			neuronCell{quartic, asClaimed, d, 1}, neuronCell{deficient, asClaimed, 2 * d, 2}, neuronCell{withLinear, asClaimed, d, 2},
			neuronCell{doubled, asClaimed, d, ladderR}, neuronCell{isotropic, biased, d, ladderR}, neuronCell{isotropic, unpaired, d, ladderR})
	}
	return cells
}

// The ladder in d has ladderR latent directions, the ladder in r has dimension ladderD.
const ladderR, ladderD = 4, 128

// blocks is how many blocks of neurons a cell has. A block has blockShape/r neurons: ‖R‖ is nearly proportional to a χ²
// variable with r degrees of freedom, so that every block mean has the same relative variance, 2/blockShape, and its
// logarithm the same bias.
var blocks = props.Scale{Quick: 24, Standard: 64, Deep: 2000}

const (
	blockShape        = 512
	controlBlocks     = 8
	alternatingBlocks = 16 // their remainder scatters more
)

// block is the mean over one block of neurons.
type block struct {
	remainder float64 // E‖∇ + 2aHŵ/√(2π)‖
	literal   float64 // the same with w ~ N(0, I/d) in place of ŵ
	gradient  float64 // E‖∇‖
	signal    float64 // E‖Π∇‖²/r, for the projector Π on the latent directions
	weakest   float64 // the smallest eigenvalue of E Π∇∇ᵀΠ on them
	noise     float64 // E‖∇ − Π∇‖²/(d−r)
}

// measureNeurons draws neurons and takes their population gradients.
func measureNeurons(t *props.Trial, c neuronCell) []block {
	target := c.Target.expansion(c.R)
	f := monomials(target)
	count := controlBlocks
	switch {
	case c.Target == isotropic && c.Setting == asClaimed:
		count = blocks.At(t.Effort)
	case c.Target == alternating:
		count = alternatingBlocks
	}
	all := make([]block, count)
	for i := range all {
		var b block
		second := mat.NewSymDense(c.R, nil)
		share := float64(c.R) / blockShape
		for range blockShape / c.R {
			w, direction := drawNeuron(t, c.D)
			a := float64(2*t.Rand.IntN(2) - 1)
			g := c.gradient(f, a, direction)
			b.remainder += share * norm(plus(g, -1, theory.Leading(target, a, direction)))
			b.literal += share * norm(plus(g, -1, theory.Leading(target, a, w)))
			b.gradient += share * norm(g)
			inside, outside := norm(g[:c.R]), norm(g[c.R:])
			b.signal += share * inside * inside / float64(c.R)
			b.noise += share * outside * outside / float64(c.D-c.R)
			second.SymRankOne(second, share, mat.NewVecDense(c.R, g[:c.R]))
		}
		b.weakest = smallestEigenvalue(second)
		all[i] = b
	}
	return all
}

// drawNeuron returns w ~ N(0, I/d) and its direction.
func drawNeuron(t *props.Trial, d int) (w, direction []float64) {
	w = make([]float64, d)
	for i := range w {
		w[i] = t.Rand.NormFloat64() / math.Sqrt(float64(d))
	}
	return w, scaled(w, 1/norm(w))
}

func (c neuronCell) gradient(f poly.Poly, a float64, direction []float64) []float64 {
	switch n := (population.Neuron{A: a, W: direction}); c.Setting {
	case biased:
		n.B = 1
		return n.Gradient(f)
	case unpaired:
		return n.GradientAlone(f)
	default:
		return n.Gradient(f)
	}
}

// smallestEigenvalue is NaN when the decomposition fails.
func smallestEigenvalue(a *mat.SymDense) float64 {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, false) {
		return math.NaN()
	}
	return eigen.Values(nil)[0]
}
