package linalg

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/internal/roundoff"
)

// side tells in which half of the columns a vector may be nonzero.
type side uint8

const (
	left  side = 1
	right side = 2
	both  side = left | right
)

// pole is one diagonal entry of the inner problem of a merge, its component of z, and the row of the bases that holds
// its vectors.
type pole struct {
	d, z float64
	row  int
	side side
}

func byValue(a, b pole) int { return cmp.Compare(a.d, b.d) }

// mergeSpace is the memory of a merge of up to n poles, used again by every merge that is not solved next to it.
type mergeSpace struct {
	poles, kept, dropped, order []pole
	place                       []int
	d, z, roots, x, y           []float64 // of the secular equation and its vectors
	s, t                        []float64 // the inner vectors, t those of a second side
	rows                        []float64 // copies of the rows that recombine replaces
}

// mergeSpace is the memory of merges up to order n, of vectors on one side or two.
func (w *workspace) mergeSpace(n, sides int) *mergeSpace {
	m := &w.merge
	m.poles, m.kept, m.dropped, m.order = sized(&m.poles, n), sized(&m.kept, n), sized(&m.dropped, n+1), sized(&m.order, n)
	m.place = sized(&m.place, n)
	m.d, m.z, m.roots, m.x, m.y = w.take(n), w.take(n), w.take(n), w.take(n), w.take(n)
	m.s, m.t, m.rows = w.take(n*n), nil, w.take(n*n)
	if sides == 2 {
		m.t = w.take(n * n)
	}
	return m
}

// halves cuts the memory of merges up to order n in two, for those up to order cut and up to order n - cut.
func (w *mergeSpace) halves(cut int) (first, second *mergeSpace) {
	first, second = new(mergeSpace), new(mergeSpace)
	first.poles, second.poles = halved(w.poles, cut)
	first.kept, second.kept = halved(w.kept, cut)
	first.dropped, second.dropped = halved(w.dropped, cut)
	first.order, second.order = halved(w.order, cut)
	first.place, second.place = halved(w.place, cut)
	first.d, second.d = halved(w.d, cut)
	first.z, second.z = halved(w.z, cut)
	first.roots, second.roots = halved(w.roots, cut)
	first.x, second.x = halved(w.x, cut)
	first.y, second.y = halved(w.y, cut)
	first.s, second.s = halved(w.s, cut*cut)
	first.t, second.t = halved(w.t, min(len(w.t), cut*cut))
	first.rows, second.rows = halved(w.rows, cut*cut)
	return first, second
}

func halved[T any](s []T, cut int) (first, second []T) { return s[:cut:cut], s[cut:] }

// secular is the equation of the kept poles, and room for its solution.
func (w *mergeSpace) secular(kept []pole, rho float64, squared bool) secular {
	k := len(kept)
	for i, p := range kept {
		w.d[i], w.z[i] = p.d, p.z
	}
	return secular{d: w.d[:k], z: w.z[:k], rho: rho, squared: squared, roots: w.roots[:k], work: w.x[:k]}
}

// deflation is the tolerance of deflate relative to the norm of the inner problem: half a rounding. LAPACK takes 8
// times that, which deflates hardly more but shows in the residual of small matrices.
const deflation = roundoff.Unit

// deflate removes poles that the update does not move by more than tol: where z is negligible, and one of two that are
// so close that a rotation of their vectors can make it so. The poles ascend; rotate turns the vectors of rows i and j
// by (c, s) like Drot. The first of the result is never rotated if fixed is set. (Dongarra, Sorensen, SIAM J. Sci.
// Stat. Comput. 8 (1987) s139.)
func (w *mergeSpace) deflate(poles []pole, fixed bool, rho, tol float64,
	rotate func(i, j int, c, s float64)) (kept, dropped []pole) {
	kept, dropped = w.kept[:0], w.dropped[:0]
	start := 0
	if fixed {
		kept, poles, start = append(kept, poles[0]), poles[1:], 1
	}
	for _, p := range poles {
		if !(rho*math.Abs(p.z) > tol) {
			dropped = append(dropped, p)
			continue
		}
		if len(kept) > start {
			last := &kept[len(kept)-1]
			r := math.Hypot(last.z, p.z)
			c, s := p.z/r, -last.z/r
			if gap := p.d - last.d; math.Abs(gap*c*s) <= tol {
				rotate(last.row, p.row, c, s)
				dropped = append(dropped, pole{d: last.d + gap*s*s, row: last.row})
				// no lower than it was: the poles ascend
				*last = pole{d: last.d + gap*c*c, z: r, row: p.row, side: last.side | p.side}
				continue
			}
		}
		kept = append(kept, p)
	}
	return kept, dropped
}

// arrange lists the kept poles with the sides in order (left, both, right), and the place of each in that list, so that
// a product with one half of the columns takes a contiguous part.
func (w *mergeSpace) arrange(kept []pole) (order []pole, place []int) {
	order, place = w.order[:0], w.place[:len(kept)]
	for _, side := range [...]side{left, both, right} {
		for i, p := range kept {
			if p.side == side {
				place[i] = len(order)
				order = append(order, p)
			}
		}
	}
	return order, place
}

// recombine replaces the square basis q, vectors in rows, whose first split columns are the left half: its first rows
// become s times the vectors of order, whose columns are arranged so, and the rows after them those of dropped.
func (w *mergeSpace) recombine(q blas64.General, split int, order, dropped []pole, s blas64.General) {
	work := w.rows
	k := len(order)
	nl, nb := 0, 0
	for _, p := range order {
		switch p.side {
		case left:
			nl++
		case both:
			nb++
		}
	}
	take := func(poles []pole, from, to int) blas64.General {
		width := to - from
		g := blas64.General{Rows: len(poles), Cols: width, Stride: max(1, width), Data: work[:len(poles)*width]}
		for i, p := range poles {
			copy(g.Data[i*width:(i+1)*width], rowOf(q, p.row)[from:to])
		}
		work = work[len(g.Data):]
		return g
	}
	l := take(order[:nl+nb], 0, split)
	r := take(order[nl:], split, q.Cols)
	rest := take(dropped, 0, q.Cols)
	multiply(blas.NoTrans, blas.NoTrans, 1, part(s, 0, 0, k, nl+nb), l, 0, part(q, 0, 0, k, split))
	multiply(blas.NoTrans, blas.NoTrans, 1, part(s, 0, nl, k, k-nl), r, 0, part(q, 0, split, k, q.Cols-split))
	for i := range dropped {
		copy(rowOf(q, k+i), rowOf(rest, i))
	}
}

// normaliser is a power of two near 1/x, with which products of a few quantities of size x neither overflow nor
// underflow.
func normaliser(x float64) float64 {
	if x == 0 {
		return 1
	}
	_, e := math.Frexp(x)
	return math.Ldexp(1, min(1000, max(-1000, -e)))
}

// rotation returns c, s and r ≥ 0 with c·x + s·y = r and c·y - s·x = 0. Numbers whose r would be subnormal, with too
// few digits to divide by, are lifted first.
func rotation(x, y float64) (c, s, r float64) {
	const tiny, lift = 0x1p-960, 0x1p500
	switch r = math.Hypot(x, y); {
	case r == 0:
		return 1, 0, 0
	case r < tiny:
		c, s, r = rotation(x*lift, y*lift)
		return c, s, r / lift
	}
	return x / r, y / r, r
}
