package recorded

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props/results"
)

// ObservationSchema is the version of the format of [Observations].
const ObservationSchema = "thm.observe/v2"

// Observations are the quantities of the theory on recorded networks over training, without verdicts.
type Observations struct {
	Schema     string     `json:"schema"`
	Runs       []string   `json:"runs"`
	Quantities []Quantity `json:"quantities"`
	Points     []Point    `json:"points"`
	Coordinates
	Errors []string `json:"errors"`
}

// Quantity is one of those that are observed.
type Quantity struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Claim   string `json:"claim"`
	Log     bool   `json:"log"` // drawn over a logarithmic axis
	of      func(*chain) (measured, predicted float64)
}

// Point is a quantity of one layer in one step. What is not predicted, or not defined, is NaN.
type Point struct {
	Run       string         `json:"run"`
	Layer     string         `json:"layer"`
	Step      int            `json:"step"`
	Width     int            `json:"width"` // inputs of the layer
	Quantity  string         `json:"quantity"`
	Measured  results.Number `json:"measured"`
	Predicted results.Number `json:"predicted"`

	outputs int     // of the layer
	rule    string  // of the step
	slope   float64 // ‖Γ‖√(mN): an inner product with Γ over it is a root mean square
}

// largestSide is the size of matrices up to which spectra are computed.
const largestSide = 1024

// Quantities are those that are observed.
var Quantities = []Quantity{
	{Name: "residual over shift", Claim: "vcl/residual", Log: true, of: (*chain).residualShare,
		Meaning: "what the virtual covariance shift leaves of the change of WᵀW, relative to the shift; predicted by the " +
			"closed form γ²(HΓᵀΓHᵀ − WᵀΓΓᵀW)"},
	{Name: "cosine of WᵀW and PPᵀ", Claim: "vcl/ansatz", of: (*chain).ansatz,
		Meaning: "between the Gram matrix of the weights and the outer product of the loss's gradients in the inputs"},
	{Name: "exponent of WᵀW in PPᵀ", Claim: "vcl/ansatz", of: (*chain).exponent,
		Meaning: "slope of the logarithms of the eigenvalues of WᵀW in those of PPᵀ, rank by rank"},
	{Name: "share of the gradient in its spike", Claim: "onestep/spike", of: (*chain).spike,
		Meaning: "σ₁²/‖G‖² of the gradient; predicted by the rank-one part of Γ alone, which the spike is made of"},
	{Name: "overlap of the spike", Claim: "onestep/spike", of: (*chain).overlap,
		Meaning: "squared cosine of the first right singular vector of the gradient with Hê, ê the first of Γ; predicted 1 " +
			"for a spike that stands alone"},
	{Name: "effective rank of the tangent kernel", Claim: "tangent/kernel", Log: true, of: (*chain).tangentRank,
		Meaning: "(tr K)²/‖K‖² of the layer's kernel K = HᵀH∘ΓᵀΓ over the samples of the batch"},
	{Name: "alignment of the tangent kernel", Claim: "tangent/kernel", of: (*chain).alignment,
		Meaning: "1ᵀK1/(N‖K‖): how far the descent of all samples lies in the first direction of K, whose entries the " +
			"residuals already weigh"},
	{Name: "share of the gradient in ten directions of curvature", Claim: "latent/hessian", of: (*chain).curved,
		Meaning: "of ‖G‖² in the span of the ten first eigenvectors of HHᵀ and of ΓΓᵀ, the factors of the layer's " +
			"Gauss–Newton matrix; predicted for a gradient without direction: the product of both shares of dimensions"},
	{Name: size, Claim: "width/mup", Log: true, of: (*chain).size, Meaning: "root mean square of WH"},
	{Name: change, Claim: "width/mup", Log: true, of: (*chain).moved,
		Meaning: "root mean square of (W⁺ − W)H; predicted for plain descent: that of γGH"},
	{Name: decrease, Claim: "width/mup", of: (*chain).decrease,
		Meaning: "−⟨ΓHᵀ, W⁺ − W⟩, in first order what the step of this layer takes from the loss; predicted for plain " +
			"descent: γ‖ΓHᵀ‖²"},
}

// Observe computes all quantities on the layers of recordings.
func Observe(ctx context.Context, dirs []string, progress func(done, planned int)) (*Observations, error) {
	out := &Observations{Schema: ObservationSchema, Runs: dirs, Quantities: Quantities, Points: []Point{},
		Coordinates: Coordinates{Widths: []Slope{}, Verdicts: []string{}}, Errors: []string{}}
	var indices []*Index
	planned, done := 0, 0
	for _, dir := range dirs {
		index, err := Read(dir)
		if err != nil {
			return nil, err
		}
		indices = append(indices, index)
		planned += len(index.Records)
	}
	for i, index := range indices {
		for _, r := range index.Records {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if l, err := r.Load(dirs[i]); err != nil {
				out.Errors = append(out.Errors, err.Error())
			} else {
				out.observe(dirs[i], l)
			}
			if done++; progress != nil {
				progress(done, planned)
			}
		}
	}
	out.Coordinates = coordinates(out.Points)
	return out, nil
}

