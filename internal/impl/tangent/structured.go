package tangent

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Structured is the adaptive linear model with a map on each side of every layer: x ↦ Σₗ ⟨Fₗ(x), AₗΘₗCₗ⟩ with features
// Fₗ (m×k). Its training minimises Σₗ ‖Θₗ‖² + Σ left(σ(Aₗ)−1) + Σ right(σ(Cₗ)−1) such that the labels are met.
type Structured struct {
	Layers []StructuredLayer
	Labels []float64
}

// StructuredLayer is one layer of it.
type StructuredLayer struct {
	Rows, Cols  int
	Features    *mat.Dense // n×(m·k): the features of a sample, row by row
	Left, Right *Penalty   // on the singular values of A and of C, less 1; nil where the factor is the identity
}

// Sided is a layer's factors.
type Sided struct{ A, Theta, C *mat.Dense }

// Product returns AΘC.
func (s Sided) Product() *mat.Dense { return dense.Mul(dense.Mul(s.A, s.Theta), s.C) }

// Cost returns the training objective. It does not ask whether the labels are met. +Inf where a factor is not the
// identity that has to be, NaN when singular values cannot be computed.
func (s Structured) Cost(factors []Sided) float64 {
	sum := 0.0
	for l, layer := range s.Layers {
		f := factors[l]
		sum += math.Pow(mat.Norm(f.Theta, 2), 2) + charge(layer.Left, f.A) + charge(layer.Right, f.C)
	}
	return sum
}

func charge(p *Penalty, m *mat.Dense) float64 {
	if p == nil {
		n, _ := m.Dims()
		if !mat.Equal(m, Identity(n)) {
			return math.Inf(1)
		}
		return 0
	}
	return Model{Penalty: *p}.penalty(nil, m)
}

// Residual returns by how much parameters B miss the labels, in the Euclidean norm.
func (s Structured) Residual(bs []*mat.Dense) float64 {
	miss := append([]float64{}, s.Labels...)
	for l, layer := range s.Layers {
		for i := range miss {
			miss[i] -= floats.Dot(layer.Features.RawRowView(i), flatten(bs[l]))
		}
	}
	return floats.Norm(miss, 2)
}

func flatten(m *mat.Dense) []float64 {
	if raw := m.RawMatrix(); raw.Stride == raw.Cols {
		return raw.Data
	}
	return mat.DenseCopyOf(m).RawMatrix().Data
}

// MinFrobenius returns the parameters of least Σ‖B‖² that meet the labels: those of fixed features.
func (s Structured) MinFrobenius() ([]*mat.Dense, error) {
	eyes := make([]Sided, len(s.Layers))
	for l, layer := range s.Layers {
		eyes[l] = Sided{A: Identity(layer.Rows), C: Identity(layer.Cols)}
	}
	found, err := s.parameters(eyes)
	if err != nil {
		return nil, err
	}
	out := make([]*mat.Dense, len(found))
	for l := range found {
		out[l] = found[l].Theta
	}
	return out, nil
}

// parameters fills in the shortest Θ that meet the labels with given A and C: Θ = Aᵀ(Σ aᵢFᵢ)Cᵀ with Ka = y.
func (s Structured) parameters(factors []Sided) ([]Sided, error) {
	weights, err := s.weights(factors)
	if err != nil {
		return nil, err
	}
	out := make([]Sided, len(s.Layers))
	for l, layer := range s.Layers {
		f := factors[l]
		out[l] = Sided{f.A, layer.pulled(layer.combined(weights), f), f.C}
	}
	return out, nil
}

// weights returns a = K⁻¹y (n×1) for the kernel of the factors.
func (s Structured) weights(factors []Sided) (*mat.Dense, error) {
	n := len(s.Labels)
	factor, err := linalg.Cholesky(mat.NewSymDense(n, s.Kernel(factors).RawMatrix().Data))
	if err != nil {
		return nil, fmt.Errorf("tangent: kernel matrix of the layers: %w", err)
	}
	weights := mat.NewDense(n, 1, append([]float64{}, s.Labels...))
	linalg.CholeskySolve(factor, weights)
	return weights, nil
}

