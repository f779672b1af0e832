package features

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Regression is ridge regression of many targets on one matrix of features F₀ (n×N) with penalty λ‖a‖² added to the
// mean square, factorised once. Features of a target may differ from F₀ by a few columns or rank-one matrices. It
// serves one goroutine at a time.
type Regression struct {
	features *mat.Dense
	root     blas64.Triangular // T = L⁻¹, n×n lower, with (F₀F₀ᵀ + λn)⁻¹ = TᵀT
	diagonal []float64         // of the inverse
	lambda   float64
	solved   map[*mat.Dense]*mat.Dense // the inverse applied to rows that [Regression.Fits] was given
}

// NewRegression factorises F₀F₀ᵀ + λn. It keeps f and does not change it. It is an error when the matrix is not
// positive definite in floating point. It costs n²N + 2n³/3 multiplications and as many additions.
func NewRegression(f *mat.Dense, lambda float64) (*Regression, error) {
	n, _ := f.Dims()
	gram := mat.NewSymDense(n, nil)
	gram.SymOuterK(1, f)
	for i := range n {
		gram.SetSym(i, i, gram.At(i, i)+lambda*float64(n))
	}
	factor, err := linalg.Cholesky(gram)
	if err != nil {
		return nil, fmt.Errorf("features: F₀F₀ᵀ + λn at λ = %g: %w", lambda, err)
	}
	r := &Regression{features: f, root: factor.RawTriangular(), diagonal: make([]float64, n), lambda: lambda,
		solved: map[*mat.Dense]*mat.Dense{}}
	invert(r.root)
	for i := range n {
		row := r.root.Data[i*r.root.Stride:]
		for j := range i + 1 {
			r.diagonal[j] += row[j] * row[j]
		}
	}
	return r, nil
}

// invert replaces a lower triangular matrix by its inverse: of ((A, 0), (B, C)) that is ((A⁻¹, 0), (−C⁻¹BA⁻¹, C⁻¹)). It
// costs n³/6 multiplications and as many additions, almost all of them in products of triangles with matrices.
func invert(l blas64.Triangular) {
	const small = 24
	if l.N <= small {
		invertSmall(l)
		return
	}
	half := l.N / 2
	part := func(row, col, n int) []float64 { return l.Data[row*l.Stride+col : (row+n-1)*l.Stride+col+n] }
	a := blas64.Triangular{Uplo: l.Uplo, Diag: l.Diag, N: half, Stride: l.Stride, Data: part(0, 0, half)}
	c := a
	c.N, c.Data = l.N-half, part(half, half, l.N-half)
	b := blas64.General{Rows: c.N, Cols: half, Stride: l.Stride,
		Data: l.Data[half*l.Stride : (l.N-1)*l.Stride+half]}
	invert(a)
	invert(c)
	blas64.Trmm(blas.Right, blas.NoTrans, 1, a, b)
	blas64.Trmm(blas.Left, blas.NoTrans, -1, c, b)
}

// invertSmall inverts row by row, by forward substitution.
func invertSmall(l blas64.Triangular) {
	for i := range l.N {
		row := l.Data[i*l.Stride : i*l.Stride+i+1]
		scale := 1 / row[i]
		for j := range i { // entries from j on are not yet replaced
			sum := 0.0
			for k := j; k < i; k++ {
				sum += row[k] * l.Data[k*l.Stride+j]
			}
			row[j] = -scale * sum
		}
		row[i] = scale
	}
}

// Trace returns tr(F₀F₀ᵀ + λn)⁻¹.
func (r *Regression) Trace() float64 { return floats.Sum(r.diagonal) }

// Square returns tr(F₀F₀ᵀ + λn)⁻², which is ‖TTᵀ‖_F². It costs n³ flops.
func (r *Regression) Square() float64 {
	n := r.root.N
	t, gram := mat.NewDense(n, n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		copy(t.RawRowView(i)[:i+1], r.root.Data[i*r.root.Stride:])
	}
	gram.SymOuterK(1, t)
	norm := mat.Norm(gram, 2)
	return norm * norm
}

// Solve returns (F₀F₀ᵀ + λn)⁻¹ times each row of b (k×n).
func (r *Regression) Solve(b *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(b)
	blas64.Trmm(blas.Right, blas.Trans, 1, r.root, out.RawMatrix())
	blas64.Trmm(blas.Right, blas.NoTrans, 1, r.root, out.RawMatrix())
	return out
}

// once is [Regression.Solve] for rows that come again with other features.
func (r *Regression) once(b *mat.Dense) *mat.Dense {
	if r.solved[b] == nil {
		r.solved[b] = r.Solve(b)
	}
	return r.solved[b]
}

// Added holds the features of a target besides F₀. Matrices have a row for each target.
type Added struct {
	Free  []*mat.Dense // columns of features without a penalty, T×n each, or 1×n where all targets share one
	Left  []*mat.Dense // left vectors of rank-one matrices, T×n each
	Right []*mat.Dense // and their right vectors, 1×N each
}