func (o *Observations) observe(run string, l *Layer) {
	c := &chain{Layer: l}
	c.gradient.Dense = algebra.Product(l.Gamma, l.H.T())
	c.inputs.Dense = algebra.Product(l.Gamma.T(), l.W)
	m, n := l.W.Dims()
	_, columns := l.H.Dims()
	slope := mat.Norm(l.Gamma, 2) * math.Sqrt(float64(m*columns))
	for _, q := range o.Quantities {
		measured, predicted := q.of(c)
		o.Points = append(o.Points, Point{Run: run, Layer: l.Layer, Step: l.Step, Width: n, Quantity: q.Name,
			Measured: results.Number(measured), Predicted: results.Number(predicted), outputs: m, rule: rule(l.Record),
			slope: slope})
	}
}

// p are the gradients in the inputs, as the closed form gives them where none were recorded.
func (c *chain) p() *mat.Dense {
	if c.P != nil {
		return c.P
	}
	return mat.DenseCopyOf(c.inputs.T())
}

func (c *chain) residualShare() (measured, predicted float64) {
	d, p := algebra.Difference(c.Next, c.W), c.p()
	gram := algebra.Sum(symmetric(algebra.Product(c.W.T(), d)), algebra.Product(d.T(), d))
	shift := algebra.Sum(algebra.Scaled(-c.Rate, symmetric(algebra.Product(c.H, p.T()))),
		algebra.Scaled(c.Rate*c.Rate, algebra.Product(p, p.T())))
	residual := algebra.Difference(algebra.Product(c.gradient.T(), c.gradient.Dense),
		algebra.Product(c.inputs.T(), c.inputs.Dense))
	size := mat.Norm(shift, 2)
	if predicted = c.Rate * c.Rate * mat.Norm(residual, 2) / size; c.plain() != "" {
		predicted = math.NaN()
	}
	return algebra.Distance(gram, shift) / size, predicted
}

func (c *chain) ansatz() (measured, predicted float64) {
	p := c.p()
	image := mat.Norm(algebra.Product(c.W, p), 2) // whose square is the inner product of WᵀW and PPᵀ
	return image * image / (mat.Norm(gram(c.W), 2) * mat.Norm(gram(p), 2)), math.NaN()
}

