package vcl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// collapse pairs the maximum with features in classes, collapsed or not, and with ridge regressions on them.
var collapse = props.Spec{
	Statement: &theory.Collapse,
	Along: &props.Along{
		Param: "lambda", From: 1, To: 10000, At: map[string]string{"size": "10"}, Of: []string{"linearity"},
		Each: &props.ParamSweep{Name: "classes", Values: []string{"2", "10", "40"}},
		Y:    "target linearity of collapsed features", Reps: 2, Draw: true,
	},
	Try: &props.Simulation{Run: tryCollapse, Draw: drawCollapse},
	Checks: []props.Check{
		props.Drawn[classified, classClaim]{
			Name:    "features in classes",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Tries:   28,
			Regimes: []string{"d < K − 1", "d ≥ K − 1", unequal},
			Draw:    func(t *props.T) classified { return drawClassified(t, false, anyMeans) },
			Claim: classClaim{norm: frobeniusOfGram, rank: func(k float64) float64 { return k - 1 },
				trace:   func(_ classified, s seen) float64 { return mat.Trace(s.scatter) },
				targets: centredTargets, sizes: balancedAlone},
			Judge: judgeClassified,
			Controls: []props.Wrong[classified, classClaim]{
				{Name: "spectral norm of G in the bound", Criterion: "bound",
					Draw:    func(t *props.T) classified { return drawClassified(t, false, nearlyCollapsed) },
					Instead: classClaim{norm: spectralOfGram}},
				{Name: "spectral norm of G within the classes", Criterion: "within classes",
					As: "spectral norm of G in the bound"},
				{Name: "K for K − 1", Criterion: "class means",
					Instead: classClaim{rank: func(k float64) float64 { return k - 2 }}},
				{Name: "one-hot targets, similarity", Assumption: "centred", Criterion: "similarity",
					Instead: classClaim{targets: oneHotTargets}},
				{Name: "classes of any size", Assumption: "balanced", Criterion: "similarity",
					Draw:    func(t *props.T) classified { return drawClassified(t, true, anyMeans) },
					Instead: classClaim{sizes: anySizes}},
				{Name: "scatter within the classes counts", Criterion: "similarity",
					Instead: classClaim{trace: func(in classified, _ seen) float64 {
						return math.Pow(mat.Norm(centred(in.Features), 2), 2)
					}}},
			},
		},
		props.Drawn[collapsed, collapseClaim]{
			Name:    "collapsed features",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Tries:   50,
			Regimes: []string{equal, unequal},
			Draw:    func(t *props.T) collapsed { return drawCollapsed(t, false, onSimplex) },
			Claim: collapseClaim{targets: centredTargets, sizes: balancedAlone,
				simplex: func(f theory.Simplex) theory.Simplex { return f }},
			Judge: judgeCollapsed,
			Controls: []props.Wrong[collapsed, collapseClaim]{
				{Name: "features a thousandth apart within a class", Assumption: "nc1", Criterion: "bound attained",
					Draw: func(t *props.T) collapsed { return drawCollapsed(t, false, spreadOut) }},
				{Name: orthogonalMeans, Assumption: "nc2", Criterion: "bound attained",
					Draw: func(t *props.T) collapsed { return drawCollapsed(t, false, onAxes) }},
				{Name: "one-hot targets", Assumption: "centred", Criterion: "bound attained",
					Instead: collapseClaim{targets: oneHotTargets}},
				{Name: "one class twice as large, target linearity", Assumption: "balanced",
					Criterion: "target linearity",
					Draw:      func(t *props.T) collapsed { return drawCollapsed(t, true, onSimplex) },
					Instead:   collapseClaim{sizes: anySizes}},
				{Name: "orthogonal class means, target linearity", Assumption: "nc2", Criterion: "target linearity",
					As: orthogonalMeans},
				{Name: oneClassMore, Criterion: "‖YYᵀ‖",
					Instead: collapseClaim{simplex: func(f theory.Simplex) theory.Simplex { f.Classes++; return f }}},
				{Name: "norm of the Gram matrix for one class more", Criterion: "‖G‖", As: oneClassMore},
				{Name: "similarity for one class more", Criterion: "similarity", As: oneClassMore},
				{Name: "share for one class more", Criterion: "share of one-hot targets", As: oneClassMore},
			},
		},
	},
}.Claim()

