package main

// The vector kernels of NEON, all for unit stride, in the order of lanes.go: 32 lanes are 16 registers.

func (g neon) vectors() {
	g.sum("dot")
	g.sum("asum")
	g.dotRows()
	g.axpy()
	g.axpy4()
	g.outer("outer", false)
	g.outer("outerAdd", true)
	g.scal()
	g.rot()
	g.sweep()
	g.fmaLoop()
}

const neonLanes = "V0-V15 the lanes, then operands, V31 zero; R1, R2 the vectors, R3 elements left"

// sum emits dot (fma of two vectors) or asum (sum of absolute values).
func (g neon) sum(name string) {
	if name == "dot" {
		g.text(name, "(n int, x, y *float64) float64", 32, neonLanes)
		g.lines("MOVD n+0(FP), R3", "MOVD x+8(FP), R1", "MOVD y+16(FP), R2")
		g.lanes(name)
		g.line("FMOVD F0, ret+24(FP)")
	} else {
		g.text(name, "(n int, x *float64) float64", 24, neonLanes)
		g.lines("MOVD n+0(FP), R3", "MOVD x+8(FP), R1")
		g.lanes(name)
		g.line("FMOVD F0, ret+16(FP)")
	}
	g.ret()
}

// lanes emits the sum over R3 elements from R1 (and R2) on, and leaves it in F0. What is left after whole blocks goes
// lane by lane, the last number alone in its register next to +0; lanes without an element take +0, as from a block
// filled with zeros (which asum cannot tell from nothing).
func (g neon) lanes(name string) {
	dot := name == "dot" || name == "dotRows"
	turn := 0
	add := func(i, n int, load func(base string, r int)) { // lanes i to i+n-1, registers 16-27 in turn
		r := 16 + turn%3*4
		turn++
		load("R1", r)
		if dot {
			load("R2", r+2)
		}
		for j := range n {
			if dot {
				g.fma(r+j, r+2+j, i+j)
			} else {
				g.abs(r+j, r+j)
				g.op("fadd", i+j, r+j, i+j)
			}
		}
	}
	for i := range 16 {
		g.zero(i)
	}
	g.lines("SUBS $32, R3", "BLT tail"+name)
	g.p("loop%s:", name)
	for i := 0; i < 16; i += 2 {
		add(i, 2, func(base string, r int) { g.line("FLDPQ.P 32(%s), (F%d, F%d)", base, r, r+1) })
	}
	g.lines("SUBS $32, R3", "BGE loop"+name)
	g.p("tail%s:", name)
	g.lines("ADDS $32, R3", "BEQ done"+name)
	g.zero(31)
	for i := range 16 {
		g.lines("SUBS $2, R3", sprintf("BLT odd%d%s", i, name))
		add(i, 1, func(base string, r int) { g.line("FMOVQ.P 16(%s), F%d", base, r) })
	}
	g.line("B done%s", name)
	for i := range 16 {
		g.p("odd%d%s:", i, name)
		g.lines("CMP $-1, R3", sprintf("BNE zero%d%s", i, name))
		add(i, 1, func(base string, r int) { g.load(base, 0, r, 1, true) })
		if i < 15 {
			g.line("B zero%d%s", i+1, name)
		} else {
			g.line("B done%s", name)
		}
	}
	for i := range 16 {
		g.p("zero%d%s:", i, name)
		if i == 0 {
			continue // there is an element
		}
		if dot {
			g.op("fadd", i, 31, i)
		}
	}
	g.p("done%s:", name)
	for half := 8; half >= 1; half /= 2 { // lane l + lane l+16, then + 8, ...
		for i := range half {
			g.op("fadd", i, i+half, i)
		}
	}
	g.pair(0, 0)
}

// dotRows: y_i = fma(alpha, dot, y_i) for the dots of some rows with one vector.
func (g neon) dotRows() {
	g.text("dotRows", "(rows, n int, alpha float64, a *float64, lda int, x, y *float64)", 56,
		"R4 rows left, R5 n, R6 row of a, R7 its stride, R8 x, R9 y; within a row "+neonLanes)
	g.lines("MOVD rows+0(FP), R4", "MOVD n+8(FP), R5", "MOVD a+24(FP), R6", "MOVD lda+32(FP), R7", "MOVD x+40(FP), R8",
		"MOVD y+48(FP), R9", "LSL $3, R7")
	g.p("rowdotRows:")
	g.lines("MOVD R5, R3", "MOVD R6, R1", "MOVD R8, R2")
	g.lanes("dotRows")
	g.lines("FMOVD alpha+16(FP), F16", "FMOVD (R9), F17")
	g.fma(0, 16, 17)
	g.lines("FMOVD.P F17, 8(R9)", "ADD R7, R6", "SUBS $1, R4", "BNE rowdotRows")
	g.ret()
}

