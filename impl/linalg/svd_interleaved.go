package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// lanes is the number of matrices that are factorised at a time.
const lanes = kernel.Interleaved

// interleavedOrder is the largest side of a matrix that is factorised with others: the lanes of three such matrices
// fill the second-level cache.
const interleavedOrder = 32

// inLanes is a number for each lane.
type inLanes = [lanes]float64

// interleavedSVD factorises as many matrices at a time as there are lanes. All are treated alike, each in its lane: a
// sweep that one of them needs no more has the rotation by 0 there. Hence a result depends on its matrix alone, apart
// from the signs of zeros, and those are removed.
//
// Method: reduction to a bidiagonal matrix by reflectors, QR iteration, and the reflectors applied to its vectors.
type interleavedSVD struct {
	m, n        int       // n ≤ m ≤ interleavedOrder
	a           []float64 // column j, m long, at j·m; later the reflectors of the columns, from the diagonal on
	rows        []float64 // the reflectors of the rows: number k, n long, at k·n; it begins at entry k+1
	leftTau     []inLanes
	rightTau    []inLanes
	d, e        []float64 // of lane l from l·n on
	d0, e0      []inLanes // the same before the iteration, scaled by size
	ut, vt      []float64 // vector i at i·m and i·n
	right, left [2][]float64
	scale, size inLanes
	w           []float64
	order       [interleavedOrder]int
}

var interleavedSVDs = sync.Pool{New: func() any { return new(interleavedSVD) }}

// reset prepares for matrices of m rows and n ≤ m columns.
func (t *interleavedSVD) reset(m, n int) {
	t.m, t.n = m, n
	t.a = sized(&t.a, n*m*lanes)
	t.rows, t.w = sized(&t.rows, n*n*lanes), sized(&t.w, m*lanes)
	t.leftTau, t.rightTau, t.d0, t.e0 = sized(&t.leftTau, n), sized(&t.rightTau, n), sized(&t.d0, n), sized(&t.e0, n)
	t.d, t.e = sized(&t.d, n*lanes), sized(&t.e, n*lanes)
	t.ut, t.vt = sized(&t.ut, n*m*lanes), sized(&t.vt, n*n*lanes)
	for i := range 2 {
		t.right[i], t.left[i] = sized(&t.right[i], n*lanes), sized(&t.left[i], n*lanes)
	}
}