// combined returns Σ wᵢFᵢ for weights of the samples (n×1).
func (l StructuredLayer) combined(weights *mat.Dense) *mat.Dense {
	sum := mat.NewDense(1, l.Rows*l.Cols, nil)
	dense.Gemm(sum, 1, weights.T(), l.Features, 0)
	return mat.NewDense(l.Rows, l.Cols, sum.RawMatrix().Data)
}

// pulled returns AᵀGCᵀ (m×k), without products with identities.
func (l StructuredLayer) pulled(g *mat.Dense, f Sided) *mat.Dense {
	if l.Left != nil {
		g = dense.Mul(f.A.T(), g)
	}
	if l.Right != nil {
		g = dense.Mul(g, f.C.T())
	}
	return g
}

// Kernel returns the adapted kernel on the training samples (n×n).
func (s Structured) Kernel(factors []Sided) *mat.Dense {
	n := len(s.Labels)
	kernel := mat.NewDense(n, n, nil)
	for l, layer := range s.Layers {
		layer.addKernel(kernel, factors[l])
	}
	return kernel
}

// share returns the cheapest excesses of both sides for a singular value, and the cost p(z) + q(w) + σ²/(zw)².
func (l StructuredLayer) share(sigma float64) (left, right, cost float64) {
	switch {
	case l.Left == nil && l.Right == nil:
	case l.Right == nil:
		left = l.Left.Stationary(sigma)
	case l.Left == nil:
		right = l.Right.Stationary(sigma)
	default:
		c := convolution{*l.Left, *l.Right}
		left, right, _ = c.split(Convolved(*l.Left, *l.Right).Stationary(sigma))
	}
	if l.Left != nil {
		cost += l.Left.Value(left)
	}
	if l.Right != nil {
		cost += l.Right.Value(right)
	}
	return left, right, cost + math.Pow(sigma/((1+left)*(1+right)), 2)
}

// adapted returns the cheapest factors with the product B, what they cost, and the gradient of that cost in B,
// 2U·diag(σⱼ/(zⱼwⱼ)²)·Vᵀ.
func (l StructuredLayer) adapted(b *mat.Dense) (f Sided, cost float64, grad *mat.Dense, err error) {
	u, values, v, err := linalg.SVD(b, mat.SVDThin)
	if err != nil {
		return Sided{}, math.NaN(), nil, fmt.Errorf("tangent: parameters of a layer: %w", err)
	}
	n := len(values)
	lefts, rights, middle, slopes := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for j, sigma := range values {
		left, right, c := l.share(sigma)
		z := (1 + left) * (1 + right)
		lefts[j], rights[j], middle[j], slopes[j] = left, right, sigma/z, 2*sigma/(z*z)
		cost += c
	}
	f = Sided{stretched(u, lefts), spectral(u, middle, v), stretched(v, rights)}
	return f, cost, spectral(u, slopes, v), nil
}

// spectral returns U·diag(d)·Vᵀ.
func spectral(u *mat.Dense, d []float64, v *mat.Dense) *mat.Dense {
	scaled := mat.DenseCopyOf(u)
	scaled.Apply(func(_, j int, x float64) float64 { return x * d[j] }, scaled)
	return dense.Mul(scaled, v.T())
}

// stretched returns I + U·diag(d)·Uᵀ.
func stretched(u *mat.Dense, d []float64) *mat.Dense {
	out := spectral(u, d, u)
	n, _ := out.Dims()
	for i := range n {
		out.Set(i, i, 1+out.At(i, i))
	}
	return out
}

// Solution is where a solver of [Structured] arrived.
type Solution struct {
	Factors []Sided
	Cost    float64
	Trace   []float64 // cost after each step
	// Multipliers and Stationarity: the gradient of the cost in B is Σ λᵢFᵢ up to this, relative to itself. It vanishes
	// at a stationary point, which is a minimum where the effective penalty is convex.
	Multipliers  []float64
	Stationarity float64
}

