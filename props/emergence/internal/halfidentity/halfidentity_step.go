package halfidentity

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// step holds the first gradient of a paired neuron without bias over all inputs, in floating point, computed by this
// package or by a user.
type step struct {
	X        *mat.Dense `npy:"X"`        // N×d
	Y        []float64  `npy:"y"`        // N
	P        []float64  `npy:"prob"`     // N
	M        *mat.Dense `npy:"M"`        // d×D
	Relevant []float64  `npy:"relevant"` // D, 1 on A
	W        []float64  `npy:"w"`        // d
	A        float64    `npy:"a"`
	Gradient []float64  `npy:"gradient"` // d
	Gamma    float64    `npy:"gamma"`
	Sigma    float64    `npy:"sigma"`
}

// Valid names the hypothesis that a user's numbers violate. It tests the symmetry of the law only through three moments
// along w that vanish by symmetry.
func (in step) Valid() error {
	d, dim := in.M.Dims()
	rows, cols := in.X.Dims()
	switch {
	case rows != len(in.P) || rows != len(in.Y) || cols != d || len(in.W) != d || len(in.Gradient) != d ||
		len(in.Relevant) != dim:
		return errors.New("emergence: the shapes of the arrays do not fit together")
	case !(in.Sigma > 0) || in.A == 0:
		return errors.New("emergence: σ̃ must be positive and a not zero")
	case !(math.Abs(floats.Sum(in.P)-1) <= small) || floats.Min(in.P) < 0:
		return errors.New("emergence: the probabilities are not those of a law")
	}
	var label, cube, square, size float64
	for i, p := range in.P {
		z := floats.Dot(in.W, in.X.RawRowView(i))
		label, cube, square, size = label+p*in.Y[i], cube+p*z*z*z, square+p*in.Y[i]*z*z, max(size, math.Abs(z))
	}
	if !(math.Abs(label) <= small && math.Abs(cube) <= small*size*size*size && math.Abs(square) <= small*size*size) {
		return errors.New("emergence: taking the complement of all bits must leave the law as it is and flip the label")
	}
	return nil
}

// small is the rounding allowed in a user's numbers, which may be in single precision.
const small = 1e-4

var stepRegimes = []string{"orthonormal dictionary", "any dictionary", "no background bits", "beyond saturation"}

// stepClaim holds the claimed Tⱼ on A, the bound on the departure from it, and the multiples of that bound that hold on
// A and outside.
type stepClaim struct {
	level       func(theory.Feature) float64
	departure   func(f theory.Feature, outside float64) float64
	on, outside float64
}

// drawStep draws a dictionary with extra more rows than columns, and Gaussian weights. If beyond is set, some
// pre-activations exceed 1, and the dictionary is orthonormal, so that T can be read off; common then makes all bits on
// A equal to the label, so that γ = 1/2.
func drawStep(t *props.T, h data.Hidden, extra int, beyond, common bool) step {
	limit := rapid.Float64Range(0.05, 0.95).Draw(t.T, "largest pre-activation")
	anyDictionary := rapid.Bool().Draw(t.T, "any dictionary") && !beyond
	if beyond {
		limit = gen.LogUniform(t.T, "largest pre-activation beyond 1", 1.05, 30)
		if k := len(h.Support); common {
			h = data.NewHidden(h.Dim, h.Support, data.Parity(k), data.Mixture(k, 0, 1), data.Fair)
		}
	}
	r := t.Stream("network")
	m := gen.Orthonormal(r, h.Dim+extra, h.Dim)
	if anyDictionary {
		m = gen.Gaussian(r, h.Dim+extra, h.Dim, 0.5)
	}
	return firstStep(r, h, m, limit)
}

// attained returns a step that attains the bound on the departure outside A: the label is the first of three fair bits,
// and the neuron saturates if the second bit, outside A, equals the first: then |z| is at least 5/7 of the largest
// pre-activation, otherwise 1/7 of it.
func attained(limit float64) step {
	h := data.NewHidden(3, []int{0}, data.Parity(1), data.Mixture(1, 1, 0), data.Fair)
	return gradientAt(h, dense.Identity(3), mat.NewDense(1, 3, []float64{3, 3, 1}), 1, limit)
}

// firstStep computes the gradient at Gaussian weights.
func firstStep(r *rand.Rand, h data.Hidden, m *mat.Dense, limit float64) step {
	d, _ := m.Dims()
	return gradientAt(h, m, gen.Gaussian(r, 1, d, 1), r.NormFloat64(), limit)
}

