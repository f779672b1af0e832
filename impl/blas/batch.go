package blas

import gblas "gonum.org/v1/gonum/blas"

// A Stack is a number of matrices of one shape in one slice: matrix i begins at Data[i·Step], its rows are Ld apart.
type Stack struct {
	Count, Rows, Cols int
	Ld, Step          int
	Data              []float64
}

// NewStack is a stack without gaps in the memory of data, or in new memory if that is nil.
func NewStack(count, rows, cols int, data []float64) Stack {
	if data == nil {
		data = make([]float64, count*rows*cols)
		adviseLargePages(data)
	}
	return Stack{Count: count, Rows: rows, Cols: cols, Ld: max(1, cols), Step: rows * cols, Data: data}
}

// Check panics unless all matrices of the stack lie in its slice, and without overlap unless there is one only for all.
func (s Stack) Check() {
	if s.Count < 0 || s.Rows < 0 || s.Cols < 0 {
		panic("blas: negative size of a stack")
	}
	if s.Count == 0 || s.Rows == 0 || s.Cols == 0 {
		return
	}
	if s.Ld < s.Cols {
		panic("blas: bad leading dimension of a stack")
	}
	if s.Step < 0 || !holds(len(s.Data), s.Rows, s.Cols, uint(s.Ld)) ||
		!holds(len(s.Data)-(s.Rows-1)*s.Ld, s.Count, s.Cols, uint(s.Step)) {
		panic("blas: insufficient length of a stack")
	}
}

// separate reports that no two matrices of the stack share an entry.
func (s Stack) separate() bool { return s.Count <= 1 || s.Step >= (s.Rows-1)*s.Ld+s.Cols }

// At is the memory of matrix i.
func (s Stack) At(i int) []float64 {
	if s.Rows == 0 || s.Cols == 0 {
		return nil
	}
	at := i * s.Step
	return s.Data[at : at+(s.Rows-1)*s.Ld+s.Cols]
}

// GemmStack computes C_i = alpha·op(A_i)·op(B_i) + beta·C_i for every matrix of three stacks, with the bits of as
// many calls of Dgemm. A Step of 0 makes one A or B serve for all. It panics when the shapes or the numbers of
// matrices differ, or when matrices of c overlap. On one thread it allocates nothing.
func GemmStack(tA, tB gblas.Transpose, alpha float64, a, b Stack, beta float64, c Stack) {
	checkTranspose(tA)
	checkTranspose(tB)
	m, k := a.Rows, a.Cols
	if tA != gblas.NoTrans {
		m, k = k, m
	}
	rowsB, n := b.Rows, b.Cols
	if tB != gblas.NoTrans {
		rowsB, n = n, rowsB
	}
	if rowsB != k || c.Rows != m || c.Cols != n || a.Count != c.Count || b.Count != c.Count {
		panic("blas: shapes of the stacks of a product do not fit")
	}
	a.Check()
	b.Check()
	c.Check()
	if !c.separate() {
		panic("blas: matrices of a result overlap")
	}
	if c.Count == 0 || m == 0 || n == 0 {
		return
	}
	g := product{m: m, n: n, k: k, alpha: alpha, a: newView(tA, nil, a.Ld), b: newView(tB, nil, b.Ld), beta: beta,
		ldc: c.Ld}
	if threads := threadsFor(2 * float64(m) * float64(n) * float64(k) * float64(c.Count)); threads > 1 {
		shareStack(g, a, b, c, threads)
		return
	}
	g.stack(a, b, c, 0, c.Count)
}

// shareStack is the product on several threads.
func shareStack(g product, a, b, c Stack, threads int) {
	pieces := min(c.Count, mostPieces)
	Share(threads, pieces, func(i int) {
		h := g
		h.stack(a, b, c, i*c.Count/pieces, (i+1)*c.Count/pieces)
	})
}

// stack is the product for the matrices first to last-1.
func (g *product) stack(a, b, c Stack, first, last int) {
	kern := current()
	if g.small() {
		g.smallStack(kern, a, b, c, first, last)
		return
	}
	for i := first; i < last; i++ {
		if g.k > 0 {
			g.a.data, g.b.data = a.At(i), b.At(i)
		}
		g.c = c.At(i)
		g.run(kern)
	}
}

// small reports that nothing of the product would be packed or scaled: all of it is tiles.
func (g *product) small() bool {
	return g.alpha != 0 && 0 < g.k && g.k <= kc && g.b.cs == 1 && g.m*g.n*g.k <= 1<<15 && (g.beta == 0 || g.beta == 1)
}

// smallStack is stack for small products. What is the same for all of them is found out once.
func (g *product) smallStack(kern *kernel, a, b, c Stack, first, last int) {
	t := tile{k: g.k, rsa: g.a.rs, csa: g.a.cs, rsb: g.b.rs, rsc: g.ldc, alpha: g.alpha}
	if g.beta == 1 {
		t.keep = 1
	}
	rows := kern.rows()
	for rows > 4 && kern.widest[rows-1] < g.n { // rows of B are best read whole
		rows--
	}
	if kern.widest[rows-1] < g.n {
		rows = kern.rows()
	}
	height := evenly(g.m, rows, 1)
	if height == g.m && g.n <= kern.widest[g.m-1] {
		t.rows, t.cols = g.m, g.n
		t.stack(kern, a, b, c, first, last)
		return
	}
	for i := first; i < last; i++ {
		x, y, z := a.At(i), b.At(i), c.At(i)
		for row := 0; row < g.m; row += height {
			t.rows = min(height, g.m-row)
			width := kern.widest[t.rows-1]
			t.a = x[row*t.rsa:]
			for col := 0; col < g.n; col += width {
				t.b, t.c, t.cols = y[col:], z[row*t.rsc+col:], min(width, g.n-col)
				kern.id.gemm(&t)
			}
		}
	}
}

// longestRun is the number of tiles that one call runs: some 10 microseconds, so that the collector need not wait.
const longestRun = 1 << 10

// stack is smallStack for matrices of one tile, one after the other without a way through Go between them, which would
// take longer than a tile of four rows.
func (t *tile) stack(kern *kernel, a, b, c Stack, first, last int) {
	for ; first < last; first += longestRun {
		t.a, t.b, t.c = a.Data[first*a.Step:], b.Data[first*b.Step:], c.Data[first*c.Step:]
		kern.id.gemmRun(t, min(longestRun, last-first), a.Step, b.Step, c.Step)
	}
}

// gemmEach is gemmRun where no routine does it.
func (id isa) gemmEach(t *tile, count, stepA, stepB, stepC int) {
	for i := range count {
		next := *t
		next.a, next.b, next.c = t.a[i*stepA:], t.b[i*stepB:], t.c[i*stepC:]
		id.gemm(&next)
	}
}
