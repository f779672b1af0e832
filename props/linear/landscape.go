package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// landscape takes Hessians by differences of gradients from backpropagation, and compares their eigenvalues with the
// closed form.
var landscape = props.Spec{
	Statement: &theory.Landscape,
	Try:       &props.Simulation{Run: tryLandscape},
	Along: &props.Along{Param: "hidden", From: 1, To: 6, Of: []string{"index"}, Y: "negative eigenvalues",
		Places: 6, Reps: 1,
		Each: &props.ParamSweep{Name: "keep", Values: []string{"none", "1", "3"}}},
	Checks: []props.Check{criticalPoints, saddles},
}.Claim()

var criticalPoints = props.Drawn[critical, landscapeClaim]{
	Name:    "critical points",
	Cases:   props.Scale{Quick: 150, Standard: 500, Deep: 20000},
	Regimes: []string{"balanced floats", "balanced integers", "not balanced", "equal singular values"},
	Draw:    func(t *props.T) critical { return drawCritical(t, landscapePractice{act: nn.Identity}) },
	Claim: landscapeClaim{loss: theory.Critical.Loss, index: theory.Critical.Index,
		spectrum: theory.Critical.Spectrum},
	Judge: judgeCritical,
	Controls: []props.Wrong[critical, landscapeClaim]{
		{Name: "ReLU between the layers", Assumption: "linear",
			Draw: func(t *props.T) critical { return drawCritical(t, landscapePractice{act: nn.ReLU}) }},
		{Name: "inputs with a covariance", Assumption: "white",
			Draw: func(t *props.T) critical { return drawCritical(t, landscapePractice{act: nn.Identity, scale: 1.01}) }},
		{Name: "layers moved by a thousandth", Assumption: "critical", Criterion: "spectrum",
			Draw: func(t *props.T) critical { return drawCritical(t, landscapePractice{act: nn.Identity, moved: 1e-3}) }},
		{Name: "spectrum of layers that are not balanced", Assumption: "balanced", Criterion: "spectrum",
			Draw: func(t *props.T) critical { return drawCritical(t, landscapePractice{act: nn.Identity, gauge: true}) }},
		{Name: "losses of the modes that are kept", Criterion: "loss", Instead: landscapeClaim{
			loss: func(c theory.Critical) float64 { return complement(c).Loss() }}},
		{Name: "spare units forgotten", Criterion: "index", Instead: landscapeClaim{
			index: func(c theory.Critical) float64 {
				c.Hidden = kept(c)
				return c.Index()
			}}},
		{Name: "inversions counted the other way", Criterion: "index", Instead: landscapeClaim{
			index: func(c theory.Critical) float64 {
				c.Target = mapped(c.Target, func(s float64) float64 { return 1 / s })
				return c.Index()
			}}},
		{Name: "squares of the singular values", Criterion: "spectrum", Instead: landscapeClaim{
			spectrum: func(c theory.Critical) []float64 {
				c.Target = mapped(c.Target, func(s float64) float64 { return s * s })
				return c.Spectrum()
			}}},
	},
}

// saddle is a critical point of three layers whose first and last are 0.
type saddle struct {
	Target, Middle *mat.Dense
	Spectrum       *mat.Dense // 1×(number of weights), ascending
	size           float64
}

// saddleClaim are the eigenvalues, from singular values.
type saddleClaim func(target, middle []float64, weights int) []float64

