package ansatz

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// network is a linear network of square layers, one below another from the first.
type network struct {
	Layers *mat.Dense `npy:"layers"` // Ln×n
	Depth  int        `npy:"depth"`  // L
}

// Valid names the violated hypothesis.
func (net network) Valid() error {
	if rows, n := net.Layers.Dims(); net.Depth < 1 || rows != net.Depth*n {
		return errors.New("square layers have as many rows together as their depth times their columns")
	}
	return nil
}

// balancedLayers is AGOP = (W₁ᵀW₁)^L.
var balancedLayers = props.Drawn[network, lawOf]{
	Name:    "power law of balanced layers",
	Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
	Regimes: []string{"one layer", "two layers", "three or more", singularLayers},
	Draw:    drawNetwork,
	Claim:   func(depth int) int { return depth },
	Judge:   judgeNetwork,
	Controls: []props.Wrong[network, lawOf]{
		{Name: "first layer 1.5 times as large", Assumption: "balanced", Criterion: "balance", Alter: enlargeFirst},
		{Name: "power L + 1", Criterion: "AGOP", Instead: func(depth int) int { return depth + 1 }},
	},
}

// lawOf is the power of W₁ᵀW₁ that AGOP is.
type lawOf func(depth int) int

// enlargeFirst makes the first layer 1.5 times as large.
func enlargeFirst(net *network) {
	_, n := net.Layers.Dims()
	net.Layers = mat.DenseCopyOf(net.Layers)
	first := net.Layers.Slice(0, n, 0, n).(*mat.Dense)
	first.Scale(1.5, first)
}

// singularLayers is the regime of layers that have lost a direction.
const singularLayers = "singular layers"

// drawNetwork draws W_l = U_{l+1} S Uₗᵀ with orthogonal U, and S of any conditioning or deficient.
func drawNetwork(t *props.T) network {
	n, depth, r := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "L", 5), t.Stream("bases")
	gains := list.Fill(n, func(int) float64 { return gen.LogUniform(t.T, "gain", 0.03, 30) })
	if rapid.IntRange(0, 3).Draw(t.T, "deficient") == 3 && n > 1 {
		gains[0] = 0
	}
	layers, from := mat.NewDense(n*depth, n, nil), gen.Orthonormal(r, n, n)
	for l := range depth {
		to := gen.Orthonormal(r, n, n)
		w := layers.Slice(l*n, (l+1)*n, 0, n).(*mat.Dense)
		w.Mul(to, mat.NewDiagDense(n, gains))
		w.Mul(mat.DenseCopyOf(w), from.T())
		from = to
	}
	return network{layers, depth}
}

// judgeNetwork allows what the imbalance does to the law, and 2nL·u·Π‖W‖² and a few for products.
func judgeNetwork(r *props.Record, net network, power lawOf) {
	_, n := net.Layers.Dims()
	layers, largest, size := make([]*mat.Dense, net.Depth), 0.0, 1.0
	for l := range layers {
		layers[l] = net.Layers.Slice(l*n, (l+1)*n, 0, n).(*mat.Dense)
		square := math.Pow(mat.Norm(layers[l], 2), 2)
		largest, size = max(largest, square), size*square
	}
	r.Regime([]string{"one layer", "two layers", "three or more"}[min(net.Depth, 3)-1])
	if values, err := linalg.SingularValues(layers[0]); err == nil && values[n-1] <= 1e-9*values[0] {
		r.Regime(singularLayers)
	}
	product := mat.DenseCopyOf(layers[0])
	for _, w := range layers[1:] {
		product.Mul(w, mat.DenseCopyOf(product))
	}
	var want mat.Dense
	agop := algebra.Product(product.T(), product)
	gram := algebra.Product(layers[0].T(), layers[0])
	want.Pow(gram, power(net.Depth))
	delta := imbalance(layers)
	r.AtMost("balance", delta, 1e-3*largest, float64(8*n)*r.Unit()*largest+0x1p-900)
	rounding := float64(2*n*net.Depth+8) * r.Unit() * math.Pow(largest, float64(net.Depth))
	r.WithinMatrix("AGOP", agop, &want, math.Sqrt(float64(n))*theory.ImbalanceError(net.Depth, delta,
		largest)+rounding+0x1p-900)
}