// Fit are the errors of ridge regression for one target.
type Fit struct {
	Objective   float64 // (1/n)‖y − Fâ‖² + λ‖â‖²
	Train       float64 // (1/n)‖y − Fâ‖²
	LeaveOneOut float64 // mean square of what the others predict of each sample minus that sample
	Trace       float64 // tr(FFᵀ + λn)⁻¹
}

// Fits returns the errors for the targets in the rows of y (T×n). All follow from the inverse for F₀ by Woodbury's
// identity; the residual of a sample that is left out is its residual over λn times its diagonal entry of the inverse.
// It costs n² multiplications and additions for each row of y, Free and Left, once for each matrix: they must not
// change between calls.
func (r *Regression) Fits(y *mat.Dense, added Added) []Fit {
	count, n := y.Dims()
	solved := r.once(y)
	columns := r.pairs(added.Left)
	for _, c := range added.Right { // F₀ times the right vectors
		var v mat.Dense
		v.Mul(c, r.features.T())
		columns = append(columns, pair{&v, r.Solve(&v)})
	}
	columns = append(columns, r.pairs(added.Free)...)
	update := newUpdate(columns, core(added.Right, len(columns)), n)
	out := make([]Fit, count)
	ry, diagonal := make([]float64, n), make([]float64, n)
	for t := range count {
		copy(ry, solved.RawRowView(t))
		copy(diagonal, r.diagonal)
		update.correct(t, y.RawRowView(t), ry, diagonal)
		out[t] = r.fit(y.RawRowView(t), ry, diagonal)
	}
	return out
}

// pair is a matrix of rows with the inverse applied to them.
type pair struct{ rows, solved *mat.Dense }

func (r *Regression) pairs(all []*mat.Dense) []pair {
	var out []pair
	for _, m := range all {
		out = append(out, pair{m, r.once(m)})
	}
	return out
}

// core is the inverse of J in FFᵀ = F₀F₀ᵀ + BJBᵀ with B = (U, F₀C): (0 I; I −CᵀC), and zeros for free columns, which
// follow.
func core(right []*mat.Dense, columns int) *mat.Dense {
	j, k := mat.NewDense(max(1, columns), max(1, columns), nil), len(right)
	for a := range k {
		j.Set(a, k+a, 1)
		j.Set(k+a, a, 1)
		for b := range k {
			j.Set(k+a, k+b, -floats.Dot(right[a].RawRowView(0), right[b].RawRowView(0)))
		}
	}
	return j
}

// update takes the inverse for F₀ to the inverse for F, for one target after the other: R = R₀ −
// R₀B(J⁻¹ + BᵀR₀B)⁻¹BᵀR₀.
type update struct {
	columns      []pair
	core         blas64.General // J⁻¹, k×k
	inverse      blas64.General // of J⁻¹ + BᵀR₀B
	rows, solved blas64.General // Bᵀ and BᵀR₀ of a target, k×n
	mixed        blas64.General // inverse·BᵀR₀, k×n
	pivots       []int
	work         []float64
}

func newUpdate(columns []pair, core *mat.Dense, n int) *update {
	k := len(columns)
	matrix := func(cols int) blas64.General {
		return blas64.General{Rows: k, Cols: cols, Stride: max(1, cols), Data: make([]float64, k*cols)}
	}
	return &update{columns: columns, core: core.RawMatrix(), inverse: matrix(k), rows: matrix(n), solved: matrix(n),
		mixed: matrix(n), pivots: make([]int, k), work: make([]float64, 8*max(1, k))}
}

// correct takes the inverse for F₀, applied to y and its diagonal, to the inverse for F.
func (u *update) correct(t int, y, ry, diagonal []float64) {
	k, n := len(u.columns), len(y)
	if k == 0 {
		return
	}
	for a, p := range u.columns {
		count, _ := p.rows.Dims()
		copy(u.rows.Data[a*n:], p.rows.RawRowView(min(t, count-1)))
		copy(u.solved.Data[a*n:], p.solved.RawRowView(min(t, count-1)))
	}
	copy(u.inverse.Data, u.core.Data)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, u.solved, u.rows, 1, u.inverse)
	// [mat.Dense.Inverse] estimates the condition number as well, which takes most of its time at such sizes.
	if !lapack64.Getrf(u.inverse, u.pivots) || !lapack64.Getri(u.inverse, u.pivots, u.work, len(u.work)) {
		for i := range ry {
			ry[i] = math.NaN()
		}
		return
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, u.inverse, u.solved, 0, u.mixed)
	for a := range k {
		solved, mixed := u.solved.Data[a*n:(a+1)*n], u.mixed.Data[a*n:(a+1)*n]
		floats.AddScaled(ry, -floats.Dot(solved, y), mixed) // inverse is symmetric
		for i, v := range mixed {
			diagonal[i] -= v * solved[i]
		}
	}
}

func (r *Regression) fit(y, ry, diagonal []float64) Fit {
	n := float64(len(y))
	out := Fit{Objective: r.lambda * floats.Dot(y, ry), Train: r.lambda * r.lambda * n * floats.Dot(ry, ry),
		Trace: floats.Sum(diagonal)}
	for i, v := range ry {
		left := v / diagonal[i]
		out.LeaveOneOut += left * left
	}
	out.LeaveOneOut /= n
	return out
}