// Products returns B of every layer.
func (s Solution) Products() []*mat.Dense {
	out := make([]*mat.Dense, len(s.Factors))
	for l, f := range s.Factors {
		out[l] = f.Product()
	}
	return out
}

// errLabels says that there are not as many labels as samples.
var errLabels = errors.New("tangent: every layer needs one row of features per label, and labels that are not all zero")

func (s Structured) valid() error {
	for _, layer := range s.Layers {
		n, p := layer.Features.Dims()
		if n != len(s.Labels) || p != layer.Rows*layer.Cols {
			return errLabels
		}
	}
	if len(s.Layers) == 0 || floats.Norm(s.Labels, 2) == 0 {
		return errLabels
	}
	return nil
}

// Alternate solves by turns: the cheapest A and C for the present B, then the shortest Θ for these. The cost does not
// rise. It ends after so many steps, or when a step lowers the cost by less than tiny times itself.
func (s Structured) Alternate(steps int, tiny float64) (Solution, error) {
	if err := s.valid(); err != nil {
		return Solution{}, err
	}
	bs, err := s.MinFrobenius()
	if err != nil {
		return Solution{}, err
	}
	return s.AlternateFrom(bs, steps, tiny)
}

// AlternateFrom is [Structured.Alternate] from parameters of the caller's.
func (s Structured) AlternateFrom(bs []*mat.Dense, steps int, tiny float64) (out Solution, err error) {
	for range steps {
		factors, err := s.Turn(bs)
		if err != nil {
			return out, err
		}
		for l := range bs {
			bs[l] = factors[l].Product()
		}
		cost := s.Cost(factors)
		out.Trace = append(out.Trace, cost)
		if n := len(out.Trace); n > 1 && !(out.Trace[n-2]-cost > tiny*cost) {
			break
		}
	}
	return s.certified(bs, out.Trace)
}

// Turn is one turn of alternation: the cheapest A and C for parameters B, then the shortest Θ for these.
func (s Structured) Turn(bs []*mat.Dense) ([]Sided, error) {
	factors := make([]Sided, len(s.Layers))
	for l, layer := range s.Layers {
		var err error
		if factors[l], _, _, err = layer.adapted(bs[l]); err != nil {
			return nil, err
		}
	}
	return s.parameters(factors)
}

// certified returns the cheapest factors of parameters, with what can be said of their optimality.
func (s Structured) certified(bs []*mat.Dense, trace []float64) (out Solution, err error) {
	out.Trace = trace
	n := len(s.Labels)
	gram, right := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil)
	grads := make([]*mat.Dense, len(bs))
	for l, layer := range s.Layers {
		f, cost, grad, err := layer.adapted(bs[l])
		if err != nil {
			return out, err
		}
		out.Factors, out.Cost, grads[l] = append(out.Factors, f), out.Cost+cost, grad
		gram.Add(gram, dense.Gram(layer.Features))
		dense.Gemm(right, 1, layer.Features, mat.NewDense(layer.Rows*layer.Cols, 1, flatten(grad)), 1)
	}
	factor, err := linalg.Cholesky(mat.NewSymDense(n, gram.RawMatrix().Data))
	if err != nil {
		return out, fmt.Errorf("tangent: features of the layers: %w", err)
	}
	linalg.CholeskySolve(factor, right)
	out.Multipliers = mat.Col(nil, 0, right)
	off, size := 0.0, 0.0
	for l, grad := range grads {
		size = math.Hypot(size, mat.Norm(grad, 2))
		rest := mat.NewDense(1, s.Layers[l].Rows*s.Layers[l].Cols, append([]float64{}, flatten(grad)...))
		dense.Gemm(rest, -1, right.T(), s.Layers[l].Features, 1)
		off = math.Hypot(off, mat.Norm(rest, 2))
	}
	out.Stationarity = off / size
	return out, nil
}