func (c *chain) exponent() (measured, predicted float64) {
	w, p := spectrum(c.W), spectrum(c.p())
	var x, y []float64
	for i := range min(len(w), len(p)) {
		if p[i] > 1e-10*p[0] && w[i] > 1e-10*w[0] {
			x, y = append(x, math.Log(p[i])), append(y, math.Log(w[i]))
		}
	}
	if len(x) < 3 {
		return math.NaN(), math.NaN()
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope, math.NaN()
}

func (c *chain) spike() (measured, predicted float64) {
	total := normSquare(c.G.RawMatrix().Data)
	s, _ := topPair(c.G)
	gamma, e := topPair(c.Gamma)
	image := algebra.Image(c.H, e)
	return s * s / total, gamma * gamma * mat.Dot(image, image) / total
}

func (c *chain) overlap() (measured, predicted float64) {
	_, v := topPair(c.G)
	_, e := topPair(c.Gamma)
	image := algebra.Image(c.H, e)
	cosine := mat.Dot(v, image) / (mat.Norm(v, 2) * mat.Norm(image, 2))
	return cosine * cosine, 1
}

// tangent is HᵀH∘ΓᵀΓ, which is kept for the next quantity of it; nil of too many samples.
func (c *chain) tangent() *mat.Dense {
	if _, columns := c.H.Dims(); c.kernel == nil && columns <= 4*largestSide {
		c.kernel = algebra.Product(c.H.T(), c.H)
		c.kernel.MulElem(c.kernel, algebra.Product(c.Gamma.T(), c.Gamma))
	}
	return c.kernel
}

func (c *chain) tangentRank() (measured, predicted float64) {
	k := c.tangent()
	if k == nil {
		return math.NaN(), math.NaN()
	}
	return math.Pow(mat.Trace(k)/mat.Norm(k, 2), 2), math.NaN()
}

func (c *chain) alignment() (measured, predicted float64) {
	k := c.tangent()
	if k == nil {
		return math.NaN(), math.NaN()
	}
	rows, _ := k.Dims()
	return mat.Sum(k) / (float64(rows) * mat.Norm(k, 2)), math.NaN()
}

func (c *chain) curved() (measured, predicted float64) {
	const directions = 10
	m, n := c.W.Dims()
	left, right := principal(c.Gamma, directions), principal(c.H, directions)
	if left == nil || right == nil {
		return math.NaN(), math.NaN()
	}
	inside := algebra.Product(left.T(), c.G, right)
	_, k := left.Dims()
	_, l := right.Dims()
	return math.Pow(mat.Norm(inside, 2)/mat.Norm(c.G, 2), 2), float64(k*l) / float64(m*n)
}

func (c *chain) size() (measured, predicted float64) {
	return rootMeanSquare(algebra.Product(c.W, c.H)), math.NaN()
}

func (c *chain) moved() (measured, predicted float64) {
	predicted = c.Rate * rootMeanSquare(algebra.Product(c.G, c.H))
	if undecayed(c.Record) != "" {
		predicted = math.NaN()
	}
	return rootMeanSquare(algebra.Product(algebra.Difference(c.Next, c.W), c.H)), predicted
}

func (c *chain) decrease() (measured, predicted float64) {
	predicted = c.Rate * normSquare(c.gradient.RawMatrix().Data)
	if undecayed(c.Record) != "" {
		predicted = math.NaN()
	}
	d := algebra.Difference(c.W, c.Next)
	return floats.Dot(c.gradient.RawMatrix().Data, d.RawMatrix().Data), predicted
}

func rootMeanSquare(a *mat.Dense) float64 {
	rows, cols := a.Dims()
	return mat.Norm(a, 2) / math.Sqrt(float64(rows*cols))
}

// gram is the smaller of AAᵀ and AᵀA.
func gram(a *mat.Dense) *mat.SymDense {
	var s mat.SymDense
	if rows, cols := a.Dims(); rows <= cols {
		s.SymOuterK(1, a)
	} else {
		s.SymOuterK(1, a.T())
	}
	return &s
}

// spectrum are the eigenvalues of AᵀA that need not be zero, from the largest down; nil where they are too many.
func spectrum(a *mat.Dense) []float64 {
	if rows, cols := a.Dims(); min(rows, cols) > largestSide {
		return nil
	}
	var e mat.EigenSym
	if !e.Factorize(gram(a), false) {
		return nil
	}
	values := e.Values(nil)
	slices.Reverse(values)
	return values
}

// principal are the first left singular vectors of A as columns; nil where they would take too long.
func principal(a *mat.Dense, k int) *mat.Dense {
	rows, cols := a.Dims()
	if min(rows, cols) > largestSide {
		return nil
	}
	var e mat.EigenSym
	if !e.Factorize(gram(a), true) {
		return nil
	}
	var v mat.Dense
	e.VectorsTo(&v)
	size, _ := v.Dims()
	k = min(k, size)
	last := mat.DenseCopyOf(v.Slice(0, size, size-k, size))
	if rows <= cols {
		return last
	}
	out := algebra.Product(a, last)
	for j, value := range e.Values(nil)[size-k:] {
		for i := range rows {
			if value > 0 {
				out.Set(i, j, out.At(i, j)/math.Sqrt(value))
			}
		}
	}
	return out
}

// topPair is the first singular value of A and its right vector, by the power method.
func topPair(a *mat.Dense) (float64, *mat.VecDense) {
	rows, cols := a.Dims()
	u, v := mat.NewVecDense(rows, nil), mat.NewVecDense(cols, nil)
	for j := range cols { // a start that is not orthogonal to anything by design
		v.SetVec(j, 1+1/float64(j+2))
	}
	for range 60 {
		u.MulVec(a, v)
		v.MulVec(a.T(), u)
		norm := mat.Norm(v, 2)
		if norm == 0 {
			return 0, v
		}
		v.ScaleVec(1/norm, v)
	}
	u.MulVec(a, v)
	return mat.Norm(u, 2), v
}

// CSV is all points as a table.
func (o *Observations) CSV() string {
	var text strings.Builder
	w := csv.NewWriter(&text) // of a Builder, which has no errors
	_ = w.Write([]string{"run", "layer", "step", "width", "quantity", "measured", "predicted"})
	digits := func(x results.Number) string { return fmt.Sprintf("%.10g", float64(x)) }
	for _, p := range o.Points {
		_ = w.Write([]string{p.Run, p.Layer, strconv.Itoa(p.Step), strconv.Itoa(p.Width), p.Quantity, digits(p.Measured),
			digits(p.Predicted)})
	}
	w.Flush()
	return text.String()
}