// flow is a linear network on its way to a teacher.
type flow struct{ Depth, Network int }

// spectra are the eigenvalues of W₁ᵀW₁ and of AGOP after training, in descending order.
type spectra struct {
	Gram, AGOP []float64
	Beyond     []float64 // how far rounding and the method of integration may have moved AGOP
	Imbalance  float64   // ‖W_{l+1}ᵀW_{l+1} − W_lW_lᵀ‖, the largest
	Allowed    float64   // what the method of integration may leave of it
}

var depths = map[int]string{2: "two layers", 3: "three layers", 4: "four layers"}

// balancedFlow is the exponent after training.
var balancedFlow = props.Grid[flow, spectra, exponentOf]{
	Name:       "exponent of balanced linear networks",
	Replicates: 1,
	Cells: func(e props.Effort) []flow {
		return list.Cross([]int{2, 3, 4}, props.Scale{Quick: 3, Standard: 10, Deep: 200}.Indices(e),
			func(depth, k int) flow { return flow{depth, k} })
	},
	Regimes:  []string{depths[2], depths[3], depths[4]},
	Measure:  func(t *props.Trial, c flow) spectra { return train(t.Rand, c.Depth, 1, theFlow) },
	Claim:    func(depth int) float64 { return theory.Balanced{Depth: depth, Gain: 1}.Exponent() },
	Judge:    judgeSpectra,
	Conclude: concludeSpectra,
	Controls: []props.WrongCell[flow, spectra, exponentOf]{
		{Name: "unbalanced start", Assumption: "balanced", Criterion: "exponent",
			Measure: func(t *props.Trial, c flow) spectra { return train(t.Rand, c.Depth, 1.5, theFlow) }},
		{Name: "gradient steps of 0.05 in place of the flow", Assumption: "flow", Criterion: "balance kept",
			Measure: func(t *props.Trial, c flow) spectra { return train(t.Rand, c.Depth, 1, largeSteps) }},
		{Name: "exponent 1/(L+1)", Criterion: "exponent",
			Instead: func(depth int) float64 { return theory.Balanced{Depth: depth + 1, Gain: 1}.Exponent() }},
		{Reading: "exponent-one", Criterion: "exponent", Instead: func(int) float64 { return 1 }},
	},
}

// exponentOf gives the exponent of W₁ᵀW₁ as a power of AGOP.
type exponentOf func(depth int) float64

// theFlow returns the end point of gradient flow.
func theFlow(flown, _ []*mat.Dense, _ *mat.Dense) []*mat.Dense { return flown }

// largeSteps takes gradient steps of 0.05 in its place.
func largeSteps(_, start []*mat.Dense, teacher *mat.Dense) []*mat.Dense {
	for range 40 {
		start = moved(start, -0.05, gradient(start, teacher))
	}
	return start
}

// train takes a network of 5×5 layers, the first multiplied by the factor first, towards a teacher with singular values
// 3 … 0.5, by gradient flow to time 2, and picks where that leads.
func train(r *rand.Rand, depth int, first float64,
	endOf func(flown, start []*mat.Dense, teacher *mat.Dense) []*mat.Dense) spectra {
	const n = 5
	start, teacher := balancedStart(r, n, depth, 3, 0.5)
	start[0].Scale(first, start[0])
	fine, coarse := integrate(start, teacher, 2, 192), integrate(start, teacher, 2, 96)
	// By the method's fourth order the fine imbalance is a sixteenth of the coarse one; the rounding of 192 steps of a
	// few products of layers of size one is added.
	allowed := math.Abs(imbalance(coarse)-imbalance(fine)) + 192*8*n*roundoff.Unit
	return spectraOf(endOf(fine, start, teacher), allowed)
}

