package tangent

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// signs trains pairs of networks on smooth labels and on their signs.
var signs = props.Spec{
	Statement: &theory.Signs,
	Checks: []props.Check{props.Grid[int, labelled, signsClaim]{
		Name:     "signs beside smooth labels",
		Cells:    props.Scale{Quick: 160, Standard: 240, Deep: 2000}.Indices,
		Measure:  measureSigns,
		Claim:    signsClaim{theory.SignsShare, theory.SignsNodes, theory.Stretch.Coefficient},
		Judge:    judgeSigns,
		Conclude: concludeSigns,
		Controls: []props.WrongCell[int, labelled, signsClaim]{
			{Name: "labels of a fiftieth", Assumption: "large-labels", Criterion: "logarithm of near over far",
				Measure: func(t *props.Trial, index int) labelled { return trainPair(t, index, 1./50) },
				On:      props.First(40)},
			{Name: "networks exchanged", Assumption: "signs", Criterion: "logarithm of alignment",
				Alter: func(_ int, m *labelled) { m.Alignment[0], m.Alignment[1] = m.Alignment[1], m.Alignment[0] }},
			{Name: "Theorem 1 predicts the order of the networks", Criterion: "logarithm of alignment by Theorem 1",
				Alter: func(_ int, m *labelled) { m.Predicted = m.Alignment }},
			{Name: "one node", Criterion: "averaged kernel of two points", Claim: oneNode},
			{Name: "s − 1 in place of s² − 1", Criterion: "alignment by Theorem 1",
				Instead: signsClaim{coefficient: func(s theory.Stretch) float64 { return s.Excess() / (s.Norm * s.Norm) }}},
			{Name: "one node, diagonal", Criterion: "growth at a point", Claim: oneNode},
			{Name: "halves in place of quarters", Criterion: "near over far of quarters", Instead: signsClaim{share: 2}},
			{Name: "fifths in place of quarters", Criterion: "near over far of quarters", Instead: signsClaim{share: 5}},
		},
		Replicates: 1,
		Chosen: map[string][]string{"bound": {"logarithm of alignment", "logarithm of near over far",
			"logarithm of alignment by Theorem 1"}},
	}},
}.Claim()

// signsClaim holds the definitions of the claim's numbers.
type signsClaim struct {
	share       int // near and far are this part of the points each
	nodes       int // of the average along the path
	coefficient func(theory.Stretch) float64
}

func oneNode(c *signsClaim) { c.nodes = 1 }

// labelled is a pair of networks of one start: on smooth labels, and on their signs.
type labelled struct {
	Alignment, Near, Predicted [2]float64
	Redone                     redone
}

// signsWidth is the width of both hidden layers.
const signsWidth = 16

func measureSigns(t *props.Trial, index int) labelled { return trainPair(t, index, 1) }

// trainPair trains on labels times scale.
func trainPair(t *props.Trial, index int, scale float64) (out labelled) {
	const n, d = 300, 20
	points := spherical(t, n, d)
	y := algebra.Product(points, gen.Gaussian(t.Rand, d, 1, 1)).RawMatrix().Data
	floats.Scale(math.Sqrt(n)/floats.Norm(y, 2), y)
	start := impl.HeNet(t.Rand, d, signsWidth, signsWidth, 1)
	first := impl.LayerKernel(impl.FactorsOf(start, points))
	factor, _ := linalg.Cholesky(mat.NewSymDense(n, first.RawMatrix().Data)) // none where it is singular
	sign := func(y float64) float64 { return math.Copysign(1, y) }
	for i, of := range []func(y float64) float64{nn.Identity.Value, sign} {
		outputs := impl.Outputs(start, points)
		labels := append([]float64{}, outputs...)
		for k, v := range y {
			labels[k] += of(v) * scale
		}
		end := impl.Training{Rate: 0.05, Momentum: 0.9, Batch: 10, Epochs: 20}.Fit(t.Rand, start, points, labels)
		kernel := impl.Path{Start: start, End: end}.AveragedKernel(points, impl.Midpoint(theory.SignsNodes))
		learnt := impl.Outputs(end, points)
		floats.Sub(learnt, outputs)
		growth := list.Fill(n, func(k int) float64 { return kernel.At(k, k) / first.At(k, k) })
		out.Alignment[i], out.Near[i] = impl.Alignment(kernel, learnt), nearOverFar(y, growth)
		var v float64
		out.Predicted[i], v = predictedAlignment(first, factor, learnt)
		if i == 1 && index < redoneSigns {
			g := mat.NewVecDense(n, learnt)
			out.Redone = redone{Points: mat.DenseCopyOf(points.Slice(0, 2, 0, d)), Kernel: kernel.At(0, 1),
				Start: impl.Weights(start), End: impl.Weights(end), Labels: y, Growth: growth, Difficulty: v,
				Along: mat.Inner(g, first, g), Size: mat.Norm(first, 2), Square: mat.Dot(g, g)}
		}
	}
	return out
}

