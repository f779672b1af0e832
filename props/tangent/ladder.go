package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/internal/pictures"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// ladder trains networks on eigenvectors of their own kernels.
var ladder = props.Spec{
	Statement: &theory.Ladder,
	Checks: []props.Check{props.Grid[int, trained, ladderClaim]{
		Name:     "labels along eigenvectors",
		Cells:    props.Scale{Quick: 92, Standard: 192, Deep: 2000}.Indices,
		Measure:  trainLadder,
		Claim:    ladderClaim{theory.LadderNodes, theory.LadderDifficulty, theory.LadderAmplification},
		Judge:    judgeLadder,
		Conclude: concludeLadder,
		Controls: []props.WrongCell[int, trained, ladderClaim]{
			{Name: "labels of a hundredth", Assumption: "large-labels",
				Criterion: "logarithm of amplification, middle less easy", Measure: trainOnSmallLabels, On: props.First(56)},
			{Name: "labels of a hundredth, hard ones", Assumption: "large-labels",
				Criterion: "logarithm of amplification, hard less middle", As: "labels of a hundredth"},
			{Name: "easy and middle labels exchanged", Assumption: "graded",
				Criterion: "logarithm of alignment, easy less middle", Alter: exchangeAlignments},
			{Name: "middle and hard labels exchanged", Assumption: "graded",
				Criterion: "logarithm of alignment, middle less hard", Alter: exchangeAlignments},
			{Name: "the law squared, easy", Criterion: "logarithm of amplification over the law, easy", Claim: lawSquared},
			{Name: "the law squared, middle", Criterion: "logarithm of amplification over the law, middle",
				Claim: lawSquared},
			{Name: "the law squared, hard", Criterion: "logarithm of amplification over the law, hard", Claim: lawSquared},
			{Name: "large labels taken for small ones", Criterion: "logarithm of amplification, small labels",
				Alter: func(_ int, m *trained) { m.Lazy = m.Amplification[2] }},
			{Name: "one node", Criterion: "amplification of the middle label", Instead: ladderClaim{nodes: 1}},
			{Name: "one point less", Criterion: "difficulty of the middle label",
				Instead: ladderClaim{difficulty: func(n int, lambda float64) float64 {
					return theory.LadderDifficulty(n-1, lambda)
				}}},
			{Name: "one node more", Criterion: "amplification of the middle label",
				Claim: func(c *ladderClaim) { c.nodes++ }},
		},
		Replicates: 1,
		Coarse:     bands,
		Chosen:     map[string][]string{"bound": boundsOfLadder()},
	}},
	Try: tryLadder,
}.Claim()

const overLaw = "logarithm of amplification over the law, "

// bands say why no criterion of them is finer.
var bands = func() map[string]string {
	out := map[string]string{}
	for _, eigenvector := range eigenvectors {
		out[overLaw+eigenvector.name] = "the finding is a band, from 0.3 to 1.1 times the law, which is one of another model"
	}
	return out
}()

// ladderClaim holds the definitions of the claim's numbers, and the law of the relaxed model.
type ladderClaim struct {
	nodes      int // of the average along the path
	difficulty func(n int, lambda float64) float64
	law        func(v float64) float64
}

func lawSquared(c *ladderClaim) {
	c.law = func(v float64) float64 { return 8 * math.Pow(theory.LadderAmplification(v), 2) }
}

// exchangeAlignments exchanges each alignment with the next, so that they rise along the ladder.
func exchangeAlignments(_ int, m *trained) {
	m.Alignment[0], m.Alignment[2] = m.Alignment[2], m.Alignment[0]
}

// eigenvectors lists the eigenvectors that are trained on, counted from the largest eigenvalue.
var eigenvectors = []struct {
	name string
	k    int
}{{"easy", 1}, {"middle", 8}, {"hard", 27}}

// boundsOfLadder are the criteria whose bounds were chosen.
func boundsOfLadder() []string {
	out := []string{"logarithm of amplification, small labels"}
	for i, eigenvector := range eigenvectors {
		out = append(out, overLaw+eigenvector.name)
		if i > 0 {
			before := eigenvectors[i-1].name
			out = append(out, fmt.Sprintf("logarithm of amplification, %s less %s", eigenvector.name, before),
				fmt.Sprintf("logarithm of alignment, %s less %s", before, eigenvector.name))
		}
	}
	return out
}