// balancedStart draws a teacher and layers that are multiples of orthogonal matrices, whose product is a scaled
// rotation not far from the teacher's orthogonal factor: a determinant of the wrong sign would lead the flow into a
// saddle.
func balancedStart(r *rand.Rand, n, depth int, largest, smallest float64) (layers []*mat.Dense, teacher *mat.Dense) {
	u, w := gen.Orthonormal(r, n, n), gen.Orthonormal(r, n, n)
	gains := list.Fill(n, func(j int) float64 { return largest * math.Pow(smallest/largest, float64(j)/float64(n-1)) })
	teacher = new(mat.Dense)
	teacher.Mul(u, mat.NewDiagDense(n, gains))
	teacher.Mul(mat.DenseCopyOf(teacher), w.T())
	rest := algebra.Product(u, w.T())
	rest.Mul(mat.DenseCopyOf(rest), smallRotation(r, n))
	for range depth - 1 {
		q := gen.Orthonormal(r, n, n)
		layers = append(layers, q)
		rest.Mul(mat.DenseCopyOf(rest), q.T())
	}
	layers = append(layers, rest)
	for _, l := range layers {
		l.Scale(math.Pow(smallest, 1/float64(depth)), l)
	}
	return layers, teacher
}

// smallRotation is the orthogonal factor of I + G/5 for a Gaussian G, with the signs that bring it close to I.
func smallRotation(r *rand.Rand, n int) *mat.Dense {
	near := gen.Gaussian(r, n, n, 0.2)
	for i := range n {
		near.Set(i, i, near.At(i, i)+1)
	}
	var qr mat.QR
	var q, upper mat.Dense
	qr.Factorize(near)
	qr.QTo(&q)
	qr.RTo(&upper)
	for j := range n {
		for i := range n {
			q.Set(i, j, math.Copysign(1, upper.At(j, j))*q.At(i, j))
		}
	}
	return &q
}

// integrate follows the gradient flow of ½‖W_L⋯W₁ − T‖² by the classical Runge–Kutta method.
func integrate(start []*mat.Dense, teacher *mat.Dense, time float64, count int) []*mat.Dense {
	w, step := start, time/float64(count)
	for range count {
		next, at := w, w
		for stage, weight := range []float64{1. / 6, 1. / 3, 1. / 3, 1. / 6} {
			grad := gradient(at, teacher)
			next = moved(next, -step*weight, grad)
			at = moved(w, -step*[]float64{0.5, 0.5, 1, 0}[stage], grad)
		}
		w = next
	}
	return w
}

// moved returns w + step·by.
func moved(w []*mat.Dense, step float64, by []*mat.Dense) []*mat.Dense {
	out := make([]*mat.Dense, len(w))
	for l := range w {
		out[l] = new(mat.Dense)
		out[l].Scale(step, by[l])
		out[l].Add(out[l], w[l])
	}
	return out
}

// gradient returns the gradient of ½‖W_L⋯W₁ − T‖², the loss of a linear network on the columns of the identity.
func gradient(w []*mat.Dense, teacher *mat.Dense) []*mat.Dense {
	n, _ := teacher.Dims()
	samples, net := mat.NewDense(n, n, nil), make(nn.Net, len(w))
	for i := range n {
		samples.Set(i, i, 1)
	}
	for l := range w {
		net[l] = nn.Layer{W: w[l], Act: nn.Identity}
	}
	grads := make([]*mat.Dense, len(w))
	for l, b := range net.Batches(samples, teacher) {
		grads[l] = b.WeightGrad()
	}
	return grads
}

// imbalance is the largest ‖W_{l+1}ᵀW_{l+1} − W_lW_lᵀ‖_F.
func imbalance(w []*mat.Dense) float64 {
	largest := 0.0
	for l := range len(w) - 1 {
		above := algebra.Product(w[l+1].T(), w[l+1])
		below := algebra.Product(w[l], w[l].T())
		above.Sub(above, below)
		largest = max(largest, mat.Norm(above, 2))
	}
	return largest
}