// The regimes of classes.
const (
	equal   = "classes of one size"
	unequal = "classes of several sizes"
)

const (
	oneClassMore    = "norm of the targets for one class more"
	orthogonalMeans = "orthogonal class means"
)

// classClaim holds the claims about features in classes.
type classClaim struct {
	norm    func(h *mat.Dense) float64          // of G
	rank    func(classes float64) float64       // of the scatter of class means
	trace   func(in classified, s seen) float64 // of the scatter that counts
	targets func(classes int) float64           // what targets have beyond centred ones
	sizes   func(balanced bool) bool            // whether it speaks about these
}

// collapseClaim holds the claims about collapsed features.
type collapseClaim struct {
	targets func(classes int) float64
	sizes   func(balanced bool) bool
	simplex func(theory.Simplex) theory.Simplex
}

func centredTargets(int) float64        { return 0 }
func oneHotTargets(classes int) float64 { return 1 / float64(classes) }

func balancedAlone(balanced bool) bool { return balanced }
func anySizes(bool) bool               { return true }

func frobeniusOfGram(h *mat.Dense) float64 { return mat.Norm(layers.Gram(h.T()), 2) }
func spectralOfGram(h *mat.Dense) float64  { return slices.Max(layers.Eigenvalues(layers.Gram(h.T()))) }

// classified are features with their classes.
type classified struct {
	Features *mat.Dense `npy:"H"`      // d×N
	Labels   []float64  `npy:"labels"` // N
}

// collapsed are collapsed features with a ridge regression of their targets.
type collapsed struct {
	Features *mat.Dense `npy:"H"`      // d×N
	Labels   []float64  `npy:"labels"` // N
	Length   float64    `npy:"length"` // squared, of a class mean
	Lambda   float64    `npy:"lambda"`
	Fitted   *mat.Dense `npy:"fitted"` // N×K
}

// Valid names the violated hypothesis.
func (c classified) Valid() error { return validLabels(c.Labels) }

// Valid names the violated hypothesis.
func (c collapsed) Valid() error { return validLabels(c.Labels) }

// validLabels says why numbers are no classes 0 to K−1 of samples, none of them empty.
func validLabels(labels []float64) error {
	last := slices.Max(labels)
	if !(last >= 1) {
		return errors.New("there must be two classes, 0 and 1, or more")
	}
	for _, k := range labels {
		if k != math.Floor(k) || k < 0 {
			return fmt.Errorf("%g is not a class: classes are 0, 1 and so on", k)
		}
	}
	for k := range int(last) {
		if !slices.Contains(labels, float64(k)) {
			return fmt.Errorf("class %d has no sample", k)
		}
	}
	return nil
}

// drawClassLabels draws the classes of samples, 2 to 6 of up to 5. With a large first class they are of several sizes.
func drawClassLabels(t *props.T, largeFirst bool) (labels []float64, classes int) {
	classes = 1 + gen.Dim(t.T, "K−1", 5)
	size, several := gen.Dim(t.T, "N/K", 5), rapid.Bool().Draw(t.T, "several sizes") || largeFirst
	for k := range classes {
		count := size
		if several {
			count = gen.Dim(t.T, "size of a class", 5)
			if k == 0 && largeFirst {
				count = 2 * size
			}
		}
		for range count {
			labels = append(labels, float64(k))
		}
	}
	return labels, classes
}

// drawClassified draws class means, noise within the classes of 10⁻³ to 10³ times their size, and a mean of all.
func drawClassified(t *props.T, largeFirst bool, place placing) classified {
	labels, classes := drawClassLabels(t, largeFirst)
	d := gen.Dim(t.T, "d", 8)
	noise, offset := gen.LogUniform(t.T, "noise", 1e-3, 1e3), gen.LogUniform(t.T, "offset", 1e-2, 1e2)
	r := t.Stream("entries")
	means, centre, noise := place(r, d, classes, noise, offset)
	d, _ = means.Dims()
	h := gen.Gaussian(r, d, len(labels), noise)
	h.Apply(func(i, j int, x float64) float64 { return x + means.At(i, int(labels[j])) + centre.At(i, 0) }, h)
	return classified{h, labels}
}

// placing places class means and the mean of all, and says how large the noise within the classes is.
type placing func(r *rand.Rand, d, classes int, drawnNoise, offset float64) (means, centre *mat.Dense, noise float64)

