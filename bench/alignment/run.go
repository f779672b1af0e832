package alignment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/internal/streams"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Settings are those of a run.
type Settings struct {
	Dataset string `json:"dataset"`
	Samples int    `json:"samples"` // that networks are trained on, the first of both classes
	Kernel  int    `json:"kernel"`  // the first of these, on which kernels are computed
	Width   int    `json:"width"`   // of both hidden layers
	Epochs  int    `json:"epochs"`
	Batch   int    `json:"batch"`
	Nodes   int    `json:"nodes"` // of the midpoint rule along the path
	Runs    int    `json:"runs"`
	Seed    uint64 `json:"seed"`
}

// Printed are the settings of the paper's script, with 500 samples as in the caption of figure 1.
var Printed = Settings{Dataset: "mnist", Samples: 500, Kernel: 500, Width: 256, Epochs: 500, Batch: 100, Nodes: 20,
	Runs: 5, Seed: 1}

// Labelled is what a network did with one kind of labels.
type Labelled struct {
	Start      float64 `json:"start"`      // alignment of the kernel at the start with what was learnt
	Alignment  float64 `json:"alignment"`  // that of the averaged kernel
	Predicted  float64 `json:"predicted"`  // by Theorem 1 with (z−1)², from the kernel at the start
	Difficulty float64 `json:"difficulty"` // v = √(gᵀK₀⁻¹g), g what was learnt
	NearFar    float64 `json:"near_far"`   // averaged kernel's diagonal for the quarter of least |fit|, over the largest
	StableRank float64 `json:"stable_rank"`
	Miss       float64 `json:"miss"` // root mean square of label less output at the end
}

// Pair is one run: two networks from one start.
type Pair struct {
	Smooth Labelled `json:"smooth"`
	Sign   Labelled `json:"sign"`
	Fit    float64  `json:"fit"` // mean squared error of the linear fit of ±1
}

// Run makes the runs one after the other, until the context ends.
func Run(ctx context.Context, set *data.Dataset, s Settings, progress func(done, planned int)) ([]Pair, error) {
	x, classes, err := twoClasses(set.Train, s.Samples)
	if err != nil {
		return nil, err
	}
	if s.Kernel < 2 || s.Kernel > s.Samples {
		return nil, fmt.Errorf("alignment: kernels on %d of %d samples; take 2 to all of them", s.Kernel, s.Samples)
	}
	var out []Pair
	for run := range s.Runs {
		if ctx.Err() != nil {
			break
		}
		pair, err := s.once(streams.New(s.Seed, "alignment", s.Dataset, strconv.Itoa(run)), x, classes)
		if err != nil {
			return out, fmt.Errorf("alignment: run %d: %w", run, err)
		}
		out = append(out, pair)
		if progress != nil {
			progress(run+1, s.Runs)
		}
	}
	return out, nil
}

// twoClasses are the first pictures of the classes 2 and 3, each less its mean and of length 1, with −1 and +1.
func twoClasses(from data.Images, count int) (x *mat.Dense, classes []float64, err error) {
	size := from.Height * from.Width
	x = mat.NewDense(max(1, count), size, nil)
	for i, label := range from.Labels {
		if len(classes) == count {
			break
		}
		if label != 2 && label != 3 {
			continue
		}
		row := x.RawRowView(len(classes))
		for j, pixel := range from.Pixels[i*size : (i+1)*size] {
			row[j] = float64(pixel)
		}
		floats.AddConst(-floats.Sum(row)/float64(size), row)
		norm := floats.Norm(row, 2)
		if norm == 0 {
			continue
		}
		floats.Scale(1/norm, row)
		classes = append(classes, float64(2*int(label)-5))
	}
	if count < 1 || len(classes) < count {
		return nil, nil, fmt.Errorf("alignment: %d pictures of the classes 2 and 3, %d wanted", len(classes), count)
	}
	return x, classes, nil
}

func (s Settings) once(r *rand.Rand, x *mat.Dense, classes []float64) (out Pair, err error) {
	_, d := x.Dims()
	random := tangent.HeNet(r, d, s.Width, s.Width, 1)
	smooth, err := fitted(random, x, classes)
	if err != nil {
		return out, err
	}
	sign := make([]float64, len(smooth))
	for i, y := range smooth {
		sign[i] = math.Copysign(1, y)
		out.Fit += math.Pow(y-classes[i], 2) / float64(len(smooth))
	}
	start := tangent.HeNet(r, d, s.Width, s.Width, 1)
	if out.Smooth, err = s.train(r, start, x, smooth, smooth); err != nil {
		return out, err
	}
	out.Sign, err = s.train(r, start, x, sign, smooth)
	return out, err
}

// fitted is the least-squares fit of the classes, with a ridge next to nothing, by the last hidden layer of a network
// without biases.
func fitted(net nn.Net, x *mat.Dense, classes []float64) ([]float64, error) {
	h := x
	for _, layer := range net[:len(net)-1] {
		n, _ := h.Dims()
		out, _ := layer.W.Dims()
		z := dense.Gemm(mat.NewDense(n, out, nil), 1, h, layer.W.T(), 0)
		z.Apply(func(_, _ int, v float64) float64 { return max(0, v) }, z)
		h = z
	}
	_, width := h.Dims()
	normal := dense.Mul(h.T(), h)
	ridge := 1e-8 * mat.Trace(normal) / float64(width) // units that never fire leave the normal matrix singular
	for i := range width {
		normal.Set(i, i, normal.At(i, i)+ridge)
	}
	factor, err := linalg.Cholesky(mat.NewSymDense(width, normal.RawMatrix().Data))
	if err != nil {
		return nil, fmt.Errorf("fit of the classes: %w", err)
	}
	weights := dense.Mul(h.T(), mat.NewDense(len(classes), 1, append([]float64{}, classes...)))
	linalg.CholeskySolve(factor, weights)
	return mat.Col(nil, 0, dense.Mul(h, weights)), nil
}

// train trains from the start on labels and measures.
func (s Settings) train(r *rand.Rand, start nn.Net, x *mat.Dense, labels, fit []float64) (out Labelled, err error) {
	end := tangent.Training{Rate: 0.1, Momentum: 0.9, Batch: s.Batch, Epochs: s.Epochs}.Fit(r, start, x, labels)
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
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
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
