// Package hinge minimises the hinge loss of linear predictors over a finite law: with bounded weights, giving a
// certificate of optimality, and with unbounded weights, as a linear programme.
package hinge

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// Problem is the loss Σᵢ pᵢ max(0, 1 − yᵢ⟨Ψᵢ,w⟩).
type Problem struct {
	Features *mat.Dense // M×N, one row Ψᵢ per input
	Y, P     []float64  // M: labels ±1, probabilities
}

// Loss returns the loss at w.
func (p Problem) Loss(w []float64) float64 {
	out := make([]float64, len(p.P))
	mat.NewVecDense(len(out), out).MulVec(p.Features, mat.NewVecDense(len(w), w))
	return p.lossOf(out)
}

// Solution is a predictor and what no predictor of the same norm can undercut: Lower ≤ minimum ≤ Loss.
type Solution struct {
	W           []float64
	Loss, Lower float64
}

// errSlow is returned with the best solution found.
var errSlow = errors.New("hinge: the gap did not close")

// InBall minimises over ‖w‖ ≤ radius until Loss − Lower ≤ gap. It takes accelerated projected gradient steps on the
// loss smoothed by less and less; the slopes αᵢ = pᵢ min(1, max(0, mᵢ/μ)) at the margins' deficits mᵢ = 1 − yᵢ⟨Ψᵢ,w⟩
// are dual feasible, and Lower = Σαᵢ − radius·‖Σαᵢyᵢ Ψᵢ‖. A step costs 2MN multiply-adds. If the given number of steps
// does not suffice, it returns an error with the best found.
func (p Problem) InBall(radius, gap float64, steps int) (Solution, error) {
	rows, n := p.Features.Dims()
	curvature := 0.0
	for i, probability := range p.P {
		row := p.Features.RawRowView(i)
		curvature += probability * floats.Dot(row, row)
	}
	best := Solution{make([]float64, n), math.Inf(1), math.Inf(-1)}
	w, ahead, previous := newPoint(rows, n), newPoint(rows, n), newPoint(rows, n)
	grad, slopes := make([]float64, n), make([]float64, rows)
	smoothing, momentum := 1.0, 1.0
	for range steps {
		total := p.slopes(slopes, ahead.out, smoothing)
		mat.NewVecDense(n, grad).MulVec(p.Features.T(), mat.NewVecDense(rows, slopes))
		best.Lower = max(best.Lower, total-radius*floats.Norm(grad, 2))
		w, previous = previous, w
		floats.AddScaledTo(w.w, ahead.w, smoothing/curvature, grad)
		if size := floats.Norm(w.w, 2); size > radius {
			floats.Scale(radius/size, w.w)
		}
		mat.NewVecDense(rows, w.out).MulVec(p.Features, mat.NewVecDense(n, w.w))
		if loss := p.lossOf(w.out); loss < best.Loss {
			best.Loss = loss
			copy(best.W, w.w)
		}
		if best.Loss-best.Lower <= gap {
			return best, nil
		}
		floats.SubTo(ahead.w, w.w, previous.w)
		moved := floats.Norm(ahead.w, 2)
		if floats.Dot(ahead.w, grad) < 0 || moved <= gap*smoothing/10 { // restart; when nothing moves, smooth less
			momentum = 1
			if moved <= gap*smoothing/10 {
				smoothing = max(smoothing/2, gap/2)
			}
			copy(ahead.w, w.w)
			copy(ahead.out, w.out)
			continue
		}
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		ahead.beyond(w, previous, (momentum-1)/next)
		momentum = next
	}
	return best, errSlow
}

// point is a predictor with its outputs ⟨Ψᵢ,w⟩.
type point struct{ w, out []float64 }

func newPoint(rows, n int) point { return point{make([]float64, n), make([]float64, rows)} }

// beyond is the point on the line from one point to the next that is a share of their distance past the latter.
func (p point) beyond(next, last point, share float64) {
	floats.SubTo(p.w, next.w, last.w)
	floats.AddScaledTo(p.w, next.w, share, p.w)
	floats.SubTo(p.out, next.out, last.out)
	floats.AddScaledTo(p.out, next.out, share, p.out)
}

// lossOf is the loss of outputs.
func (p Problem) lossOf(out []float64) float64 {
	loss := 0.0
	for i, probability := range p.P {
		loss += probability * max(0, 1-p.Y[i]*out[i])
	}
	return loss
}