// spherical are n points uniform on the sphere, as rows.
func spherical(t *props.Trial, n, d int) *mat.Dense {
	points := gen.Gaussian(t.Rand, n, d, 1)
	for i := range n {
		floats.Scale(1/floats.Norm(points.RawRowView(i), 2), points.RawRowView(i))
	}
	return points
}

// nearOverFar is the mean growth over the quarter with the smallest |y|, over the mean of the quarter with the largest.
func nearOverFar(y, growth []float64) float64 {
	order := list.Fill(len(y), func(i int) int { return i })
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(y[i]), math.Abs(y[j])) })
	near, far := 0.0, 0.0
	for k := range len(y) / 4 {
		near += growth[order[k]]
		far += growth[order[len(y)-1-k]]
	}
	return near / far
}

// predictedAlignment returns the alignment of Theorem 1 with (z−1)², for a kernel at the start with its Cholesky factor
// and the outputs that were learnt, and their difficulty v. Where dead units leave a singular kernel, without a factor,
// nothing finite fits what was learnt: in the limit v → ∞ the kernel stays as it is, and v is given as 0.
func predictedAlignment(kernel *mat.Dense, factor *mat.TriDense, learnt []float64) (alignment, v float64) {
	n := len(learnt)
	if factor == nil {
		return impl.Alignment(kernel, learnt), 0
	}
	dual := mat.NewDense(n, 1, append([]float64{}, learnt...))
	linalg.CholeskySolve(factor, dual)
	s := theory.Stretch{Norm: math.Sqrt(floats.Dot(dual.RawMatrix().Data, learnt)), Family: theory.Quadratic, Factor: 1}
	adapted, y := mat.DenseCopyOf(kernel), mat.NewVecDense(n, learnt)
	adapted.RankOne(adapted, s.Coefficient(), y, y)
	return impl.Alignment(adapted, learnt), s.Norm
}

// concludeSigns compares medians of logarithms of ratios, signs over smooth labels.
func concludeSigns(r *props.Record, _ []int, all []labelled, _ signsClaim) {
	median := func(of func(labelled) [2]float64) stat.Interval {
		ratios := list.Map(all, func(c labelled) float64 { return math.Log(of(c)[1] / of(c)[0]) })
		return stat.Median(ratios, stat.CriterionAlpha)
	}
	r.Effect("logarithm of alignment", median(func(c labelled) [2]float64 { return c.Alignment }), 0, math.Log(1.05))
	r.Effect("logarithm of near over far", median(func(c labelled) [2]float64 { return c.Near }), 0, math.Log(1.1))
	r.Effect("logarithm of alignment by Theorem 1", median(func(c labelled) [2]float64 { return c.Predicted }), 0,
		-math.Log(1.05))
	r.Figure(alignmentFigure(all))
	r.Figure(boundaryFigure(all[0].Redone))
}

// alignmentFigure has a point for every pair of networks.
func alignmentFigure(all []labelled) props.Figure {
	networks, theorem := props.Curve{Name: "networks", Style: props.Points},
		props.Curve{Name: "Theorem 1", Style: props.Points}
	low, high := math.Inf(1), 0.0
	for _, c := range all {
		networks.Add(c.Alignment[0], c.Alignment[1])
		theorem.Add(c.Predicted[0], c.Predicted[1])
		low, high = min(low, c.Alignment[0], c.Predicted[0]), max(high, c.Alignment[0], c.Predicted[0])
	}
	return props.Figure{ID: "alignments", Title: "Alignment for signs over that for smooth labels",
		Caption: "Alignment of the averaged tangent kernel with what was learnt, of networks trained on signs against that " +
			"of networks trained on the smooth labels from the same start, and what Theorem 1 predicts for the same pairs: " +
			"in the median the networks lie above the diagonal, the predictions below.",
		X: props.Axis{Label: "smooth labels", Log: true}, Y: props.Axis{Label: "signs", Log: true},
		Curves: []props.Curve{networks, theorem,
			{Name: "equal", Style: props.Dashed, X: []float64{low, high}, Y: []float64{low, high}}}}
}

