package emergence

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/number"
)

// linear is a network to first order in its parameters around a start whose output is zero: f(x) = Σᵢ δaᵢσ(zᵢ) +
// aᵢσ′(zᵢ)(⟨δwᵢ, x⟩ + δbᵢ), zᵢ = ⟨wᵢ, x⟩ + bᵢ. Its kernel is the tangent kernel of the network.
type linear struct {
	start  truncated.Net
	w      *mat.Dense // δw, n×d
	b, a   []float64  // δb, δa, n
	gw     *mat.Dense // gradients
	gb, ga []float64
}

func newLinear(start truncated.Net) *linear {
	n, d := start.W.Dims()
	return &linear{start, mat.NewDense(n, d, nil), make([]float64, n), make([]float64, n), mat.NewDense(n, d, nil),
		make([]float64, n), make([]float64, n)}
}

// outputs returns f at every input and, weighted with aᵢ, the slopes σ′(zᵢ) and values σ(zᵢ), N×n.
func (l *linear) outputs(s data.Sample) (f []float64, slope, value *mat.Dense) {
	n, _ := l.start.W.Dims()
	rows, _ := s.X.Dims()
	slope, value = mat.NewDense(rows, n, nil), mat.NewDense(rows, n, nil)
	var along mat.Dense
	along.Mul(s.X, l.w.T())
	value.Mul(s.X, l.start.W.T())
	f = make([]float64, rows)
	for i := range rows {
		v, m, u := value.RawRowView(i), slope.RawRowView(i), along.RawRowView(i)
		for j, z := range v {
			z += l.start.B[j]
			v[j] = min(1, max(z, 0))
			if z > 0 && z < 1 {
				m[j] = l.start.A[j]
			}
			f[i] += l.a[j]*v[j] + m[j]*(u[j]+l.b[j])
		}
	}
	return f, slope, value
}

// gradient fills the gradients of the mean hinge loss, and returns that.
func (l *linear) gradient(s data.Sample) (loss float64) {
	f, slope, value := l.outputs(s)
	clear(l.ga)
	clear(l.gb)
	for i, p := range s.P {
		m := slope.RawRowView(i)
		loss += p * max(0, 1-s.Y[i]*f[i])
		if !(s.Y[i]*f[i] < 1) {
			clear(m)
			continue
		}
		floats.AddScaled(l.ga, -p*s.Y[i], value.RawRowView(i))
		floats.Scale(-p*s.Y[i], m)
		floats.Add(l.gb, m)
	}
	l.gw.Mul(slope.T(), s.X)
	return loss
}

// tangentRate is the rate for the tangent kernel, as a factor of that of the other methods: it has as many parameters
// as the network has weights, and at ten times the rate it ended with a larger loss.
const tangentRate = 1e-3

// tangentCurve trains the linear network with all parameters.
func tangentCurve(start truncated.Net, s ParitySizes, fresh func() data.Sample, test data.Sample) Curve {
	out, at, l, rate := Curve{}, watched(s), newLinear(start), tangentRate*s.Rate
	optimisers := []truncated.Adam{{Rate: rate}, {Rate: rate}, {Rate: rate}}
	for step := 1; step <= s.Steps; step++ {
		l.gradient(fresh())
		optimisers[0].Move(l.w.RawMatrix().Data, l.gw.RawMatrix().Data)
		optimisers[1].Move(l.b, l.gb)
		optimisers[2].Move(l.a, l.ga)
		if at[step] {
			out.Points = append(out.Points, l.score(step, test))
		}
	}
	return out
}

// score is the accuracy, an output of 0 counted as wrong, and the hinge loss.
func (l *linear) score(step int, s data.Sample) Point {
	p := Point{Step: step}
	f, _, _ := l.outputs(s)
	for i, y := range s.Y {
		if y*f[i] > 0 {
			p.Accuracy += s.P[i]
		}
		p.Loss += s.P[i] * max(0, 1-y*f[i])
	}
	return p
}

// medianCosine is the median of |cos| between the rows of w and a direction of length 1; rows of length 0 count as 0.
func medianCosine(w *mat.Dense, direction *mat.VecDense) float64 {
	n, _ := w.Dims()
	cosines := make([]float64, n)
	for i := range cosines {
		if length := mat.Norm(w.RowView(i), 2); length > 0 {
			cosines[i] = math.Abs(mat.Dot(w.RowView(i), direction)) / length
		}
	}
	return number.Median(cosines)
}