func anyMeans(r *rand.Rand, d, classes int, noise, offset float64) (*mat.Dense, *mat.Dense, float64) {
	means := gen.Gaussian(r, d, classes, 1)
	return means, gen.Gaussian(r, d, 1, offset), noise
}

// nearlyCollapsed has class means on a simplex, K − 1 eigenvalues of one size, with little noise: of three classes and
// more both norms of G differ.
func nearlyCollapsed(r *rand.Rand, d, classes int, noise, offset float64) (*mat.Dense, *mat.Dense, float64) {
	anyMeans(r, d, classes, noise, offset)
	return algebra.Product(gen.Orthonormal(r, 8, classes-1), simplex(classes, 1)), mat.NewDense(8, 1, nil), 1e-3
}

// seen holds the quantities that the claim is about.
type seen struct {
	classes, samples int
	balanced         bool
	targets, scatter *mat.Dense
	similarity       float64 // ‖HY‖²
	gram, target     float64 // ‖HHᵀ‖ and ‖YYᵀ‖
	rounding         float64
}

// look has targets that are offset from centred ones.
func look(h *mat.Dense, labels []float64, offset func(classes int) float64, unit float64) seen {
	whole := list.Map(labels, func(k float64) int { return int(k) })
	s := seen{samples: len(labels)}
	s.classes, s.targets, s.scatter = theory.ClassScatter(h, whole)
	sizes := make([]int, s.classes)
	for _, k := range whole {
		sizes[k]++
	}
	s.balanced = slices.Min(sizes) == slices.Max(sizes)
	if by := offset(s.classes); by != 0 {
		s.targets.Apply(func(_, _ int, y float64) float64 { return y + by }, s.targets)
	}
	s.similarity = math.Pow(mat.Norm(algebra.Product(h, s.targets), 2), 2)
	s.gram, s.target = mat.Norm(layers.Gram(h.T()), 2), mat.Norm(layers.Gram(s.targets), 2)
	s.rounding = float64(2*s.samples+s.classes+40)*unit*s.gram*s.target + underflow // features may vanish
	return s
}

func judgeClassified(r *props.Record, c classified, claim classClaim) {
	s := look(c.Features, c.Labels, claim.targets, r.Unit())
	d, _ := c.Features.Dims()
	spread, trace, k := mat.Norm(s.scatter, 2), claim.trace(c, s), float64(s.classes)
	rank, norm := math.Sqrt(claim.rank(k)), claim.norm(c.Features)
	r.RegimeOf(d >= s.classes-1, !s.balanced)
	r.AtMost("bound", s.similarity, norm*s.target, s.rounding)
	if claim.sizes(s.balanced) {
		r.Within("similarity", s.similarity, float64(s.samples)/k*trace, 4*s.rounding)
	}
	slack := float64(4*s.samples+16)*r.Unit()*s.gram + underflow
	r.AtMost("class means", trace, rank*spread, slack)
	r.AtMost("within classes", spread, norm, slack)
}

// drawCollapsed draws a regular simplex in d ≥ K − 1 dimensions and the samples of its classes.
func drawCollapsed(t *props.T, largeFirst bool, means func(t *props.T, d, classes int,
	c collapsed) *mat.Dense) collapsed {
	labels, classes := drawClassLabels(t, largeFirst)
	d := classes - 2 + gen.Dim(t.T, "d−K+2", 5)
	c := collapsed{Labels: labels}
	c.Length, c.Lambda = gen.LogUniform(t.T, "a", 1e-2, 1e2), gen.LogUniform(t.T, "λ", 1e-2, 1e2)
	c.Features = means(t, d, classes, c)
	return c.regress()
}

// onSimplex has the classes on the vertices of a regular simplex.
func onSimplex(t *props.T, d, classes int, c collapsed) *mat.Dense {
	means := algebra.Product(gen.Orthonormal(t.Stream("means"), d, classes-1), simplex(classes, c.Length))
	return repeated(means, c.Labels)
}

// onAxes has them on orthogonal axes.
func onAxes(t *props.T, d, classes int, c collapsed) *mat.Dense {
	return algebra.Scaled(math.Sqrt(c.Length), repeated(gen.Orthonormal(t.Stream("means"), d+1, classes), c.Labels))
}