// each emits a loop over R3 elements: blocks of four vectors, single vectors, and the last number. op emits the work on
// n vectors, or on one number where half is set; then the pointers move on.
func (g neon) each(pointers []string, op func(n int, half bool)) {
	l := g.label
	next := func(bytes int) {
		for _, r := range pointers {
			g.line("ADD $%d, %s", bytes, r)
		}
	}
	g.lines("SUBS $8, R3", "BLT few"+l)
	g.p("block%s:", l)
	op(4, false)
	next(64)
	g.lines("SUBS $8, R3", "BGE block"+l)
	g.p("few%s:", l)
	g.lines("ADDS $6, R3", "BLT rest"+l)
	g.p("vector%s:", l)
	op(1, false)
	next(16)
	g.lines("SUBS $2, R3", "BGE vector"+l)
	g.p("rest%s:", l)
	g.lines("ADDS $2, R3", "BEQ done"+l)
	op(1, true)
	g.p("done%s:", l)
	g.ret()
}

// factor loads an argument into both lanes.
func (g neon) factor(name string, offset, d int) {
	g.line("FMOVD %s+%d(FP), F%d", name, offset, d)
	g.line("VDUP V%d.D[0], V%d.D2", d, d)
}

// axpy: y = fma(alpha, x, y).
func (g neon) axpy() {
	g.text("axpy", "(n int, alpha float64, x, y *float64)", 32,
		"V0 alpha, V16-V19 x, V20-V23 y; R1 x, R2 y, R3 elements left")
	g.lines("MOVD n+0(FP), R3", "MOVD x+16(FP), R1", "MOVD y+24(FP), R2")
	g.factor("alpha", 8, 0)
	g.each([]string{"R1", "R2"}, func(n int, half bool) {
		g.load("R1", 0, 16, n, half)
		g.load("R2", 0, 20, n, half)
		for j := range n {
			g.fma(16+j, 0, 20+j)
		}
		g.save("R2", 0, 20, n, half)
	})
}

// axpy4: four axpy with consecutive rows of x in one pass over y.
func (g neon) axpy4() {
	g.text("axpy4", "(n int, alpha *[4]float64, x *float64, ldx int, y *float64)", 40,
		"V0-V1 the factors, V16-V19 y, V20-V27 x in turn; R4-R7 the rows, R2 y, R3 elements left")
	g.lines("MOVD n+0(FP), R3", "MOVD alpha+8(FP), R1", "MOVD x+16(FP), R4", "MOVD ldx+24(FP), R8", "MOVD y+32(FP), R2",
		"ADD R8<<3, R4, R5", "ADD R8<<3, R5, R6", "ADD R8<<3, R6, R7", "FLDPQ (R1), (F0, F1)")
	g.each([]string{"R4", "R5", "R6", "R7", "R2"}, func(n int, half bool) {
		g.load("R2", 0, 16, n, half)
		for row := range 4 {
			x := 20 + row%2*4
			g.load(sprintf("R%d", 4+row), 0, x, n, half)
			for j := range n {
				g.lane("fmla", x+j, row/2, row%2, 16+j)
			}
		}
		g.save("R2", 0, 16, n, half)
	})
}

// outer: y = fma(alpha, fma(a, x, +0), +0), or + y: a row of a product over one index.
func (g neon) outer(name string, add bool) {
	g.text(name, "(n int, alpha, a float64, x, y *float64)", 40,
		"V0 alpha, V1 a, V16-V19 x, V20-V23 a·x, V24-V27 y; R1 x, R2 y, R3 elements left")
	g.lines("MOVD n+0(FP), R3", "MOVD x+24(FP), R1", "MOVD y+32(FP), R2")
	g.factor("alpha", 8, 0)
	g.factor("a", 16, 1)
	g.each([]string{"R1", "R2"}, func(n int, half bool) {
		g.load("R1", 0, 16, n, half)
		if add {
			g.load("R2", 0, 24, n, half)
		}
		for j := range n {
			g.zero(20 + j)
			if !add {
				g.zero(24 + j)
			}
			g.fma(16+j, 1, 20+j)
			g.fma(20+j, 0, 24+j)
		}
		g.save("R2", 0, 24, n, half)
	})
}