// trained is one network on each eigenvector.
type trained struct {
	Difficulty               [3]float64 // v
	Amplification, Alignment [3]float64
	Lazy                     float64 // amplification of the hard eigenvector with labels of a two-hundredth
	Redone                   retrained
}

// retrained holds the data from which the amplification of the middle label is computed again by its definition.
type retrained struct {
	Points     *mat.Dense
	Start, End []float64 // weights
	Along      []float64 // the label, of length 1
}

// redoneNetworks is the number of networks for which that is done.
const redoneNetworks = 2

func trainLadder(t *props.Trial, index int) trained {
	s := newLadderStart(t)
	out := trained{Lazy: 1}
	for i, eigenvector := range eigenvectors {
		s.climb(t, &out, i, 1, index)
		if eigenvector.name == "hard" {
			lambda, u := s.along(eigenvector.k)
			out.Lazy = energy(s.train(t, u, 0.005), u) / lambda
		}
	}
	return out
}

// trainOnSmallLabels trains on labels of a hundredth.
func trainOnSmallLabels(t *props.Trial, index int) trained {
	s := newLadderStart(t)
	out := trained{Lazy: 1}
	for i := range eigenvectors {
		s.climb(t, &out, i, 0.01, index)
	}
	return out
}

// climb trains on labels of some size along the i-th eigenvector.
func (s ladderStart) climb(t *props.Trial, out *trained, i int, scale float64, index int) {
	lambda, u := s.along(eigenvectors[i].k)
	path := s.path(t, u, scale)
	kernel := s.averaged(path)
	out.Difficulty[i] = math.Sqrt(ladderPoints / lambda)
	out.Amplification[i], out.Alignment[i] = energy(kernel, u)/lambda, impl.Alignment(kernel, u)
	if eigenvectors[i].name == "middle" && index < redoneNetworks {
		out.Redone = retrained{s.points, impl.Weights(path.Start), impl.Weights(path.End), u}
	}
}

// judgeLadder ties the amplification to its definition: both sides are polynomials in weights, activations and slopes,
// see the tolerance of tangent/gradient.
func judgeLadder(r *props.Record, index int, m trained, claim ladderClaim) {
	if index >= redoneNetworks {
		return
	}
	c := m.Redone
	widths := []int{ladderInputs, ladderWidth, ladderWidth, 1}
	start := perceptron(c.Start, widths)
	along := start.Along(perceptron(c.End, widths), claim.nodes)
	operations, size := 4*ladderPoints, 0.0
	for _, w := range widths {
		operations += 4*w + 12
	}
	for _, p := range append(along, start) {
		for i := range ladderPoints { // no |uᵢ| exceeds 1, and their squares add up to 1
			size = max(size, ladderPoints*p.Magnitude(c.Points.RawRowView(i), c.Points.RawRowView(i)))
		}
	}
	before := theory.EnergyAlong([]theory.Perceptron{start}, c.Points, c.Along)
	amplified := theory.EnergyAlong(along, c.Points, c.Along) / before
	noise := 2 * float64(operations) * r.Unit() * size
	n, _ := c.Points.Dims()
	difficulty := claim.difficulty(n, before) // u is an eigenvector of K₀
	r.Within("difficulty of the middle label", m.Difficulty[1], difficulty, noise*difficulty/before)
	r.Within("amplification of the middle label", m.Amplification[1], amplified, noise*(1+amplified)/before)
}

// concludeLadder compares medians of logarithms.
func concludeLadder(r *props.Record, _ []int, all []trained, claim ladderClaim) {
	median := func(of func(trained) float64) stat.Interval {
		draws := list.Map(all, func(c trained) float64 { return of(c) })
		return stat.Median(draws, stat.CriterionAlpha)
	}
	for i, eigenvector := range eigenvectors {
		law := median(func(c trained) float64 { return math.Log(c.Amplification[i] / claim.law(c.Difficulty[i])) })
		r.EqualsAbsolutely(overLaw+eigenvector.name, law, -0.55, 0.65)
		if i == 0 {
			continue
		}
		before := eigenvectors[i-1].name
		grows := median(func(c trained) float64 { return math.Log(c.Amplification[i] / c.Amplification[i-1]) })
		falls := median(func(c trained) float64 { return math.Log(c.Alignment[i-1] / c.Alignment[i]) })
		r.Effect(fmt.Sprintf("logarithm of amplification, %s less %s", eigenvector.name, before), grows, 0, math.Log(1.2))
		r.Effect(fmt.Sprintf("logarithm of alignment, %s less %s", before, eigenvector.name), falls, 0, math.Log(1.5))
	}
	lazy := median(func(c trained) float64 { return math.Log(c.Lazy) })
	r.EqualsAbsolutely("logarithm of amplification, small labels", lazy, 0, 0.035)
	r.Figure(ladderFigure(all))
}