// gradientAt scales the weights until the largest pre-activation is the limit, and computes the gradient there.
func gradientAt(h data.Hidden, m, w *mat.Dense, out, limit float64) step {
	s := h.Inputs(m)
	net := truncated.Paired(w, []float64{0}, []float64{out})
	largest := 0.0
	for i := range s.P {
		largest = max(largest, math.Abs(net.PreActivations(nil, s.X.RawRowView(i))[0]))
	}
	net.W.Scale(limit/largest, net.W)
	gamma := theory.Counts{Probability: h.CountLaw(), Accept: h.Accept}.Covariance()
	return step{X: s.X, Y: s.Y, P: s.P, M: m, Relevant: rational.Indicator(h.Dim, h.Support),
		W: net.W.RawRowView(0), A: net.A[0],
		Gradient: net.HingeGradient(s).RawRowView(0), Gamma: rational.Float(gamma),
		Sigma: math.Sqrt(rational.Float(h.Variance()))}
}

// rounding bounds the error of Σ TⱼMⱼ = −(∂L/∂w)/a by the formula of the statement, with ‖x‖₊ = Σⱼ‖Mⱼ‖|φⱼ| and |φⱼ| =
// 1/(2σ̃), or at most 1/σ̃ if bits are not fair; outside is Pr[z = 0 or |z| ≥ 1].
func (in step) rounding(unit float64) (rounding, outside float64) {
	d, dim := in.M.Dims()
	size := 0.0
	for j := range dim {
		size += mat.Norm(in.M.ColView(j), 2) / (2 * in.Sigma)
	}
	unsure := float64(d+2*dim+10) * unit * floats.Norm(in.W, 2) * size
	rounding = float64(len(in.P)+2*dim+20) * unit * size
	for i, p := range in.P {
		z := math.Abs(floats.Dot(in.W, in.X.RawRowView(i)))
		if z <= unsure || math.Abs(z-1) <= unsure {
			rounding += p * size
		}
		if z == 0 || z >= 1 {
			outside += p
		}
	}
	return rounding, min(1, outside) // the sum of probabilities may round above 1
}

// judgeStep compares the gradient in the input's own space with −a·γ/(2σ̃)·Σ_{j∈A} Mⱼ. Beyond saturation it compares
// each Tⱼ = ⟨Mⱼ, −(∂L/∂w)/a⟩ with its level, for orthonormal columns of M.
func judgeStep(r *props.Record, in step, claim stepClaim) {
	d, dim := in.M.Dims()
	rounding, outside := in.rounding(r.Unit())
	feature := theory.Feature{Covariance: in.Gamma, Deviation: in.Sigma}
	level := claim.level(feature)
	direction := make([]float64, d)
	floats.ScaleTo(direction, -1/in.A, in.Gradient)
	gram := algebra.Product(in.M.T(), in.M)
	gram.Sub(gram, dense.Identity(dim))
	orthonormal := mat.Norm(gram, 2) <= float64(10*(d+dim)*dim)*r.Unit()
	r.RegimeOf(!orthonormal, floats.Sum(in.Relevant) == float64(len(in.Relevant)), outside != 0)
	if outside == 0 {
		want := algebra.Image(in.M, mat.NewVecDense(dim, in.Relevant))
		size := mat.Norm(want, 2) / (2 * in.Sigma)
		want.ScaleVec(level, want)
		r.WithinMatrix("gradient", mat.NewVecDense(d, direction), want, rounding)
		r.Largest("‖ΣTⱼMⱼ‖ less its closed form, relative to ‖Σ_A Mⱼ‖/(2σ̃)",
			norm(direction, want.RawVector().Data)/size)
		return
	}
	if !orthonormal {
		panic("emergence: beyond saturation T can be read off for an orthonormal dictionary only")
	}
	t := algebra.Image(in.M.T(), mat.NewVecDense(d, direction))
	departure := claim.departure(feature, outside)
	for j, relevant := range in.Relevant {
		gap, allowed := math.Abs(t.AtVec(j)-relevant*level), claim.outside
		if relevant == 1 {
			allowed = claim.on
		}
		r.AtMost("departure by saturation", gap, allowed*departure, 2*rounding)
		if relevant == 1 && in.Gamma == 0.5 {
			r.Within("departure when γ = 1/2", gap, departure, 2*rounding)
		}
	}
}

func norm(x, y []float64) float64 { return floats.Distance(x, y, 2) }