var saddles = props.Drawn[saddle, saddleClaim]{
	Name:  "a saddle of three layers",
	Cases: props.Scale{Quick: 60, Standard: 300, Deep: 10000},
	Tries: 12,
	Draw:  func(t *props.T) saddle { return drawSaddle(t, landscapePractice{act: nn.Identity}) },
	Claim: theory.SaddleSpectrum,
	Judge: func(r *props.Record, s saddle, claim saddleClaim) {
		target, middle := rankOf(s.Target), rankOf(s.Middle)
		_, weights := s.Spectrum.Dims()
		// As of two layers: differences are exact but for roundings, of gradients that are products of three matrices.
		allowed := 10 * math.Pow(float64(weights), 2) * r.Unit() * s.size
		want := claim(target, middle, weights)
		r.WithinMatrix("spectrum of the saddle", s.Spectrum, mat.NewDense(1, len(want), want), allowed)
	},
	Controls: []props.Wrong[saddle, saddleClaim]{
		{Name: "a first layer of a thousandth", Assumption: "critical",
			Draw: func(t *props.T) saddle { return drawSaddle(t, landscapePractice{act: nn.Identity, moved: 1e-3}) }},
		{Name: "leaky ReLU after each layer", Assumption: "linear",
			Draw: func(t *props.T) saddle { return drawSaddle(t, landscapePractice{act: nn.LeakyReLU}) }},
		{Name: "squares of the target's", Instead: func(target, middle []float64, weights int) []float64 {
			return theory.SaddleSpectrum(mapped(target, func(s float64) float64 { return s * s }), middle, weights)
		}},
		{Name: "middle layer forgotten", Instead: func(target, middle []float64, weights int) []float64 {
			return theory.SaddleSpectrum(target, mapped(middle, func(float64) float64 { return 1 }), weights)
		}},
	},
}

// rankOf are the singular values that are positive: the draws have no tiny ones.
func rankOf(a *mat.Dense) (values []float64) {
	all, err := linalg.SingularValues(a)
	if err != nil {
		panic(err)
	}
	for _, s := range all {
		if s > 1e-9 {
			values = append(values, s)
		}
	}
	return values
}

// drawSaddle draws the target and the middle layer, which may be 0.
func drawSaddle(t *props.T, p landscapePractice) saddle {
	n, m, h, k := gen.Dim(t.T, "n", 3), gen.Dim(t.T, "m", 3), gen.Dim(t.T, "h₁", 2), gen.Dim(t.T, "h₂", 2)
	r := t.Stream("entries")
	s := saddle{Target: gen.Gaussian(r, m, n, 1), Middle: gen.Gaussian(r, k, h, 1)}
	first := gen.Gaussian(r, h, n, p.moved)
	net := netOf([]*mat.Dense{first, mat.DenseCopyOf(s.Middle), mat.NewDense(m, k, nil)}, p.act)
	_, s.Spectrum = observeHessian(net, identity(n), s.Target)
	norm := 2 + mat.Norm(s.Middle, 2) // the steps of differences are up to 2
	s.size = norm * norm * (norm*norm*norm + mat.Norm(s.Target, 2))
	return s
}

// landscapeClaim holds the claims about a critical point.
type landscapeClaim struct {
	loss, index func(theory.Critical) float64
	spectrum    func(theory.Critical) []float64
}

// kept counts the modes that are kept.
func kept(c theory.Critical) (count int) {
	for _, k := range c.Kept {
		if k {
			count++
		}
	}
	return count
}

// complement keeps the modes that are not, with units enough.
func complement(c theory.Critical) theory.Critical {
	other := make([]bool, len(c.Kept))
	for i, k := range c.Kept {
		other[i] = !k
	}
	c.Kept, c.Hidden = other, c.Hidden+len(other)
	return c
}

// critical is a critical point with its loss and the eigenvalues of its Hessian.
type critical struct {
	Target   *mat.Dense `npy:"s"`    // 1×ρ
	Kept     *mat.Dense `npy:"kept"` // 1×ρ, 1 or 0
	Inputs   int        `npy:"inputs"`
	Outputs  int        `npy:"outputs"`
	Hidden   int        `npy:"units"`
	Loss     float64    `npy:"loss"`
	Spectrum *mat.Dense `npy:"spectrum"` // 1×h(m+n), ascending

	integers, gauge bool
	size            float64 // ‖W₁‖² + ‖W₂‖² where it is not balanced
}

func (c critical) statement() theory.Critical {
	out := theory.Critical{Target: c.Target.RawRowView(0), Inputs: c.Inputs, Outputs: c.Outputs, Hidden: c.Hidden}
	for _, k := range c.Kept.RawRowView(0) {
		out.Kept = append(out.Kept, k != 0)
	}
	return out
}