// slopes writes αᵢyᵢ, from which Σαᵢyᵢ Ψᵢ is the negative gradient of the smoothed loss, and returns Σαᵢ.
func (p Problem) slopes(dst, out []float64, smoothing float64) float64 {
	total := 0.0
	for i, probability := range p.P {
		alpha := probability * min(1, max(0, (1-p.Y[i]*out[i])/smoothing))
		total += alpha
		dst[i] = alpha * p.Y[i]
	}
	return total
}

// Unbounded returns the smallest loss over all w, see [Problem.Vertex].
func (p Problem) Unbounded() (float64, error) {
	v, err := p.Vertex()
	return v.Loss, err
}

// Vertex is the point at which the simplex method ended.
type Vertex struct {
	Loss float64
	Size float64 // of all variables, the sum of their absolute values
	Off  float64 // how far they are from their equations, and t and u from being positive
}

// Vertex finds the smallest loss over all w. It depends on the space that the columns of the features span: the simplex
// method solves t + yQw − u = 1 with t, u ≥ 0 and w = w⁺ − w⁻ for an orthonormal basis Q of it, without directions
// below 10⁻¹² of the largest singular value. A choice of columns near to singular stops the method, about once in 10⁴
// problems; other bases of the same space are tried then.
func (p Problem) Vertex() (Vertex, error) {
	basis, err := span(p.Features)
	if err != nil {
		return Vertex{}, err
	}
	if basis == nil { // all features vanish
		return Vertex{Loss: floats.Sum(p.P)}, nil
	}
	v, err := p.vertex(basis)
	for turn := 1; err != nil && turn < 4; turn++ {
		v, err = p.vertex(turned(basis, turn))
	}
	return v, err
}

// turned reflects the basis in the hyperplane orthogonal to (1, 2ᵗ, 3ᵗ, …), so that every direction is in every column.
func turned(basis *mat.Dense, turn int) *mat.Dense {
	rows, n := basis.Dims()
	normal := make([]float64, n)
	for j := range normal {
		normal[j] = math.Pow(float64(j+1), float64(turn))
	}
	along := mat.NewVecDense(rows, nil)
	along.MulVec(basis, mat.NewVecDense(n, normal))
	var b mat.Dense
	b.Outer(-2/floats.Dot(normal, normal), along, mat.NewVecDense(n, normal))
	b.Add(&b, basis)
	return &b
}

// vertex runs the simplex method on the columns of a basis.
func (p Problem) vertex(basis *mat.Dense) (Vertex, error) {
	rows, n := basis.Dims()
	a := mat.NewDense(rows, 2*rows+2*n, nil)
	cost, right := make([]float64, 2*rows+2*n), make([]float64, rows)
	start := make([]int, rows)
	for i, probability := range p.P {
		a.Set(i, i, 1)
		a.Set(i, rows+i, -1)
		for j := range n {
			a.Set(i, 2*rows+j, p.Y[i]*basis.At(i, j))
			a.Set(i, 2*rows+n+j, -p.Y[i]*basis.At(i, j))
		}
		cost[i], right[i], start[i] = probability, 1, i
	}
	loss, x, err := lp.Simplex(cost, a, right, SimplexTolerance, start)
	if err != nil {
		return Vertex{}, err
	}
	v := Vertex{Loss: loss, Size: floats.Norm(x, 1), Off: max(0, -floats.Min(x[:2*rows]))}
	for i := range rows {
		v.Off = max(v.Off, math.Abs(floats.Dot(a.RawRowView(i), x)-1))
	}
	return v, nil
}

// SimplexTolerance is the distance by which a reduced cost may be below 0 at the end.
const SimplexTolerance = 1e-12

// span returns an orthonormal basis of the columns, nil if all vanish.
func span(m *mat.Dense) (*mat.Dense, error) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThinU) {
		return nil, errors.New("hinge: the singular values of the features were not found")
	}
	values, rank := svd.Values(nil), 0
	for rank < len(values) && values[rank] > 1e-12*values[0] {
		rank++
	}
	if rank == 0 {
		return nil, nil
	}
	var u mat.Dense
	svd.UTo(&u)
	rows, _ := u.Dims()
	return mat.DenseCopyOf(u.Slice(0, rows, 0, rank)), nil
}
