package blas

import gblas "gonum.org/v1/gonum/blas"

// ApplyRotations applies sweeps of plane rotations to the m×n matrix A in place: what LAPACK's Dlasr (variable pivot)
// does one sweep at a time and QR iteration spends its time on. Rotation j of sweep q, with cosine c[q·ldr+j] and sine
// s[q·ldr+j], turns rows (Left) or columns (Right) j and j+1, like Drot:
//
//	x_j, x_{j+1} = c·x_j + s·x_{j+1}, c·x_{j+1} - s·x_j
//
// Sweep 0 comes first. Within a sweep j ascends, or descends if backward is set. A sweep has z-1 rotations, z = m
// (Left) or n (Right). The result has the bits of one Drot after the other. Cost 6 flops per rotation and element:
// 6·sweeps·(m-1)·n or 6·sweeps·m·(n-1).
//
// The rotations of four sweeps run together as a wave: while sweep 0 turns rows (j+3, j+4), sweep 1 turns (j+2, j+3),
// and so on, so that a row is loaded and stored once for four sweeps and the rows between stay in registers. They run
// on panels, copies of some columns (Left), or of some rows as columns (Right), that stay in cache for all sweeps. (Van
// Zee, van de Geijn, Quintana-Ortí, ACM TOMS 40(3), 2014.)
func ApplyRotations(side gblas.Side, backward bool, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int) {
	checkSide(side)
	checkM(m)
	checkN(n)
	if sweeps < 0 {
		panic("blas: sweeps < 0")
	}
	checkLdA(lda, n)
	z, others := n, m
	if side == gblas.Left {
		z, others = m, n
	}
	if ldr < max(1, z-1) {
		panic("blas: bad leading dimension of the rotations")
	}
	if m == 0 || n == 0 || z < 2 || sweeps == 0 {
		return
	}
	if !holds(min(len(c), len(s)), sweeps, z-1, uint(ldr)) {
		panic("blas: insufficient length of the rotations")
	}
	checkA(len(a), m, n, lda)

	// Some sweeps at a time, so that the rotations in the order of the wave, 1 MiB of them, stay in cache for all panels.
	batch := max(16, 1<<16/z&^3)
	for q := 0; q < sweeps; q += batch {
		r := rotations{z: z, sweeps: min(batch, sweeps-q), c: c[q*ldr:], s: s[q*ldr:], ldr: ldr, backward: backward}
		r.run(side, others, a, lda)
	}
}

// RotateRows applies one sweep of rotations to rows of n columns: rotation j turns rows j and j+1, number 0 first, with
// the bits of as many Drot. There are len(c) of them, no more than len(s). For a sweep or two of short rows, where the
// panels of ApplyRotations do not pay. Cost 6·len(c)·n flops.
func RotateRows(n int, c, s, a []float64, lda int) {
	checkN(n)
	checkLdA(lda, n)
	if n == 0 || len(c) == 0 {
		return
	}
	if len(s) < len(c) {
		panic("blas: insufficient length of the rotations")
	}
	checkA(len(a), len(c)+1, n, lda)
	current().id.rotateRows(n, c, s[:len(c)], a, lda)
}

// rotateOneByOne is RotateRows by the routine on vectors.
func (id isa) rotateOneByOne(n int, c, s, a []float64, lda int) {
	for j := range c {
		id.rot(a[j*lda:j*lda+n], a[(j+1)*lda:(j+1)*lda+n], c[j], s[j])
	}
}

// run applies the rotations to all of A, panel by panel.
func (r rotations) run(side gblas.Side, others int, a []float64, lda int) {
	id := current().id
	wave := workspaceVector(8 * max(0, r.z-4) * (r.sweeps / 4))
	defer wave.free()
	r.order(wave.data)

	width, threads := id.sweepWidth(), threadsFor(6*float64(r.sweeps)*float64(r.z)*float64(others))
	Share(threads, (others+width-1)/width, func(task int) {
		at := task * width
		p := panel{z: r.z, width: width, used: min(width, others-at), backward: r.backward}
		if side == gblas.Left {
			p.data, p.rs, p.cs = a[at:], lda, 1
		} else {
			p.data, p.rs, p.cs = a[at*lda:], 1, lda
		}
		copied := workspaceVector(r.z * width)
		defer copied.free()
		p.load(copied.data)
		r.apply(id, copied.data, width)
		p.store(copied.data)
	})
}