// spreadOut has the samples a thousandth apart.
func spreadOut(t *props.T, d, classes int, c collapsed) *mat.Dense {
	h := onSimplex(t, d, classes, c)
	h.Add(h, gen.Gaussian(t.Stream("spread"), d, len(c.Labels), 1e-3*math.Sqrt(c.Length)))
	return h
}

// simplex are K vertices of squared length a in K − 1 dimensions, as columns: those of Helmert's matrix.
func simplex(classes int, length float64) *mat.Dense {
	v := mat.NewDense(classes-1, classes, nil)
	size := math.Sqrt(length * float64(classes) / float64(classes-1))
	for i := range classes - 1 {
		j := float64(i + 1)
		for k := range i + 1 {
			v.Set(i, k, size/math.Sqrt(j*(j+1)))
		}
		v.Set(i, i+1, -size*j/math.Sqrt(j*(j+1)))
	}
	return v
}

// repeated has for each sample the column of its class.
func repeated(means *mat.Dense, labels []float64) *mat.Dense {
	d, _ := means.Dims()
	h := mat.NewDense(d, len(labels), nil)
	for i, k := range labels {
		h.SetCol(i, mat.Col(nil, int(k), means))
	}
	return h
}

// regress fits the targets.
func (c collapsed) regress() collapsed {
	s := look(c.Features, c.Labels, centredTargets, 0)
	c.Fitted = mat.NewDense(s.samples, s.classes, nil)
	for k := range s.classes {
		fitted := must.Get(features.Ridge(c.Features, mat.Col(nil, k, s.targets), c.Lambda))
		c.Fitted.SetCol(k, fitted)
	}
	return c
}

// unexplained is 1 − T.
func (c collapsed) unexplained(targets *mat.Dense) float64 {
	rest := algebra.Difference(targets, c.Fitted)
	return math.Pow(mat.Norm(rest, 2)/mat.Norm(targets, 2), 2)
}

func judgeCollapsed(r *props.Record, c collapsed, claim collapseClaim) {
	s := look(c.Features, c.Labels, claim.targets, r.Unit())
	hot := look(c.Features, c.Labels, oneHotTargets, r.Unit())
	r.RegimeOf(!s.balanced)
	r.Within("bound attained", s.similarity, s.gram*s.target, s.rounding)
	if !claim.sizes(s.balanced) {
		return
	}
	f := claim.simplex(theory.Simplex{Classes: s.classes, Size: s.samples / s.classes, Length: c.Length})
	d, _ := c.Features.Dims()
	top := c.Length * float64(s.samples) / float64(s.classes-1) // the largest eigenvalue of G
	slack := float64(8*d*d+4*s.samples+40) * r.Unit() * (1 + top/c.Lambda)
	rest := 1 - f.Linearity(c.Lambda)
	r.Within("target linearity", c.unexplained(s.targets), rest, 2*math.Sqrt(rest)*slack+slack*slack)
	r.Within("‖YYᵀ‖", s.target, f.TargetNorm(), s.rounding/s.gram)
	r.Within("‖G‖", s.gram, f.Gram(), s.rounding/s.target)
	r.Within("similarity", s.similarity, f.Similarity(), s.rounding)
	r.Within("share of one-hot targets", hot.similarity/(hot.gram*hot.target), f.Uncentred(),
		2*hot.rounding/(hot.gram*hot.target))
}

// tryCollapse builds collapsed features and fits their targets.
func tryCollapse(t *props.Trial, v statement.Values) (map[string]float64, error) {
	classes, size := v.Int("classes"), v.Int("size")
	t.Need(classes <= 100 && classes*size <= 20_000,
		"%d classes of %d samples are too many: simulate up to 100 classes and 20000 samples", classes, size)
	c := collapsed{Length: v.Float("length"), Lambda: v.Float("lambda")}
	for i := range classes * size {
		c.Labels = append(c.Labels, float64(i%classes))
	}
	means := algebra.Product(gen.Orthonormal(t.Rand, classes, classes-1), simplex(classes, c.Length))
	c.Features = repeated(means, c.Labels)
	c = c.regress()
	s, hot := look(c.Features, c.Labels, centredTargets, 0), look(c.Features, c.Labels, oneHotTargets, 0)
	return map[string]float64{"gram": s.gram, "similarity": s.similarity, "linearity": 1 - c.unexplained(s.targets),
		"uncentred": hot.similarity / (hot.gram * hot.target)}, nil
}