// Valid names the violated hypothesis.
func (c critical) Valid() error { return c.statement().Valid() }

// gap is the smallest distance of different numbers among the singular values and zero.
func (c critical) gap() float64 {
	gap := math.Inf(1)
	for _, a := range c.Target.RawRowView(0) {
		gap = min(gap, a)
		for _, b := range c.Target.RawRowView(0) {
			if a != b {
				gap = min(gap, math.Abs(a-b))
			}
		}
	}
	return gap
}

func judgeCritical(r *props.Record, c critical, claim landscapeClaim) {
	s, at := c.Target.RawRowView(0), c.statement()
	equal := false
	for i := range s {
		for j := range i {
			equal = equal || s[i] == s[j]
		}
	}
	r.RegimeOf(c.integers, c.gauge, equal)
	sum := 2*mat.Norm(c.Target, 1) + mat.Norm(c.Target, 2) + c.size
	columns := float64(c.Hidden * (c.Inputs + c.Outputs))
	allowed := 10 * math.Pow(float64(c.Inputs+c.Outputs+c.Hidden), 2) * r.Unit() * sum * columns
	r.WithinScale("loss", c.Loss, claim.loss(at), sum*sum, allowed*sum)
	negative := 0
	for _, value := range c.Spectrum.RawRowView(0) {
		if value < -1e-3*c.gap() {
			negative++
		}
	}
	r.Exactly("index", float64(negative), claim.index(at))
	if !c.gauge {
		want := claim.spectrum(at)
		r.WithinMatrix("spectrum", c.Spectrum, mat.NewDense(1, len(want), want), allowed)
	}
}

// landscapePractice says how a critical point departs from the hypotheses.
type landscapePractice struct {
	act          nn.Activation
	scale, moved float64
	gauge        bool // passed as balanced, although it is not
}

// drawCritical draws S = U diag(s) Vᵀ and keeps some of its modes. On integers the bases are signed permutations and
// singular values squares, the others lie at least a fiftieth apart or are equal.
func drawCritical(t *props.T, p landscapePractice) critical {
	c := critical{Inputs: gen.Dim(t.T, "n", 4), Outputs: gen.Dim(t.T, "m", 4), Hidden: gen.Dim(t.T, "h", 3),
		gauge: rapid.Bool().Draw(t.T, "not balanced") || p.gauge}
	c.integers = !c.gauge && p.scale == 0 && p.moved == 0 && rapid.Bool().Draw(t.T, "integers")
	r, rank := t.Stream("entries"), rapid.IntRange(1, min(c.Inputs, c.Outputs)).Draw(t.T, "ρ")
	c.Target, c.Kept = mat.NewDense(1, rank, nil), mat.NewDense(1, rank, nil)
	basis := gen.Orthonormal
	if c.integers {
		basis = func(r *rand.Rand, n, _ int) *mat.Dense { return signedPermutation(r, n) }
	}
	q, count := make([]float64, rank), 0
	for i := range rank {
		root := float64(1 + r.IntN(4))
		if c.Target.Set(0, i, root*root); !c.integers {
			root = 0.5 + 0.02*float64(r.IntN(50))
			c.Target.Set(0, i, root)
			root = math.Sqrt(root)
		}
		if r.IntN(2) == 1 && count < c.Hidden {
			q[i], count = root, count+1
			c.Kept.Set(0, i, 1)
		}
	}
	u, v := basis(r, c.Outputs, c.Outputs), basis(r, c.Inputs, c.Inputs)
	w1, w2 := criticalLayers(u, v, basis(r, c.Hidden, c.Hidden), q)
	if c.gauge {
		change := plus(identity(c.Hidden), 0.4, gen.Orthonormal(r, c.Hidden, c.Hidden)) // singular values within 0.6 and 1.4
		var inverse mat.Dense
		if inverse.Inverse(change) == nil {
			w1, w2 = product(&inverse, w1), product(w2, change)
		}
		c.size = math.Pow(mat.Norm(w1, 2), 2) + math.Pow(mat.Norm(w2, 2), 2)
	}
	w2 = plus(w2, p.moved, gen.Gaussian(r, c.Outputs, c.Hidden, 1))
	inputs := identity(c.Inputs)
	if p.scale > 0 {
		inputs.Scale(p.scale, inputs)
	}
	target := product(spectral(u, c.Target.RawRowView(0), v), inputs)
	c.gauge = c.gauge && !p.gauge
	c.Loss, c.Spectrum = observeHessian(netOf([]*mat.Dense{w1, w2}, p.act), inputs, target)
	return c
}

