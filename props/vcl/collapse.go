package vcl

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/layers"
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
		props.Instances[classified]{
			Name:    "features in classes",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Regimes: []string{"d < K − 1", "d ≥ K − 1", unequal},
			Draw:    drawClassified,
			Judge:   judgeClassified,
			Controls: []props.Control{
				{Name: "spectral norm of G in the bound", Criterion: "bound", Done: nearCollapse,
					Claimed: "spectral norm"},
				{Name: "spectral norm of G within the classes", Criterion: "within classes", Done: nearCollapse,
					Claimed: "spectral norm"},
				{Name: "K for K − 1", Criterion: "class means", Claimed: "K − 2"},
				{Name: "one-hot targets, similarity", Assumption: "centred", Criterion: "similarity",
					Claimed: "one-hot"},
				{Name: "classes of any size", Assumption: "balanced", Criterion: "similarity", Done: unequal,
					Claimed: "any sizes"},
				{Name: "scatter within the classes counts", Criterion: "similarity", Claimed: "total scatter"},
			},
		},
		props.Instances[collapsed]{
			Name:    "collapsed features",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Regimes: []string{equal, unequal},
			Draw:    drawCollapsed,
			Judge:   judgeCollapsed,
			Controls: []props.Control{
				{Name: "features a thousandth apart within a class", Assumption: "nc1", Criterion: "bound attained",
					Done: "spread"},
				{Name: "orthogonal class means", Assumption: "nc2", Criterion: "bound attained", Done: "orthogonal"},
				{Name: "one-hot targets", Assumption: "centred", Criterion: "bound attained", Claimed: "one-hot"},
				{Name: "one class twice as large, target linearity", Assumption: "balanced",
					Criterion: "target linearity", Done: unequal, Claimed: "any sizes"},
				{Name: "orthogonal class means, target linearity", Assumption: "nc2", Criterion: "target linearity",
					Done: "orthogonal", Claimed: "linearity"},
				{Name: "norm of the targets for one class more", Criterion: "‖YYᵀ‖", Claimed: oneClassMore},
				{Name: "norm of the Gram matrix for one class more", Criterion: "‖G‖", Claimed: oneClassMore},
				{Name: "similarity for one class more", Criterion: "similarity", Claimed: oneClassMore},
				{Name: "share for one class more", Criterion: "share of one-hot targets", Claimed: oneClassMore},
			},
		},
	},
}.Claim()

// The regimes of classes.
const (
	equal   = "classes of one size"
	unequal = "classes of several sizes"
)

const oneClassMore = "K + 1 classes"

// nearCollapse are class means on a simplex, K − 1 eigenvalues of one size, with little noise: of three classes and
// more both norms of G differ.
const nearCollapse = "near collapse"

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
			return fmt.Errorf("%g is no class: they are 0, 1 and so on", k)
		}
	}
	for k := range int(last) {
		if !slices.Contains(labels, float64(k)) {
			return fmt.Errorf("class %d has no sample", k)
		}
	}
	return nil
}