// spectraOf measures a network that is balanced up to allowed.
func spectraOf(w []*mat.Dense, allowed float64) spectra {
	out := spectra{Imbalance: imbalance(w), Allowed: allowed}
	smallest, largest := math.Inf(1), 0.0
	product := mat.DenseCopyOf(w[0])
	for l, layer := range w {
		values := must.Get(linalg.SingularValues(layer))
		smallest, largest = min(smallest, values[len(values)-1]), max(largest, values[0])
		if l == 0 {
			out.Gram = squares(values)
		} else {
			product.Mul(layer, mat.DenseCopyOf(product))
		}
	}
	out.AGOP = squares(must.Get(linalg.SingularValues(product)))
	effect := theory.ImbalanceEffect(len(w), allowed, smallest*smallest, largest*largest)
	for _, x := range out.AGOP {
		out.Beyond = append(out.Beyond, x*effect)
	}
	return out
}

func squares(x []float64) []float64 {
	return list.Fill(len(x), func(i int) float64 { return x[i] * x[i] })
}

// judgeSpectra fits the slope of log AGOP against log Gram, whose reciprocal is the exponent.
func judgeSpectra(r *props.Record, c flow, s spectra, exponent exponentOf) {
	r.Regime(depths[c.Depth])
	slope, allowed := order.Slope(s.Gram, s.AGOP, s.Beyond)
	r.WithinScale("balance kept", s.Imbalance, 0, s.Gram[0], s.Allowed)
	r.WithinExponent("exponent", 1/slope, exponent(c.Depth), allowed/(slope*slope)*2)
}

func concludeSpectra(r *props.Record, cells []flow, all []spectra, _ exponentOf) {
	figure := props.Figure{
		ID:    "exponent",
		Title: "Eigenvalues of W₁ᵀW₁ against those of AGOP",
		Caption: "One balanced linear network each with 2, 3 and 4 layers after gradient flow to time 2, on " +
			"logarithmic axes: the points lie on lines of slope 1/2, 1/3 and 1/4.",
		X: props.Axis{Label: "eigenvalue of AGOP", Log: true}, Y: props.Axis{Label: "eigenvalue of W₁ᵀW₁", Log: true},
	}
	for i, c := range cells {
		if c.Network > 0 {
			continue
		}
		slope, _ := order.Slope(all[i].Gram, all[i].AGOP, all[i].Beyond)
		r.MeasuredValue(fmt.Sprintf("exponent of a network with %d layers", c.Depth), 1/slope, 1/float64(c.Depth))
		line := props.Curve{Name: fmt.Sprintf("slope 1/%d", c.Depth), Style: props.Dashed, X: all[i].AGOP}
		for _, x := range line.X {
			line.Y = append(line.Y, math.Pow(x, 1/float64(c.Depth)))
		}
		points := props.Curve{Name: fmt.Sprintf("%d layers", c.Depth), Style: props.Points, X: all[i].AGOP,
			Y: all[i].Gram}
		figure.Curves = append(figure.Curves, points, line)
	}
	r.Figure(figure)
}

// simulateFlow trains a network to a teacher with singular values σ … σ/4, until its slowest direction, of rate
// L(σ/4)^(2−2/L), has converged to e⁻²⁵.
func simulateFlow(t *props.Trial, v statement.Values) (map[string]float64, error) {
	depth, gain := v.Int("depth"), v.Float("gain")
	t.Need(depth <= 8 && gain <= 1e6 && gain >= 1e-6, "a simulation needs depth ≤ 8 and a gain between 1e-6 and 1e6")
	power := 2 - 2/float64(depth)
	rate := float64(depth) * math.Pow(gain/4, power)
	start, teacher := balancedStart(t.Rand, 5, depth, gain, gain/4)
	s := spectraOf(integrate(start, teacher, 25/rate, int(100*math.Pow(5, power))), 0)
	slope, _ := order.Slope(s.Gram, s.AGOP, s.Beyond)
	return map[string]float64{"exponent": 1 / slope, "agop": s.AGOP[0], "gram": s.Gram[0]}, nil
}