// criticalLayers are W_1 = R√S_I V_Iᵀ and W_2 = U_I√S_I Rᵀ, with a column of R for each mode that has a strength.
func criticalLayers(u, v, hidden *mat.Dense, strengths []float64) (w1, w2 *mat.Dense) {
	h, _ := hidden.Dims()
	m, _ := u.Dims()
	n, _ := v.Dims()
	w1, w2 = mat.NewDense(h, n, nil), mat.NewDense(m, h, nil)
	unit := 0
	for i, q := range strengths {
		if q > 0 {
			column := hidden.Slice(0, h, unit, unit+1)
			w1 = plus(w1, q, product(column, v.Slice(0, n, i, i+1).T()))
			w2 = plus(w2, q, product(u.Slice(0, m, i, i+1), column.T()))
			unit++
		}
	}
	return w1, w2
}

// observeHessian returns the loss of a network and the eigenvalues of its Hessian. Gradients are polynomials of degree
// 3, for which the differences with steps 1 and 2 have no error.
func observeHessian(net nn.Net, inputs, targets *mat.Dense) (loss float64, spectrum *mat.Dense) {
	gradient := func() (flat []float64) {
		for _, b := range net.Batches(inputs, targets) {
			flat = append(flat, b.WeightGrad().RawMatrix().Data...)
		}
		return flat
	}
	size := len(gradient())
	hessian, row := mat.NewSymDense(size, nil), 0
	for _, layer := range net {
		data := layer.W.RawMatrix().Data
		for i, w := range data {
			for _, step := range []struct{ at, weight float64 }{{1, 8}, {-1, -8}, {2, -1}, {-2, 1}} {
				data[i] = w + step.at
				for j, g := range gradient() {
					if j >= row {
						hessian.SetSym(row, j, hessian.At(row, j)+step.weight*g/12)
					}
				}
			}
			data[i] = w
			row++
		}
	}
	_, samples := inputs.Dims()
	for i := range samples {
		loss += net.Loss(mat.Col(nil, i, inputs), mat.Col(nil, i, targets))
	}
	values, _, err := linalg.SymEigen(hessian, false)
	if err != nil {
		return math.NaN(), mat.NewDense(1, size, nil)
	}
	return loss, mat.NewDense(1, size, values)
}

// tryLandscape builds the critical point in random bases.
func tryLandscape(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := []float64{v.Float("s1"), v.Float("s2"), v.Float("s3")}
	strengths := make([]float64, 3)
	for i, k := range theory.KeptModes(v.Choice("keep")) {
		if k {
			strengths[i] = math.Sqrt(s[i])
		}
	}
	u, right := gen.Orthonormal(t.Rand, 3, 3), gen.Orthonormal(t.Rand, 3, 3)
	w1, w2 := criticalLayers(u, right, gen.Orthonormal(t.Rand, v.Int("hidden"), v.Int("hidden")), strengths)
	loss, spectrum := observeHessian(netOf([]*mat.Dense{w1, w2}, nn.Identity), identity(3), spectral(u, s, right))
	values, index := spectrum.RawRowView(0), 0.0
	for _, value := range values {
		if value < -1e-9*values[len(values)-1] {
			index++
		}
	}
	return map[string]float64{"loss": loss, "index": index, "lowest": values[0], "sharpness": values[len(values)-1]}, nil
}
