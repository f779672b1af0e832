package tangent

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Labelled describes a network that was trained on one kind of labels. What was learnt is the change of its outputs in
// training.
type Labelled struct {
	Start      float64 `json:"start"`       // alignment of the kernel at the start with what was learnt
	Alignment  float64 `json:"alignment"`   // the same of the averaged kernel
	Predicted  float64 `json:"predicted"`   // by Theorem 1 with (z−1)², from the kernel at the start
	Difficulty float64 `json:"difficulty"`  // v = √(gᵀK₀⁻¹g), g what was learnt
	NearFar    float64 `json:"near_far"`    // averaged kernel's diagonal, quarter of least |fit| over the quarter of most
	StableRank float64 `json:"stable_rank"` // of the change of the first layer's weights
	Miss       float64 `json:"miss"`        // root mean square of label less output at the end
}

// Pair are two networks from one start.
type Pair struct {
	Smooth Labelled `json:"smooth"`
	Sign   Labelled `json:"sign"`
	Fit    float64  `json:"fit"` // mean squared error of the linear fit of ±1
}

// schedule says how a network is trained and where its kernels are computed.
type schedule struct {
	tangent.Training
	Kernel int // the first samples, on which kernels are computed
	Nodes  int // of the midpoint rule along the path
}

// train trains from the start on labels and measures.
func (s schedule) train(r *rand.Rand, start nn.Net, x *mat.Dense, labels, fit []float64) (out Labelled, err error) {
	end := s.Fit(r, start, x, labels)
	_, d := x.Dims()
	measured := x.Slice(0, s.Kernel, 0, d).(*mat.Dense)
	learnt := tangent.Outputs(end, measured)
	for i, f := range learnt {
		out.Miss += math.Pow(f-labels[i], 2) / float64(s.Kernel)
	}
	out.Miss = math.Sqrt(out.Miss)
	floats.Sub(learnt, tangent.Outputs(start, measured))
	if math.IsNaN(out.Miss) || floats.Norm(learnt, 2) == 0 {
		return out, errors.New("training diverged or moved nothing")
	}
	first := tangent.LayerKernel(tangent.FactorsOf(start, measured))
	averaged := tangent.Path{Start: start, End: end}.AveragedKernel(measured, tangent.Midpoint(s.Nodes))
	out.Start, out.Alignment = tangent.Alignment(first, learnt), tangent.Alignment(averaged, learnt)
	out.NearFar = nearFar(averaged, fit)
	out.StableRank, err = changedRank(start, end)
	if err != nil {
		return out, err
	}
	out.Difficulty, out.Predicted, err = predicted(first, learnt)
	return out, err
}

// nearFar compares the diagonal of a kernel next to the decision boundary with that far from it, a quarter of the
// samples each.
func nearFar(kernel *mat.Dense, fit []float64) float64 {
	n, _ := kernel.Dims()
	order := list.Fill(n, func(i int) int { return i })
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(fit[i]), math.Abs(fit[j])) })
	near, far := 0.0, 0.0
	for k := range max(1, n/4) {
		near += kernel.At(order[k], order[k])
		far += kernel.At(order[n-1-k], order[n-1-k])
	}
	return near / far
}

// changedRank is the stable rank of the change of the first layer's weights.
func changedRank(start, end nn.Net) (float64, error) {
	var change mat.Dense
	change.Sub(end[0].W, start[0].W)
	values, err := linalg.SingularValues(&change)
	if err != nil {
		return math.NaN(), err
	}
	return math.Pow(mat.Norm(&change, 2)/values[0], 2), nil
}

// predicted is the difficulty of what was learnt and the alignment of the kernel that Theorem 1 adapts to it.
func predicted(kernel *mat.Dense, learnt []float64) (difficulty, alignment float64, err error) {
	n := len(learnt)
	factor, err := linalg.Cholesky(mat.NewSymDense(n, mat.DenseCopyOf(kernel).RawMatrix().Data))
	if err != nil {
		return math.NaN(), math.NaN(), fmt.Errorf("kernel at the start: %w", err)
	}
	dual := mat.NewDense(n, 1, append([]float64{}, learnt...))
	linalg.CholeskySolve(factor, dual)
	difficulty = math.Sqrt(floats.Dot(mat.Col(nil, 0, dual), learnt))
	adapted := mat.DenseCopyOf(kernel)
	y := mat.NewVecDense(n, learnt)
	adapted.RankOne(adapted, theory.Stretch{Norm: difficulty, Family: theory.Quadratic, Factor: 1}.Coefficient(), y, y)
	return difficulty, tangent.Alignment(adapted, learnt), nil
}