// ladderFigure shows every network on every eigenvector.
func ladderFigure(all []trained) props.Figure {
	f := props.Figure{ID: "ladder", Title: "Amplification and alignment over difficulty",
		Caption: "Amplification and alignment of the averaged tangent kernel with labels along three eigenvectors of " +
			"the kernel at the start, against their difficulty v = √(n/λ): amplification rises about like the law s² " +
			"of the relaxed model with the penalty (z−1)², alignment falls.",
		X: props.Axis{Label: "difficulty v", Log: true}, Y: props.Axis{Label: "amplification; alignment", Log: true}}
	amplified, aligned := props.Curve{Name: "amplification", Style: props.Points},
		props.Curve{Name: "alignment", Style: props.Points}
	law := props.Curve{Name: "law s²", Style: props.Line}
	low, high := math.Inf(1), 0.0
	for _, c := range all {
		for i, v := range c.Difficulty {
			low, high = min(low, v), max(high, v)
			amplified.Add(v, c.Amplification[i])
			aligned.Add(v, c.Alignment[i])
		}
	}
	for k := range 40 {
		v := low * math.Pow(high/low, float64(k)/39)
		law.Add(v, theory.LadderAmplification(v))
	}
	f.Curves = []props.Curve{amplified, law, aligned}
	return f
}

// The sizes of data and network.
const ladderPoints, ladderInputs, ladderWidth = 48, 8, 24

// ladderStart is a network at its start, its points, and its tangent kernel there.
type ladderStart struct {
	points  *mat.Dense
	start   nn.Net
	outputs []float64
	kernel  *mat.Dense
	values  []float64  // of the kernel, ascending
	vectors *mat.Dense // in columns
}

func newLadderStart(t *props.Trial) ladderStart {
	s := ladderStart{points: spherical(t, ladderPoints, ladderInputs),
		start: impl.HeNet(t.Rand, ladderInputs, ladderWidth, ladderWidth, 1)}
	s.outputs = impl.Outputs(s.start, s.points)
	s.kernel = impl.LayerKernel(impl.FactorsOf(s.start, s.points))
	copied := mat.DenseCopyOf(s.kernel).RawMatrix().Data
	s.values, s.vectors = must.Both(linalg.SymEigen(mat.NewSymDense(ladderPoints, copied), true))
	return s
}

// along returns eigenvalue and eigenvector k, counted from the largest.
func (s ladderStart) along(k int) (lambda float64, u []float64) {
	at := ladderPoints - 1 - k
	return s.values[at], mat.Col(nil, at, s.vectors)
}

// path trains on labels of scale·√n·u besides the outputs at the start.
func (s ladderStart) path(t *props.Trial, u []float64, scale float64) impl.Path {
	labels := append([]float64{}, s.outputs...)
	floats.AddScaled(labels, scale*math.Sqrt(ladderPoints), u)
	end := impl.Training{Rate: 0.1, Momentum: 0.9, Epochs: 100}.Fit(t.Rand, s.start, s.points, labels)
	return impl.Path{Start: s.start, End: end}
}

// averaged is the kernel of the features averaged along a path.
func (s ladderStart) averaged(p impl.Path) *mat.Dense {
	return p.AveragedKernel(s.points, impl.Midpoint(theory.LadderNodes))
}

// train returns the averaged kernel after training.
func (s ladderStart) train(t *props.Trial, u []float64, scale float64) *mat.Dense {
	return s.averaged(s.path(t, u, scale))
}

func energy(kernel *mat.Dense, u []float64) float64 {
	along := mat.NewVecDense(len(u), u)
	return mat.Inner(along, kernel, along)
}

