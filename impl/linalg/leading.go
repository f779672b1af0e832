package linalg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// ErrNotFinite says that a product with the operator, or an entry of the matrix, is NaN or infinite.
var ErrNotFinite = errors.New("linalg: the matrix is not finite")

// errOverflow says that a singular value of a finite matrix is beyond the largest number.
var errOverflow = errors.New("linalg: a singular value overflows")

// maxBasis bounds the memory of an iteration: that many vectors of each length. A spike needs about ten of them and the
// edge of a random matrix of size 1000 about fifty.
const maxBasis = 400

// Triplets are leading singular triplets, largest value first: A Right[i] = Values[i] Left[i] up to rounding, and ‖Aᵀ
// Left[i] − Values[i] Right[i]‖ = Residuals[i]. An interval of that radius about Values[i] contains a singular value of
// A, and Values[0] never exceeds ‖A‖ by more than rounding.
type Triplets struct {
	Values      []float64
	Left, Right [][]float64 // orthonormal
	Residuals   []float64
	Products    int // with A, and as many with Aᵀ
}

// times multiplies values and residuals by a power of two.
func (t *Triplets) times(scale float64) (*Triplets, error) {
	for i := range t.Values {
		t.Residuals[i] *= scale
		if t.Values[i] *= scale; math.IsInf(t.Values[i], 0) {
			return nil, errOverflow
		}
	}
	return t, nil
}

// Leading returns the k leading singular triplets of a, with residuals of at most tol times the largest value. Where
// values are repeated up to k times it finds all copies. The start is drawn from r; convergence is to the leading
// triplets unless the draw has no component along them, which has probability zero.
//
// It costs one product with A and one with Aᵀ per basis vector and 8p(rows+cols) flops for the orthogonalisation of the
// p-th one. An iteration that has not converged with 400 basis vectors is an error that states its residual; a product
// that is not finite is [ErrNotFinite]; a value beyond the largest number is an error too. It panics unless
// 1 ≤ k ≤ min(rows, cols) and tol > 0.
//
// Method: block Golub-Kahan-Lanczos bidiagonalisation with full reorthogonalisation and block size k (Golub, Luk,
// Overton, ACM Trans. Math. Softw. 7 (1981) 149). An exhausted Krylov space is left through a new random vector.
func Leading(a Operator, k int, tol float64, r *rand.Rand) (*Triplets, error) {
	rows, cols := a.Dims()
	if k < 1 || k > min(rows, cols) {
		panic("linalg: number of triplets out of range")
	}
	if !(tol > 0) {
		panic("linalg: tolerance is not positive")
	}
	if rows < cols {
		t, err := Leading(transposed{a}, k, tol, r)
		if t != nil {
			t.Left, t.Right = t.Right, t.Left
		}
		return t, err
	}
	g := &golubKahan{a: a, r: r, rows: rows, cols: cols}
	for range k {
		g.pending = append(g.pending, g.random(cols, nil))
	}
	for next := 5 * k; ; { // a look at B costs as much as a product with a matrix of order 100
		if !g.expand() {
			return nil, ErrNotFinite
		}
		size := len(g.right)
		if size < next && size < cols {
			continue
		}
		next = size + max(len(g.pending), min(size/4, maxBasis-size))
		t, y, z, err := g.values(k)
		if err != nil {
			return nil, err
		}
		if worst := floats.Max(t.Residuals); worst <= tol*t.Values[0] || size == cols {
			g.vectors(t, y, z)
			return t.times(1 / g.unit)
		} else if size >= maxBasis {
			return nil, fmt.Errorf("linalg: residual %.3g of singular value %.6g after %d products", worst, t.Values[0], size)
		}
	}
}

// golubKahan is an iteration under way: A right = left B with orthonormal columns and upper triangular B, and
// Aᵀ left = right Bᵀ + (0, …, 0, pending).
type golubKahan struct {
	a           Operator
	r           *rand.Rand
	rows, cols  int
	right, left [][]float64
	b           [][]float64 // b[j] is column j of B, j+1 long
	pending     [][]float64 // the next right vectors, orthogonal to right but not yet to each other
	size        float64     // the largest column norm of B, which is at most ‖A‖
	unit        float64     // what vectors are multiplied by before A is applied; 0 before the first product
}

// product returns A·v in the unit of the iteration. The first product chooses it: near the subnormal numbers those of A
// itself have lost their digits, and near the largest number their sums overflow although A·v does not. Afterwards no
// square of a norm leaves the range of the numbers.
func (g *golubKahan) product(v []float64) (u []float64, norm float64) {
	u = make([]float64, g.rows)
	g.apply(g.a.MulVec, u, v)
	norm = floats.Norm(u, 2)
	if g.unit > 0 {
		return u, norm
	}
	switch g.unit = 1; {
	case norm < 0x1p-300:
		g.unit = 0x1p700
	case !(norm < 0x1p300):
		g.unit = 0x1p-700
	default:
		return u, norm
	}
	return g.product(v)
}