// drawClassLabels draws the classes of samples, 2 to 6 of up to 5.
func drawClassLabels(t *props.T, done string) (labels []float64, classes int) {
	classes = 1 + gen.Dim(t.T, "K−1", 5)
	size, several := gen.Dim(t.T, "N/K", 5), rapid.Bool().Draw(t.T, "several sizes") || done == unequal
	for k := range classes {
		count := size
		if several {
			count = gen.Dim(t.T, "size of a class", 5)
			if k == 0 && done == unequal {
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
func drawClassified(t *props.T, done string) classified {
	labels, classes := drawClassLabels(t, done)
	d := gen.Dim(t.T, "d", 8)
	noise, offset := gen.LogUniform(t.T, "noise", 1e-3, 1e3), gen.LogUniform(t.T, "offset", 1e-2, 1e2)
	r := t.Stream("entries")
	means, centre := gen.Gaussian(r, d, classes, 1), gen.Gaussian(r, d, 1, offset)
	if done == nearCollapse {
		means, noise = layers.Product(gen.Orthonormal(r, 8, classes-1), simplex(classes, 1)), 1e-3
		d, centre = 8, mat.NewDense(8, 1, nil)
	}
	h := gen.Gaussian(r, d, len(labels), noise)
	h.Apply(func(i, j int, x float64) float64 { return x + means.At(i, int(labels[j])) + centre.At(i, 0) }, h)
	return classified{h, labels}
}

// seen is what the claim speaks about.
type seen struct {
	classes, samples int
	balanced         bool
	targets, scatter *mat.Dense
	similarity       float64 // ‖HY‖²
	gram, target     float64 // ‖HHᵀ‖ and ‖YYᵀ‖
	rounding         float64
}

func look(h *mat.Dense, labels []float64, oneHot bool, unit float64) seen {
	whole := make([]int, len(labels))
	for i, k := range labels {
		whole[i] = int(k)
	}
	s := seen{samples: len(labels)}
	s.classes, s.targets, s.scatter = theory.ClassScatter(h, whole)
	sizes := make([]int, s.classes)
	for _, k := range whole {
		sizes[k]++
	}
	s.balanced = slices.Min(sizes) == slices.Max(sizes)
	if oneHot {
		s.targets.Apply(func(_, _ int, y float64) float64 { return y + 1/float64(s.classes) }, s.targets)
	}
	s.similarity = math.Pow(mat.Norm(layers.Product(h, s.targets), 2), 2)
	s.gram, s.target = mat.Norm(layers.Gram(h.T()), 2), mat.Norm(layers.Gram(s.targets), 2)
	s.rounding = float64(2*s.samples+s.classes+40)*unit*s.gram*s.target + underflow // features may vanish
	return s
}

func judgeClassified(r *props.Record, c classified, claimed string) {
	s := look(c.Features, c.Labels, claimed == "one-hot", r.Unit())
	d, _ := c.Features.Dims()
	spread, trace, k := mat.Norm(s.scatter, 2), mat.Trace(s.scatter), float64(s.classes)
	rank := math.Sqrt(k - 1)
	norm := s.gram
	switch claimed {
	case "spectral norm":
		norm = slices.Max(layers.Eigenvalues(layers.Gram(c.Features.T())))
	case "K − 2":
		rank = math.Sqrt(k - 2)
	case "total scatter":
		trace = math.Pow(mat.Norm(centred(c.Features), 2), 2)
	}
	switch {
	case !s.balanced:
		r.Regime(unequal)
	case d < s.classes-1:
		r.Regime("d < K − 1")
	default:
		r.Regime("d ≥ K − 1")
	}
	r.AtMost("bound", s.similarity, norm*s.target, s.rounding)
	if s.balanced || claimed == "any sizes" {
		r.Within("similarity", s.similarity, float64(s.samples)/k*trace, 4*s.rounding)
	}
	slack := float64(4*s.samples+16)*r.Unit()*s.gram + underflow
	r.AtMost("class means", trace, rank*spread, slack)
	r.AtMost("within classes", spread, norm, slack)
}

// drawCollapsed draws a regular simplex in d ≥ K − 1 dimensions and the samples of its classes.
func drawCollapsed(t *props.T, done string) collapsed {
	labels, classes := drawClassLabels(t, done)
	d := classes - 2 + gen.Dim(t.T, "d−K+2", 5)
	c := collapsed{Labels: labels}
	c.Length, c.Lambda = gen.LogUniform(t.T, "a", 1e-2, 1e2), gen.LogUniform(t.T, "λ", 1e-2, 1e2)
	if done == "orthogonal" {
		d++
		c.Features = repeated(gen.Orthonormal(t.Stream("means"), d, classes), labels)
		c.Features.Scale(math.Sqrt(c.Length), c.Features)
	} else {
		turned := layers.Product(gen.Orthonormal(t.Stream("means"), d, classes-1), simplex(classes, c.Length))
		c.Features = repeated(turned, labels)
	}
	if done == "spread" {
		c.Features.Add(c.Features, gen.Gaussian(t.Stream("spread"), d, len(labels), 1e-3*math.Sqrt(c.Length)))
	}
	return c.regress()
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
	s := look(c.Features, c.Labels, false, 0)
	c.Fitted = mat.NewDense(s.samples, s.classes, nil)
	for k := range s.classes {
		fitted, err := features.Ridge(c.Features, mat.Col(nil, k, s.targets), c.Lambda)
		if err != nil {
			panic(err)
		}
		c.Fitted.SetCol(k, fitted)
	}
	return c
}

// unexplained is 1 − T.
func (c collapsed) unexplained(targets *mat.Dense) float64 {
	var rest mat.Dense
	rest.Sub(targets, c.Fitted)
	return math.Pow(mat.Norm(&rest, 2)/mat.Norm(targets, 2), 2)
}

func judgeCollapsed(r *props.Record, c collapsed, claimed string) {
	s, hot := look(c.Features, c.Labels, claimed == "one-hot", r.Unit()), look(c.Features, c.Labels, true, r.Unit())
	r.Regime(unequal)
	if s.balanced {
		r.Regime(equal)
	}
	r.Within("bound attained", s.similarity, s.gram*s.target, s.rounding)
	if !s.balanced && claimed != "any sizes" {
		return
	}
	f := theory.Simplex{Classes: s.classes, Size: s.samples / s.classes, Length: c.Length}
	if claimed == oneClassMore {
		f.Classes++
	}
	d, _ := c.Features.Dims()
	top := c.Length * float64(s.samples) / float64(s.classes-1) // the largest eigenvalue of G
	slack := float64(8*d*d+4*s.samples+40) * r.Unit() * (1 + top/c.Lambda)
	rest := 1 - f.Linearity(c.Lambda)
	r.Within("target linearity", c.unexplained(s.targets), rest, 2*math.Sqrt(rest)*slack+slack*slack)
	if claimed == "" || claimed == oneClassMore {
		r.Within("‖YYᵀ‖", s.target, f.TargetNorm(), s.rounding/s.gram)
		r.Within("‖G‖", s.gram, f.Gram(), s.rounding/s.target)
		r.Within("similarity", s.similarity, f.Similarity(), s.rounding)
		r.Within("share of one-hot targets", hot.similarity/(hot.gram*hot.target), f.Uncentred(),
			2*hot.rounding/(hot.gram*hot.target))
	}
}

// tryCollapse builds collapsed features and fits their targets.
func tryCollapse(t *props.Trial, v statement.Values) (map[string]float64, error) {
	classes, size := v.Int("classes"), v.Int("size")
	if classes > 100 || classes*size > 20_000 {
		return nil, fmt.Errorf("%d classes of %d samples are too many: simulate up to 100 classes and 20000 samples",
			classes, size)
	}
	c := collapsed{Length: v.Float("length"), Lambda: v.Float("lambda")}
	for i := range classes * size {
		c.Labels = append(c.Labels, float64(i%classes))
	}
	means := layers.Product(gen.Orthonormal(t.Rand, classes, classes-1), simplex(classes, c.Length))
	c.Features = repeated(means, c.Labels)
	c = c.regress()
	s, hot := look(c.Features, c.Labels, false, 0), look(c.Features, c.Labels, true, 0)
	return map[string]float64{"gram": s.gram, "similarity": s.similarity, "linearity": 1 - c.unexplained(s.targets),
		"uncentred": hot.similarity / (hot.gram * hot.target)}, nil
}