// factorise does what [workspace.svd] does for matrices first to last-1 of the stacks, at most as many as lanes. The
// error belongs to matrix failed.
func (t *interleavedSVD) factorise(j *svdStack, first, last int) (failed int, err error) {
	m, n := max(j.a.Rows, j.a.Cols), min(j.a.Rows, j.a.Cols)
	t.reset(m, n)
	clear(t.a)
	for i := first; i < last; i++ {
		if err := t.load(i-first, entry(j.a, i)); err != nil {
			return i, err
		}
	}
	t.bidiagonalise()
	if lane, err := t.iterate(); err != nil {
		return first + lane, err
	}
	u, v := j.u, j.v
	if j.a.Rows < j.a.Cols { // the transpose was factorised
		u, v = v, u
	}
	t.values()
	if u.Count > 0 {
		reflectBack(t.ut, t.m, t.n, t.a, t.leftTau, 0)
	}
	if v.Count > 0 {
		reflectBack(t.vt, t.n, t.n, t.rows, t.rightTau[:max(0, n-2)], 1)
	}
	for i := first; i < last; i++ {
		if err := t.store(i-first, j.s[i*n:(i+1)*n], entry(u, i), entry(v, i)); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// load brings a matrix, or its transpose if that is the longer one, into a lane, times a power of two.
func (t *interleavedSVD) load(lane int, a blas64.General) error {
	scale, err := safeScale(a)
	if err != nil {
		return err
	}
	t.scale[lane] = scale
	byRow, byColumn := lanes, t.m*lanes
	if a.Rows < a.Cols {
		byRow, byColumn = byColumn, byRow
	}
	for i := range a.Rows {
		at := lane + i*byRow
		for _, x := range rowOf(a, i) {
			t.a[at] = scale * x
			at += byColumn
		}
	}
	return nil
}

// column is column j of the matrices from row i on.
func (t *interleavedSVD) column(j, i int) []float64 { return t.a[(j*t.m+i)*lanes : (j+1)*t.m*lanes] }

// number is number i of an interleaved vector.
func number(x []float64, i int) *inLanes { return (*inLanes)(x[i*lanes:]) }

// bidiagonalise reduces the matrices to upper bidiagonal ones d, e and reflectors.
func (t *interleavedSVD) bidiagonalise() {
	m, n := t.m, t.n
	var beta, f inLanes
	for k := range n {
		u := t.column(k, k)
		reflectLanes(u, &beta, &t.leftTau[k])
		t.spread(t.d, k, &beta)
		for j := k + 1; j < n; j++ {
			reflectVector(t.column(j, k), u, &t.leftTau[k])
		}
		if k == n-2 { // one entry needs no reflector
			t.spread(t.e, k, number(t.a, (n-1)*m+k))
		}
		if k >= n-2 {
			continue
		}
		v := t.rows[(k*n+k+1)*lanes : (k+1)*n*lanes]
		for j := k + 1; j < n; j++ {
			*number(v, j-k-1) = *number(t.a, j*m+k)
		}
		reflectLanes(v, &beta, &t.rightTau[k])
		t.spread(t.e, k, &beta)
		w := t.w[:(m-k-1)*lanes]
		clear(w)
		for j := k + 1; j < n; j++ {
			kernel.InterleavedAxpy(m-k-1, number(v, j-k-1), t.column(j, k+1), w)
		}
		for j := k + 1; j < n; j++ {
			for l, x := range number(v, j-k-1) {
				f[l] = -t.rightTau[k][l] * x
			}
			kernel.InterleavedAxpy(m-k-1, &f, w, t.column(j, k+1))
		}
	}
}

// spread writes entry i of the diagonals of all lanes.
func (t *interleavedSVD) spread(diagonal []float64, i int, x *inLanes) {
	for l, v := range x {
		diagonal[l*t.n+i] = v
	}
}

// reflectLanes turns x into vectors v of reflectors I - tau·v·vᵀ that map it to (beta, 0, …, 0). What is below 2⁻⁴⁵⁰ of
// the matrix is put to zero without one.
func reflectLanes(x []float64, beta, tau *inLanes) {
	var square inLanes
	kernel.InterleavedDot(len(x)/lanes-1, x[lanes:], x[lanes:], &square)
	for l, s := range square {
		alpha := x[l]
		if s < 0x1p-900 {
			beta[l], tau[l] = alpha, 0
			continue
		}
		b := -math.Copysign(math.Sqrt(alpha*alpha+s), alpha)
		x[l] = alpha - b
		beta[l], tau[l] = b, 2/(x[l]*x[l]+s)
	}
}

// reflectVector is x -= tau·v·vᵀ·x.
func reflectVector(x, v []float64, tau *inLanes) {
	var f inLanes
	n := len(v) / lanes
	kernel.InterleavedDot(n, x, v, &f)
	for l := range f {
		f[l] *= -tau[l]
	}
	kernel.InterleavedAxpy(n, &f, v, x)
}

// reflectBack applies the reflectors of a matrix of n columns, the last first, to the vectors in the rows of x, which
// are size long: number k has entries from k+offset on.
func reflectBack(x []float64, size, n int, reflectors []float64, tau []inLanes, offset int) {
	for i := range n {
		row := x[i*size*lanes : (i+1)*size*lanes]
		for k := len(tau) - 1; k >= 0; k-- {
			at := (k + offset) * lanes
			reflectVector(row[at:], reflectors[k*size*lanes+at:(k+1)*size*lanes], &tau[k])
		}
	}
}

// iterate diagonalises the bidiagonal matrices by QR iteration and collects the rotations in ut and vt. The error is
// that of a lane.
func (t *interleavedSVD) iterate() (failed int, err error) {
	n := t.n
	var state [lanes]bidiagonalIteration
	for l := range state {
		d, e := t.d[l*n:(l+1)*n], t.e[l*n:l*n+n-1]
		t.size[l] = normaliser(max(largest(d), largest(e)))
		scaleLeaf(t.size[l], d, e)
		for i, x := range d {
			t.d0[i][l] = x
		}
		for i, x := range e {
			t.e0[i][l] = x
		}
		state[l] = newBidiagonalIteration(d, e)
	}
	identityLanes(t.ut, t.m, n)
	identityLanes(t.vt, n, n)
	for {
		from, to, err := t.sweeps(&state)
		if err != nil {
			return to, err
		}
		if from >= to {
			return 0, nil
		}
		for i := from; i < to; i++ {
			kernel.InterleavedRot(n, t.vt[i*n*lanes:], t.vt[(i+1)*n*lanes:], number(t.right[0], i), number(t.right[1], i))
			kernel.InterleavedRot(n, t.ut[i*t.m*lanes:], t.ut[(i+1)*t.m*lanes:], number(t.left[0], i), number(t.left[1], i))
		}
	}
}

// sweeps makes a sweep in each lane that has not converged, all of them step by step, and returns the rows from which
// and up to which there are rotations; with an error the second number is its lane.
func (t *interleavedSVD) sweeps(state *[lanes]bidiagonalIteration) (from, to int, err error) {
	rows := 0
	for l := range state {
		rows = max(rows, state[l].last)
	}
	for i, size := range [2]float64{1, 0} { // cosines and sines of lanes that do not turn
		setAll(t.right[i][:rows*lanes], size)
		setAll(t.left[i][:rows*lanes], size)
	}
	var open [lanes]bidiagonalSweep
	from, steps := t.n, 0
	for l := range state {
		first, last, more := state[l].block()
		if !more {
			continue
		}
		at := first*lanes + l
		open[l], err = state[l].sweep(first, last, sweepRotations{t.right[0][at:], t.right[1][at:], lanes},
			sweepRotations{t.left[0][at:], t.left[1][at:], lanes})
		if err != nil {
			return from, l, err
		}
		from, to, steps = min(from, first), max(to, last), max(steps, last-first)
	}
	for i := range steps {
		for l := range open {
			if i < len(open[l].e) {
				open[l].step(i)
			}
		}
	}
	return from, to, nil
}

// identityLanes makes n rows of the given size unit vectors.
func identityLanes(x []float64, size, n int) {
	clear(x)
	for i := range n {
		setAll(x[(i*size+i)*lanes:(i*size+i+1)*lanes], 1)
	}
}

func setAll(x []float64, value float64) {
	for i := range x {
		x[i] = value
	}
}

// values replaces d by the singular values as uᵀ·B·v/(‖u‖·‖v‖), whose rounding is less than that of the iteration, with
// the sign that belongs to the vectors.
func (t *interleavedSVD) values() {
	n := t.n
	for i := range n {
		u, v := t.ut[i*t.m*lanes:], t.vt[i*n*lanes:]
		var sum, lengthU, lengthV inLanes
		for j := range n {
			x, y, d := number(u, j), number(v, j), &t.d0[j]
			for l := range lanes {
				sum[l] += d[l] * x[l] * y[l]
			}
			if j+1 < n {
				next, e := number(v, j+1), &t.e0[j]
				for l := range lanes {
					sum[l] += e[l] * x[l] * next[l]
				}
			}
		}
		kernel.InterleavedDot(n, u, u, &lengthU)
		kernel.InterleavedDot(n, v, v, &lengthV)
		for l, x := range sum {
			t.d[l*n+i] = x / math.Sqrt(lengthU[l]*lengthV[l])
		}
	}
}

// store writes the results of a lane, the largest value first.
func (t *interleavedSVD) store(lane int, s []float64, u, v blas64.General) error {
	n := t.n
	d, order := t.d[lane*n:(lane+1)*n], t.order[:n]
	for i := range order {
		at := i
		for ; at > 0 && math.Abs(d[order[at-1]]) < math.Abs(d[i]); at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	for i, from := range order {
		if s[i] = math.Abs(d[from]) / t.size[lane] / t.scale[lane]; math.IsInf(s[i], 0) {
			return errOverflow
		}
	}
	for i, from := range order {
		storeColumn(u, i, t.ut[from*t.m*lanes+lane:], 1)
		storeColumn(v, i, t.vt[from*n*lanes+lane:], math.Copysign(1, d[from]))
	}
	return nil
}

// storeColumn writes a vector of a lane to column j of x. Adding 0 makes every zero positive.
func storeColumn(x blas64.General, j int, vector []float64, sign float64) {
	if x.Cols == 0 {
		return
	}
	for i := range x.Rows {
		x.Data[i*x.Stride+j] = sign*vector[i*lanes] + 0
	}
}