// rotations are the sweeps, turned so that they always go forward: a backward sweep is a forward one with rows in
// reverse and -s for s.
type rotations struct {
	z, sweeps int
	c, s      []float64
	ldr       int
	backward  bool
	wave      []float64 // c and s in the order of the wave: for every four sweeps, for every step, sweeps 0 to 3
}

// at is rotation j of sweep q.
func (r *rotations) at(q, j int) (c, s float64) {
	if r.backward {
		j = r.z - 2 - j
		return r.c[q*r.ldr+j], -r.s[q*r.ldr+j]
	}
	return r.c[q*r.ldr+j], r.s[q*r.ldr+j]
}

// order fills the wave. In step t sweep q of four turns rows (3+t-q, 4+t-q).
func (r *rotations) order(wave []float64) {
	r.wave = wave
	i := 0
	for first := 0; first+4 <= r.sweeps; first += 4 {
		for t := range max(0, r.z-4) {
			for q := range 4 {
				wave[i], wave[i+1] = r.at(first+q, 3+t-q)
				i += 2
			}
		}
	}
}

// apply turns the rows of a panel.
func (r *rotations) apply(id isa, rows []float64, width int) {
	turn := func(q, from, to int) { // rotations from … to-1 of sweep q
		for j := from; j < to; j++ {
			c, s := r.at(q, j)
			id.rot(rows[j*width:(j+1)*width], rows[(j+1)*width:(j+2)*width], c, s)
		}
	}
	steps, q := r.z-4, 0
	for ; steps > 0 && q+4 <= r.sweeps; q += 4 {
		turn(q, 0, 3)
		turn(q+1, 0, 2)
		turn(q+2, 0, 1)
		id.sweep(steps, rows, r.wave[q/4*8*steps:])
		turn(q+1, r.z-2, r.z-1)
		turn(q+2, r.z-3, r.z-1)
		turn(q+3, r.z-4, r.z-1)
	}
	for ; q < r.sweeps; q++ {
		turn(q, 0, r.z-1)
	}
}

const portableSweepWidth = 8

// sweepPortable is the wave without the bounds: row 4+t enters in step t.
func sweepPortable(steps int, panel, coefficients []float64) {
	const w = portableSweepWidth
	for t := range steps {
		for q := range 4 {
			j := (3 + t - q) * w
			cs := coefficients[8*t+2*q:]
			rotPortable(panel[j:j+w], panel[j+w:j+2*w], cs[0], cs[1])
		}
	}
}

// panel is the place in A of z rows of used columns (for rotations of rows) or of used rows (for rotations of columns,
// transposed).
type panel struct {
	data           []float64
	rs, cs         int // strides along z and across
	z, width, used int
	backward       bool
}

// row is the place in the copy of row i.
func (p *panel) row(i int) int {
	if p.backward {
		i = p.z - 1 - i
	}
	return i * p.width
}

// load copies the panel; unused columns are zero.
func (p *panel) load(rows []float64) {
	if p.used < p.width {
		clear(rows)
	}
	if p.cs == 1 {
		for i := range p.z {
			copy(rows[p.row(i):p.row(i)+p.used], p.data[i*p.rs:])
		}
		return
	}
	for j := range p.used {
		for i, v := range p.data[j*p.cs : j*p.cs+p.z] {
			rows[p.row(i)+j] = v
		}
	}
}

// store copies it back.
func (p *panel) store(rows []float64) {
	if p.cs == 1 {
		for i := range p.z {
			copy(p.data[i*p.rs:i*p.rs+p.used], rows[p.row(i):])
		}
		return
	}
	for j := range p.used {
		dst := p.data[j*p.cs : j*p.cs+p.z]
		for i := range dst {
			dst[i] = rows[p.row(i)+j]
		}
	}
}