// scal: x = alpha·x.
func (g neon) scal() {
	g.text("scal", "(n int, alpha float64, x *float64)", 24, "V0 alpha, V16-V19 x; R1 x, R3 elements left")
	g.lines("MOVD n+0(FP), R3", "MOVD x+16(FP), R1")
	g.factor("alpha", 8, 0)
	g.each([]string{"R1"}, func(n int, half bool) {
		g.load("R1", 0, 16, n, half)
		for j := range n {
			g.op("fmul", 16+j, 0, 16+j)
		}
		g.save("R1", 0, 16, n, half)
	})
}

// rot: x, y = fma(c, x, s·y), fma(c, y, -(s·x)), where -(s·x) is (-s)·x.
func (g neon) rot() {
	g.text("rot", "(n int, x, y *float64, c, s float64)", 40,
		"V0 c, V1 s, V2 -s, V16-V19 x, V20-V23 y, V24-V27 and V28-V31 the new ones; R1 x, R2 y, R3 elements left")
	g.lines("MOVD n+0(FP), R3", "MOVD x+8(FP), R1", "MOVD y+16(FP), R2")
	g.factor("c", 24, 0)
	g.factor("s", 32, 1)
	g.neg(1, 2)
	g.each([]string{"R1", "R2"}, func(n int, half bool) {
		g.load("R1", 0, 16, n, half)
		g.load("R2", 0, 20, n, half)
		for j := range n {
			g.op("fmul", 20+j, 1, 24+j)
			g.op("fmul", 16+j, 2, 28+j)
			g.fma(16+j, 0, 24+j)
			g.fma(20+j, 0, 28+j)
		}
		g.save("R1", 0, 24, n, half)
		g.save("R2", 0, 28, n, half)
	})
}

// sweep: four sweeps of rotations at once down a panel of 8 columns, see rotations.go and the same routine of AVX2.
// Sweep q keeps the row that it will rotate next, P_q; a row v enters from below, meets P_0 … P_3 in turn, and leaves
// at the top. Meeting: v, P = fma(c, P, s·v), fma(c, v, (-s)·P).
func (g neon) sweep() {
	const w, cs, negated = 4, 24, 28
	g.text("sweep", "(steps int, a *float64, ld int, cs *float64)", 32,
		"V0-V15 the rows P3 to P0, V16-V23 the entering and the leaving row in turn, V24-V27 c and s of the four sweeps, "+
			"V28-V31 the same negated; "+
			"R1 the row that leaves, R2 the one that enters, R3 steps left, R4 stride, R5 the rotations, R6, R7, R8 rows 1 to 3")
	g.lines("MOVD steps+0(FP), R3", "MOVD a+8(FP), R1", "MOVD ld+16(FP), R4", "MOVD cs+24(FP), R5", "CBZ R3, donesweep",
		"LSL $3, R4",
		"ADD R4, R1, R6", "ADD R4, R6, R7", "ADD R4, R7, R8", "ADD R4, R8, R2")
	rows := []string{"R1", "R6", "R7", "R8"}
	p := func(q int) int { return (3 - q) * w } // row r of the four belongs to sweep 3-r
	for r, row := range rows {
		g.load(row, 0, p(3-r), w, false)
	}
	g.p("loopsweep:")
	g.load("R2", 0, 16, w, false)
	g.load("R5", 0, cs, 4, false)
	for q := range 4 {
		g.neg(cs+q, negated+q)
	}
	for q := range 4 {
		v, next := 16+q%2*w, 16+(q+1)%2*w
		for j := range w {
			g.lane("fmul", v+j, cs+q, 1, next+j)
			g.lane("fmla", p(q)+j, cs+q, 0, next+j)
			g.lane("fmul", p(q)+j, negated+q, 1, p(q)+j)
			g.lane("fmla", v+j, cs+q, 0, p(q)+j)
		}
	}
	g.save("R1", 0, 16, w, false)
	g.lines("ADD R4, R1", "ADD R4, R2", "ADD $64, R5", "SUBS $1, R3", "BNE loopsweep", "ADD R4, R1, R6", "ADD R4, R6, R7",
		"ADD R4, R7, R8")
	for r, row := range rows {
		g.save(row, 0, p(3-r), w, false)
	}
	g.p("donesweep:")
	g.ret()
}

// fmaLoop: 24 independent fused multiply-adds in registers, the peak that the matrix kernels are compared with.
func (g neon) fmaLoop() {
	g.text("fmaLoop", "(n int)", 8, "V30, V31 the factors, V0-V23 the chains; R3 turns left")
	g.line("MOVD n+0(FP), R3")
	for i := range 32 {
		g.zero(i)
	}
	g.p("loopfma:")
	for i := range 24 {
		g.fma(30, 31, i)
	}
	g.lines("SUBS $1, R3", "BNE loopfma")
	g.ret()
}