// apply computes dst = product(x) in the unit of the iteration.
func (g *golubKahan) apply(product func(dst, x []float64), dst, x []float64) {
	if g.unit > 0 && g.unit != 1 {
		x = floats.ScaleTo(make([]float64, len(x)), g.unit, x)
	}
	product(dst, x)
}

// expand takes the pending vectors into the basis. It reports whether everything stayed finite.
func (g *golubKahan) expand() bool {
	fresh := g.pending
	g.pending = nil
	begin := len(g.right)
	for _, v := range fresh {
		if len(g.right) == g.cols {
			break
		}
		size := 1.0 // of the random vectors at the start, whatever the size of A is
		if begin > 0 {
			size = g.size
		}
		g.orthogonalise(v, g.right)
		v = g.normalised(v, g.right, size)
		u, norm := g.product(v)
		if math.IsNaN(norm) || math.IsInf(norm, 0) {
			return false
		}
		g.size = max(g.size, norm)
		column := g.orthogonalise(u, g.left)
		column = append(column, floats.Norm(u, 2))
		u = g.normalised(u, g.left, g.size)
		g.right, g.left, g.b = append(g.right, v), append(g.left, u), append(g.b, column)
	}
	for _, u := range g.left[begin:] {
		w := make([]float64, g.cols)
		g.apply(g.a.MulVecTrans, w, u)
		g.orthogonalise(w, g.right)
		if norm := floats.Norm(w, 2); math.IsNaN(norm) || math.IsInf(norm, 0) {
			return false
		}
		g.pending = append(g.pending, w)
	}
	return true
}

// orthogonalise subtracts from x its components along an orthonormal basis, twice, and returns the components.
func (g *golubKahan) orthogonalise(x []float64, basis [][]float64) []float64 {
	components := make([]float64, len(basis), len(basis)+1)
	for range 2 {
		for i, q := range basis {
			c := floats.Dot(q, x)
			components[i] += c
			floats.AddScaled(x, -c, q)
		}
	}
	return components
}

// normalised scales x, which is orthogonal to the basis, to length one. When x is nothing but the rounding error of
// something of the given size it returns a random vector orthogonal to the basis in its place.
func (g *golubKahan) normalised(x []float64, basis [][]float64, size float64) []float64 {
	norm := floats.Norm(x, 2)
	if norm <= float64(len(x))*roundoff.Ulp*size {
		return g.random(len(x), basis)
	}
	floats.Scale(1/norm, x)
	g.orthogonalise(x, basis) // x may have been small, and its components of rounding size are not any more
	floats.Scale(1/floats.Norm(x, 2), x)
	return x
}

// random returns a uniformly distributed unit vector orthogonal to the basis.
func (g *golubKahan) random(n int, basis [][]float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = g.r.NormFloat64()
	}
	g.orthogonalise(x, basis)
	floats.Scale(1/floats.Norm(x, 2), x)
	return x
}

// values returns the k leading values of B with their residuals, and its singular vectors. The residual of a triplet
// (σ, left y, right z) is the combination of the pending vectors with the last entries of y.
func (g *golubKahan) values(k int) (t *Triplets, y, z *mat.Dense, err error) {
	p := len(g.b)
	small := mat.NewDense(p, p, nil)
	for j, column := range g.b {
		for i, x := range column {
			small.Set(i, j, x)
		}
	}
	y, values, z, err := SVD(small, mat.SVDThin)
	if err != nil {
		return nil, nil, nil, err
	}
	t = &Triplets{Values: values[:k], Products: p}
	for i := range k {
		last := mat.Col(nil, i, y)[p-len(g.pending):]
		t.Residuals = append(t.Residuals, floats.Norm(combine(g.pending, last, g.cols), 2))
	}
	return t, y, z, nil
}

// vectors carries those of B back to A.
func (g *golubKahan) vectors(t *Triplets, y, z *mat.Dense) {
	for i := range t.Values {
		t.Left = append(t.Left, combine(g.left, mat.Col(nil, i, y), g.rows))
		t.Right = append(t.Right, combine(g.right, mat.Col(nil, i, z), g.cols))
	}
}

// combine returns Σ weights[i]·vectors[i].
func combine(vectors [][]float64, weights []float64, n int) []float64 {
	sum := make([]float64, n)
	for i, v := range vectors {
		floats.AddScaled(sum, weights[i], v)
	}
	return sum
}
