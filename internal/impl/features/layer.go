package features

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// GaussianRows returns a rows×cols matrix with independent N(0, 1/cols) entries.
func GaussianRows(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	data, scale := m.RawMatrix().Data, 1/math.Sqrt(float64(cols))
	for i := range data {
		data[i] = scale * r.NormFloat64()
	}
	return m
}

// UnitRows returns a rows×cols matrix whose rows are independent and uniform on the unit sphere.
func UnitRows(r *rand.Rand, rows, cols int) *mat.Dense {
	m := GaussianRows(r, rows, cols)
	for i := range rows {
		row := m.RawRowView(i)
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	return m
}

// PreActivations returns X Wᵀ, n×N, for samples X (n×d) and weights W (N×d). It costs 2nNd flops.
func PreActivations(x, w *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Mul(x, w.T())
	return &z
}

// Apply returns σ(Z), entry by entry.
func Apply(act nn.Activation, z *mat.Dense) *mat.Dense {
	rows, cols := z.Dims()
	out := mat.NewDense(rows, cols, nil)
	for i := range rows {
		act.Apply(out.RawRowView(i), nil, z.RawRowView(i))
	}
	return out
}

// Overwrite replaces Z by σ(Z), and returns it.
func Overwrite(act nn.Activation, z *mat.Dense) *mat.Dense {
	rows, _ := z.Dims()
	for i := range rows {
		act.Apply(z.RawRowView(i), nil, z.RawRowView(i))
	}
	return z
}

// Layer is a first layer with an output layer a on a fixed batch: f(x) = scale·aᵀσ(Wx).
type Layer struct {
	x, features, slopes *mat.Dense // n×d, σ(XWᵀ) n×N, σ′(XWᵀ) n×N
	a                   []float64  // N
}

// NewLayer runs the first layer forward. x is n×d, w is N×d, len(a) = N; x and a are not copied.
func NewLayer(x, w *mat.Dense, a []float64, act nn.Activation) *Layer {
	width, _ := w.Dims()
	if len(a) != width {
		panic("features: the output layer does not fit the width")
	}
	values := PreActivations(x, w)
	n, _ := x.Dims()
	slopes := mat.NewDense(n, width, nil)
	for i := range n {
		act.Apply(values.RawRowView(i), slopes.RawRowView(i), values.RawRowView(i))
	}
	return &Layer{x: x, features: values, slopes: slopes, a: a}
}

// Output returns σ(XWᵀ)a, n long.
func (l *Layer) Output() []float64 {
	n, _ := l.x.Dims()
	out := make([]float64, n)
	mat.NewVecDense(n, out).MulVec(l.features, mat.NewVecDense(len(l.a), l.a))
	return out
}

// Pull returns (1/n)[(a residualᵀ) ∘ σ′(WXᵀ)]X, N×d: what a residual pulls the first layer towards. It is linear in
// the residual and costs 2nNd flops. len(residual) = n.
func (l *Layer) Pull(residual []float64) *mat.Dense {
	n, _ := l.x.Dims()
	if len(residual) != n {
		panic("features: the residual does not fit the batch")
	}
	weighted := mat.NewDense(n, len(l.a), nil)
	for i := range n {
		from, to := l.slopes.RawRowView(i), weighted.RawRowView(i)
		for j, a := range l.a {
			to[j] = residual[i] * a * from[j] / float64(n)
		}
	}
	var pull mat.Dense
	pull.Mul(weighted.T(), l.x)
	return &pull
}

// Direction returns −(1/scale)·∂/∂W (1/2n)‖y − scale·σ(XWᵀ)a‖², N×d: the direction of descent of the first layer,
// with the output scale divided out of it once. Scale 1 is the literal network, N^(−1/2) the mean-field one.
func (l *Layer) Direction(y []float64, scale float64) *mat.Dense {
	residual := l.Output()
	floats.Scale(-scale, residual)
	floats.Add(residual, y)
	return l.Pull(residual)
}