// tryLadder trains on one eigenvector at a user's difficulty.
var tryLadder = &props.Simulation{
	Params: []statement.Param{{Name: "k", Symbol: "k", Meaning: "eigenvector, counted from the largest eigenvalue as 1",
		Domain: statement.IntegerBetween(2, 40), Default: "9"}},
	Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		s := newLadderStart(t)
		lambda, u, scale := s.chosen(t, v)
		return map[string]float64{"amplification": energy(s.train(t, u, scale), u) / lambda}, nil
	},
	Draw: drawLadder,
}

// chosen is the eigenvector of a user, with the scale of labels that has the difficulty of theirs.
func (s ladderStart) chosen(t *props.Trial, v statement.Values) (lambda float64, u []float64, scale float64) {
	lambda, u = s.along(v.Int("k") - 1)
	scale = v.Float("v") * math.Sqrt(lambda/ladderPoints)
	t.Need(lambda > 0 && scale <= 3,
		"v=%g cannot be simulated with k=%d: v is at most %.3g there, beyond which training is not stable", v.Float("v"),
		v.Int("k"), 3*math.Sqrt(ladderPoints/lambda))
	return lambda, u, scale
}

// drawLadder draws kernels, spectra, and alignment over the scale of the labels.
func drawLadder(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	s := newLadderStart(t)
	_, u, scale := s.chosen(t, v)
	kernels := []pictures.Kernel{{Name: "before", K: s.kernel}, {Name: "averaged", K: s.train(t, u, scale)}}
	return []props.Figure{
		pictures.Kernels(fmt.Sprintf("Tangent kernel of %d points in the order of their labels, at the start and averaged "+
			"over the training on eigenvector %d with v = %.3g.", ladderPoints, v.Int("k"), v.Float("v")), u, kernels...),
		pictures.KernelSpectra("Eigenvalues of the tangent kernel at the start and averaged over the training.", kernels...),
		scales(t, v.Int("k")-1),
	}, nil
}

// scalesNetworks is the number of networks that the figure over the scale of the labels takes means of.
const scalesNetworks = 12

// scales trains networks over the scale of their labels along eigenvector k of their kernels.
func scales(t *props.Trial, k int) props.Figure {
	const points = 9
	var difficulty, amplified, aligned [points][]float64
	for range scalesNetworks {
		s := newLadderStart(t)
		lambda, u := s.along(k)
		first := impl.Alignment(s.kernel, u)
		for i := range points {
			scale := 0.02 * math.Pow(100, float64(i)/(points-1))
			kernel := s.train(t, u, scale)
			difficulty[i] = append(difficulty[i], math.Log(scale*math.Sqrt(ladderPoints/lambda)))
			amplified[i] = append(amplified[i], math.Log(energy(kernel, u)/lambda))
			aligned[i] = append(aligned[i], math.Log(impl.Alignment(kernel, u)/first))
		}
	}
	law := props.Curve{Name: "law s²", Style: props.Line}
	for _, logs := range difficulty {
		v := math.Exp(stat.Mean(logs, 0.05).Estimate)
		law.Add(v, math.Pow(theory.Sum{{Family: theory.Quadratic, Factor: 1}}.Effective(v).Size(), 2))
	}
	means := func(name string, of [points][]float64) props.Curve {
		c := props.Curve{Name: name, Style: props.Points}
		for i, logs := range of {
			mean := stat.Mean(logs, 0.05)
			c.AddInterval(law.X[i], math.Exp(mean.Estimate), math.Exp(mean.Lo), math.Exp(mean.Hi))
		}
		return c
	}
	return props.Figure{ID: "scales", Title: "Amplification and alignment over the scale of the labels",
		Caption: fmt.Sprintf("%d networks, trained on labels along eigenvector %d of their kernels at the start and of "+
			"growing size: geometric means with 95 %% intervals, and the law at the mean difficulty. Both are 1 for small "+
			"labels.", scalesNetworks, k+1),
		X: props.Axis{Label: "v = √(yᵀK₀⁻¹y)", Log: true},
		Y: props.Axis{Label: "amplification; alignment", Log: true},
		Curves: []props.Curve{means("amplification", amplified), means("alignment over that at the start", aligned),
			law}}
}