// boundaryFigure is Figure 3 of one network on signs.
func boundaryFigure(c redone) props.Figure {
	return props.Figure{ID: "boundary", Title: "Growth of the kernel's diagonal over the smooth label",
		Caption: "K̄(x,x)/K₀(x,x) of one network trained on signs, for all its points against their smooth label: in " +
			"the median over networks they grow more on the quarter next to the sign change than on the farthest one.",
		X:      props.Axis{Label: "smooth label y"},
		Y:      props.Axis{Label: "K̄(x,x)/K₀(x,x)"},
		Curves: []props.Curve{{Name: "points", Style: props.Points, X: c.Labels, Y: c.Growth}}}
}

// redoneSigns is the number of pairs whose statistics are computed again from their definition.
const redoneSigns = 8

// redone holds the data from which the statistics of the network on signs are computed again.
type redone struct {
	Points         *mat.Dense // two of them, 2×d
	Kernel         float64    // K̄ of the two
	Start, End     []float64  // weights
	Labels, Growth []float64  // y and K̄(x,x)/K₀(x,x)

	Difficulty          float64 // v of what was learnt, g; 0 where K₀ is singular
	Along, Size, Square float64 // gᵀK₀g, ‖K₀‖_F and ‖g‖²
}

// judgeSigns ties the numbers that medians are taken of to the sentence.
func judgeSigns(r *props.Record, index int, all labelled, claim signsClaim) {
	if index >= redoneSigns {
		return
	}
	c := all.Redone
	near := theory.NearOverFar(c.Labels, c.Growth, claim.share)
	r.Within("near over far of quarters", all.Near[1], near, 2*float64(len(c.Labels))*r.Unit()*near)
	c.judgeKernel(r, claim.nodes)
	coefficient := 0.0
	if c.Difficulty > 0 {
		coefficient = claim.coefficient(theory.Stretch{Norm: c.Difficulty, Family: theory.Quadratic, Factor: 1})
	}
	aligned := theory.Aligned(c.Along, c.Size, c.Square, coefficient) // sums of n² products
	r.Within("alignment by Theorem 1", all.Predicted[1], aligned, 4*math.Pow(float64(len(c.Labels)), 2)*r.Unit()*aligned)
}

// judgeKernel: both sides are polynomials in weights, activations and slopes, see the tolerance of tangent/gradient.
func (c redone) judgeKernel(r *props.Record, nodes int) {
	_, d := c.Points.Dims()
	widths := []int{d, signsWidth, signsWidth, 1}
	start := perceptron(c.Start, widths)
	along := start.Along(perceptron(c.End, widths), nodes)
	x, other := c.Points.RawRowView(0), c.Points.RawRowView(1)
	operations, size := 0, start.Magnitude(x, x)
	for _, w := range widths {
		operations += 4*w + 12
	}
	for _, p := range along {
		size = max(size, p.Magnitude(x, x), p.Magnitude(other, other))
	}
	noise := 2 * float64(operations+nodes) * r.Unit() * size
	phi := theory.AveragedFeatures(along, x)
	r.WithinScale("averaged kernel of two points", c.Kernel, floats.Dot(phi, theory.AveragedFeatures(along, other)),
		floats.Dot(phi, phi), noise)
	first := start.Kernel(x, x)
	growth := floats.Dot(phi, phi) / first
	r.Within("growth at a point", c.Growth[0], growth, noise*(1+growth)/first)
}

// perceptron is the ReLU network of these widths with biases, from its weights in one row, as the statements have it.
func perceptron(weights []float64, widths []int) theory.Perceptron {
	var p theory.Perceptron
	for l := range len(widths) - 1 {
		in, out := widths[l], widths[l+1]
		p.Weights = append(p.Weights, mat.NewDense(out, in, weights[:in*out]))
		p.Biases = append(p.Biases, weights[in*out:in*out+out])
		p.Activations = append(p.Activations, theory.Curves["relu"])
		weights = weights[in*out+out:]
	}
	p.Activations[len(p.Activations)-1] = theory.Curves["identity"]
	return p
}
