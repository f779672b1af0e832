package main

import "strings"

// The vector kernels, all for unit stride. Sums run in 32 lanes: element i belongs to lane i mod 32, a lane is one
// chain of fused multiply-adds, the last block is padded with zeros. The lanes are added pairwise by halves of the
// block (see lanes.go).

func (g *gen) vectors(s isa) {
	if s.Lanes == 4 {
		g.masks("mask32", 32)
		for n := 1; n <= 4; n++ {
			g.chains(n)
		}
	} else {
		for n := 1; n <= 4; n++ {
			g.wideChains(n)
		}
	}
	g.sum(s, "dot")
	g.sum(s, "asum")
	g.dotRows(s)
	g.axpy(s)
	g.axpy4(s)
	g.shortRows(s)
	g.outer(s, "outer", false)
	g.outer(s, "outerAdd", true)
	g.scal(s)
	g.rot(s)
	g.sweep(s)
	g.fmaLoop(s)
}

// text opens a routine whose arguments take size bytes. plan says what the registers hold, # standing for the letter of
// the vectors.
func (g *gen) text(s isa, name, decl string, size int, plan string) {
	g.p("// func %s%s%s", name, s.name, decl)
	g.p("//\n// %s", strings.ReplaceAll(plan, "#", s.letter))
	g.p("TEXT ·%s%s(SB), NOSPLIT, $0-%d", name, s.name, size)
	g.label = name
}

// sum emits dot (fma of two vectors) or asum (sum of absolute values). 32 lanes in nv registers from 0 on.
func (g *gen) sum(s isa, name string) {
	if name == "dot" {
		g.text(s, name, "(n int, x, y *float64) float64", 32, lanesPlan(s))
		g.lines("MOVQ n+0(FP), CX", "MOVQ x+8(FP), SI", "MOVQ y+16(FP), DI")
	} else {
		g.text(s, name, "(n int, x *float64) float64", 24, lanesPlan(s))
		g.lines("MOVQ n+0(FP), CX", "MOVQ x+8(FP), SI", "MOVQ $0x7fffffffffffffff, AX", "VMOVQ AX, X15")
		g.line("VPBROADCASTQ X15, %s", s.reg(32/s.Lanes+1))
	}
	if name == "dot" {
		g.shortDot(s)
	}
	g.tailMasks(s)
	g.lanes(s, name)
	if name == "dot" {
		g.line("VMOVSD X0, ret+24(FP)")
	} else {
		g.line("VMOVSD X0, ret+16(FP)")
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

func lanesPlan(s isa) string {
	return sprintf("#0-#%d the lanes, then operands; SI, DI the vectors, CX elements left; "+
		"masks of the tail K1-K4 (AVX-512) or from AX on", 32/s.Lanes-1)
}

// tailMasks puts the masks of the last block of n (in CX) elements into K1-K4.
func (g *gen) tailMasks(s isa) {
	if s.Lanes != 8 {
		return
	}
	g.lines("MOVQ CX, R14", "ANDQ $31, CX", "MOVQ $1, AX", "SHLQ CX, AX", "DECQ AX")
	for i := range 4 {
		g.line("KMOVQ AX, K%d", i+1)
		if i < 3 {
			g.line("SHRQ $8, AX")
		}
	}
	g.line("MOVQ R14, CX")
}

// lanes emits the sum over CX elements from SI (and DI) on, and leaves it in X0. Registers: nv accumulators, operand,
// sign mask or second operand, mask of the tail.
func (g *gen) lanes(s isa, name string) {
	nv, bytes := 32/s.Lanes, 8*s.Lanes
	t, absmask := s.reg(nv), s.reg(nv+1)
	for i := range nv {
		g.line("VXORPD %s, %s, %s", s.reg(i), s.reg(i), s.reg(i))
	}
	add := func(i int, loadx, loady func(to string)) {
		loadx(t)
		if name == "asum" {
			and := "VANDPD"
			g.line("%s %s, %s, %s", and, absmask, t, t)
			g.line("VADDPD %s, %s, %s", t, s.reg(i), s.reg(i))
			return
		}
		loady(s.reg(nv + 2))
		g.line("VFMADD231PD %s, %s, %s", s.reg(nv+2), t, s.reg(i))
	}
	g.lines("SUBQ $32, CX", "JLT tail"+name)
	g.p("loop%s:", name)
	for i := range nv {
		add(i, func(to string) { g.line("VMOVUPD %d(SI), %s", bytes*i, to) },
			func(to string) { g.line("VMOVUPD %d(DI), %s", bytes*i, to) })
	}
	g.line("ADDQ $256, SI")
	if name != "asum" {
		g.line("ADDQ $256, DI")
	}
	g.lines("SUBQ $32, CX", "JGE loop"+name)
	g.p("tail%s:", name)
	g.lines("ADDQ $32, CX", "JZ done"+name)
	if s.Lanes == 8 {
		for i := range nv {
			k := sprintf("K%d", i+1)
			add(i, func(to string) { g.line("VMOVUPD.Z %d(SI), %s, %s", bytes*i, k, to) },
				func(to string) { g.line("VMOVUPD.Z %d(DI), %s, %s", bytes*i, k, to) })
		}
	} else {
		g.lines("NEGQ CX", "LEAQ mask32<>+256(SB), AX", "LEAQ (AX)(CX*8), AX")
		m := s.reg(nv + 3)
		for i := range nv {
			g.line("VMOVUPD %d(AX), %s", bytes*i, m)
			add(i, func(to string) { g.line("VMASKMOVPD %d(SI), %s, %s", bytes*i, m, to) },
				func(to string) { g.line("VMASKMOVPD %d(DI), %s, %s", bytes*i, m, to) })
		}
	}
	g.p("done%s:", name)
	for half := nv / 2; half >= 1; half /= 2 { // lane l + lane l+16, then + 8, ...
		for i := range half {
			g.line("VADDPD %s, %s, %s", s.reg(i+half), s.reg(i), s.reg(i))
		}
	}
	if s.Lanes == 8 {
		g.lines("VEXTRACTF64X4 $1, Z0, Y1", "VADDPD Y1, Y0, Y0")
	}
	g.lastLanes()
}

// lastLanes adds the four lanes of Y0 into X0.
func (g *gen) lastLanes() {
	g.lines("VEXTRACTF128 $1, Y0, X1", "VADDPD X1, X0, X0", "VPERMILPD $1, X0, X1", "VADDSD X1, X0, X0")
}

// dotRows: y_i = fma(alpha, dot, y_i) for the dots of some rows with one vector. The same as dot for every row, without
// the calls, and with the reduction of a row overlapping the next row.
func (g *gen) dotRows(s isa) {
	g.text(s, "dotRows", "(rows, n int, alpha float64, a *float64, lda int, x, y *float64)", 56,
		"X15 alpha, R9 rows left, R10 row of a, R8 its stride, R11 x, R12 y, R13 n; within a row "+lanesPlan(s))
	g.lines("MOVQ rows+0(FP), R9", "MOVQ n+8(FP), R13", "VMOVSD alpha+16(FP), X15", "MOVQ a+24(FP), R10",
		"MOVQ lda+32(FP), R8",
		"MOVQ x+40(FP), R11", "MOVQ y+48(FP), R12", "SHLQ $3, R8")
	g.shortDotRows(s)
	g.line("MOVQ R13, CX")
	g.tailMasks(s)
	if s.Lanes == 8 {
		g.fourDotRows(s)
	}
	g.p("rowdotRows:")
	g.lines("MOVQ R13, CX", "MOVQ R10, SI", "MOVQ R11, DI")
	g.lanes(s, "dotRows")
	g.lines("VFMADD213SD (R12), X15, X0", "VMOVSD X0, (R12)", "ADDQ $8, R12", "ADDQ R8, R10", "DECQ R9", "JNZ rowdotRows",
		"VZEROUPPER", "RET")
	g.p("")
}

// fourDotRows takes four rows at a time while there are so many: one load of x serves all of them. Where neither is
// aligned, as in a reduction, every load is of two cache lines, and loads were what a row at a time waited for.
func (g *gen) fourDotRows(s isa) {
	const rows, parts = 4, 4
	at := []string{"SI", "AX", "BX", "DX"}
	lanes := func(row, part int) string { return s.reg(16 + parts*row + part) }
	block := func(load string, mask func(part int) string) {
		for part := range parts {
			g.line("%s %d(DI)%s, %s", load, 64*part, mask(part), s.reg(part))
			for row := range rows {
				g.line("%s %d(%s)%s, %s", load, 64*part, at[row], mask(part), s.reg(4+row))
				g.line("VFMADD231PD %s, %s, %s", s.reg(part), s.reg(4+row), lanes(row, part))
			}
		}
	}
	g.lines("SUBQ $4, R9", "JLT fewdotRows")
	g.p("fourdotRows:")
	g.lines("MOVQ R13, CX", "MOVQ R11, DI", "MOVQ R10, SI", "LEAQ (SI)(R8*1), AX", "LEAQ (AX)(R8*1), BX",
		"LEAQ (BX)(R8*1), DX", "LEAQ (DX)(R8*1), R10")
	for row := range rows {
		for part := range parts {
			g.line("VPXORQ %[1]s, %[1]s, %[1]s", lanes(row, part))
		}
	}
	g.lines("SUBQ $32, CX") // there are more than short
	g.lines("JLT tailfourdotRows")
	g.p("blockfourdotRows:")
	block("VMOVUPD", func(int) string { return "" })
	for _, r := range append(at, "DI") {
		g.line("ADDQ $256, %s", r)
	}
	g.lines("SUBQ $32, CX", "JGE blockfourdotRows")
	g.p("tailfourdotRows:")
	g.lines("ADDQ $32, CX", "JZ sumfourdotRows")
	block("VMOVUPD.Z", func(part int) string { return sprintf(", K%d", part+1) })
	g.p("sumfourdotRows:")
	for row := range rows {
		g.line("VADDPD %s, %s, Z0", lanes(row, 2), lanes(row, 0))
		g.line("VADDPD %s, %s, Z1", lanes(row, 3), lanes(row, 1))
		g.lines("VADDPD Z1, Z0, Z0", "VEXTRACTF64X4 $1, Z0, Y1", "VADDPD Y1, Y0, Y0")
		g.lastLanes()
		g.lines(sprintf("VFMADD213SD %d(R12), X15, X0", 8*row), sprintf("VMOVSD X0, %d(R12)", 8*row))
	}
	g.lines("ADDQ $32, R12", "SUBQ $4, R9", "JGE fourdotRows")
	g.p("fewdotRows:")
	g.lines("ADDQ $4, R9", "JNZ rowdotRows", "VZEROUPPER", "RET")
}

// each emits a loop over the elements: blocks of `unroll` vectors, single vectors, then the rest (masked, or one by
// one). op(at, width) emits the work on the vector at byte offset `at`, kind "" for a full vector, "K1" masked or "SD"
// for a scalar; next advances the pointers by bytes.
func (g *gen) each(s isa, unroll int, op func(at int, kind string), next func(bytes int)) {
	l, bytes := g.label, 8*s.Lanes
	g.line("SUBQ $%d, CX", unroll*s.Lanes)
	g.line("JLT few%s", l)
	g.p("block%s:", l)
	for u := range unroll {
		op(bytes*u, "")
	}
	next(bytes * unroll)
	g.line("SUBQ $%d, CX", unroll*s.Lanes)
	g.line("JGE block%s", l)
	g.p("few%s:", l)
	g.line("ADDQ $%d, CX", (unroll-1)*s.Lanes)
	g.line("JLT rest%s", l)
	g.p("vector%s:", l)
	op(0, "")
	next(bytes)
	g.line("SUBQ $%d, CX", s.Lanes)
	g.line("JGE vector%s", l)
	g.p("rest%s:", l)
	g.line("ADDQ $%d, CX", s.Lanes)
	g.line("JZ done%s", l)
	if s.Lanes == 8 {
		g.lines("MOVQ $1, AX", "SHLQ CX, AX", "DECQ AX", "KMOVQ AX, K1")
		op(0, "K1")
	} else {
		g.p("one%s:", l)
		op(0, "SD")
		next(8)
		g.line("DECQ CX")
		g.line("JNZ one%s", l)
	}
	g.p("done%s:", l)
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// load, save and op3 emit loads, stores and arithmetic on registers by number, for a kind of operand.
func (g *gen) load(s isa, kind string, at int, base string, r int) {
	switch kind {
	case "":
		g.line("VMOVUPD %d(%s), %s", at, base, s.reg(r))
	case "K1":
		g.line("VMOVUPD.Z %d(%s), K1, %s", at, base, s.reg(r))
	case "SD":
		g.line("VMOVSD %d(%s), X%d", at, base, r)
	}
}

func (g *gen) save(s isa, kind string, r, at int, base string) {
	switch kind {
	case "":
		g.line("VMOVUPD %s, %d(%s)", s.reg(r), at, base)
	case "K1":
		g.line("VMOVUPD %s, K1, %d(%s)", s.reg(r), at, base)
	case "SD":
		g.line("VMOVSD X%d, %d(%s)", r, at, base)
	}
}

// op3 emits to = to ∘ (x, y) on registers; scalars use the low lane of the same registers.
func (g *gen) op3(s isa, kind, name string, x, y, to int) {
	if kind == "SD" {
		g.line("%sSD X%d, X%d, X%d", name, x, y, to)
		return
	}
	g.line("%sPD %s, %s, %s", name, s.reg(x), s.reg(y), s.reg(to))
}

// axpy: y = fma(alpha, x, y). Registers: 0 alpha, 1-2 in turn x and y.
func (g *gen) axpy(s isa) {
	g.text(s, "axpy", "(n int, alpha float64, x, y *float64)", 32,
		"#0 alpha, then x and y in turn; SI x, DI y, CX elements left, K1 the rest")
	g.lines("MOVQ n+0(FP), CX", "MOVQ x+16(FP), SI", "MOVQ y+24(FP), DI")
	g.line("VBROADCASTSD alpha+8(FP), %s", s.reg(0))
	turn := 0
	g.each(s, 4, func(at int, kind string) {
		x, y := 1+2*(turn%4), 2+2*(turn%4)
		turn++
		g.load(s, kind, at, "SI", x)
		g.load(s, kind, at, "DI", y)
		g.op3(s, kind, "VFMADD231", x, 0, y)
		g.save(s, kind, y, at, "DI")
	}, func(bytes int) {
		g.line("ADDQ $%d, SI", bytes)
		g.line("ADDQ $%d, DI", bytes)
	})
}

// axpy4: four axpy with consecutive rows of x in one pass over y. Registers: 0-3 the factors, the rest x and y in turn.
func (g *gen) axpy4(s isa) {
	g.text(s, "axpy4", "(n int, alpha *[4]float64, x *float64, ldx int, y *float64)", 40,
		"#0-#3 the factors, then x and y in turn; SI, R9, R10, R11 the rows, DI y, CX elements left, K1 the rest")
	g.lines("MOVQ n+0(FP), CX", "MOVQ alpha+8(FP), AX", "MOVQ x+16(FP), SI", "MOVQ ldx+24(FP), R8", "MOVQ y+32(FP), DI",
		"SHLQ $3, R8",
		"LEAQ (SI)(R8*1), R9", "LEAQ (R9)(R8*1), R10", "LEAQ (R10)(R8*1), R11")
	rows := []string{"SI", "R9", "R10", "R11"}
	for i := range 4 {
		g.line("VBROADCASTSD %d(AX), %s", 8*i, s.reg(i))
	}
	turn := 0
	g.each(s, 2, func(at int, kind string) {
		x, y := 4+2*(turn%4), 5+2*(turn%4)
		turn++
		g.load(s, kind, at, "DI", y)
		for i, row := range rows {
			g.load(s, kind, at, row, x)
			g.op3(s, kind, "VFMADD231", x, i, y)
		}
		g.save(s, kind, y, at, "DI")
	}, func(bytes int) {
		for _, row := range append(rows, "DI") {
			g.line("ADDQ $%d, %s", bytes, row)
		}
	})
}

// scal: x = alpha·x.
func (g *gen) scal(s isa) {
	g.text(s, "scal", "(n int, alpha float64, x *float64)", 24,
		"#0 alpha, then x in turn; SI x, CX elements left, K1 the rest")
	g.lines("MOVQ n+0(FP), CX", "MOVQ x+16(FP), SI")
	g.line("VBROADCASTSD alpha+8(FP), %s", s.reg(0))
	turn := 0
	g.each(s, 4, func(at int, kind string) {
		x := 1 + turn%4
		turn++
		g.load(s, kind, at, "SI", x)
		g.op3(s, kind, "VMUL", 0, x, x)
		g.save(s, kind, x, at, "SI")
	}, func(bytes int) { g.line("ADDQ $%d, SI", bytes) })
}

// rot: x, y = fma(c, x, s·y), fma(c, y, -(s·x)). Registers: 0 c, 1 s, 2 x, 3 y, 4 the new x (doubled to alternate).
func (g *gen) rot(s isa) {
	g.text(s, "rot", "(n int, x, y *float64, c, s float64)", 40,
		"#0 c, #1 s, #2 x, #3 y, #4 the new x, #5-#7 the same for the next vector; SI x, DI y, CX elements left, K1 the rest")
	g.lines("MOVQ n+0(FP), CX", "MOVQ x+8(FP), SI", "MOVQ y+16(FP), DI")
	g.line("VBROADCASTSD c+24(FP), %s", s.reg(0))
	g.line("VBROADCASTSD s+32(FP), %s", s.reg(1))
	turn := 0
	g.each(s, 2, func(at int, kind string) {
		x, y, t := 2+3*(turn%2), 3+3*(turn%2), 4+3*(turn%2)
		turn++
		g.load(s, kind, at, "SI", x)
		g.load(s, kind, at, "DI", y)
		g.op3(s, kind, "VMUL", y, 1, t)
		g.op3(s, kind, "VFMADD231", x, 0, t)
		g.op3(s, kind, "VMUL", x, 1, x)
		g.op3(s, kind, "VFMSUB231", y, 0, x)
		g.save(s, kind, t, at, "SI")
		g.save(s, kind, x, at, "DI")
	}, func(bytes int) {
		g.line("ADDQ $%d, SI", bytes)
		g.line("ADDQ $%d, DI", bytes)
	})
}

// sweep: four sweeps of rotations at once down a panel of 3 (AVX-512) or 2 (AVX2) vectors, see rotations.go. It works
// like a systolic array: sweep q keeps the row it will rotate next, P_q; a row v enters from below, meets P_0 … P_3 in
// turn, and leaves at the top. Meeting: v, P = fma(c, P, s·v), fma(c, v, -(s·P)). Registers for w vectors: q·w + j
// holds P_q, then w for v, w for the new v, then c and s of the four sweeps as they fit.
func (g *gen) sweep(s isa) {
	w := 3
	if s.Lanes == 4 {
		w = 2
	}
	g.text(s, "sweep", "(steps int, a *float64, ld int, cs *float64)", 32,
		sprintf("#0-#%d the rows P3 to P0, %d vectors each, then the entering row, the leaving one, c and s; "+
			"DI the row that leaves, DX the one that enters, R8 stride, R9 three, SI the rotations, CX steps left", 4*w-1, w))
	g.lines("MOVQ steps+0(FP), CX", "MOVQ a+8(FP), DI", "MOVQ ld+16(FP), R8", "MOVQ cs+24(FP), SI", "SHLQ $3, R8",
		"LEAQ (R8)(R8*2), R9", "LEAQ (DI)(R8*4), DX", "TESTQ CX, CX", "JZ donesweep")
	at := []string{"(DI)", "(DI)(R8*1)", "(DI)(R8*2)", "(DI)(R9*1)"}
	p := func(q, j int) string { return s.reg((3-q)*w + j) } // row r of the four belongs to sweep 3-r
	for r := range 4 {
		for j := range w {
			g.line("VMOVUPD %d%s, %s", 8*s.Lanes*j, at[r], p(3-r, j))
		}
	}
	g.p("loopsweep:")
	v := func(j, k int) string { return s.reg(4*w + (k%2)*w + j) }
	for j := range w {
		g.line("VMOVUPD %d(DX), %s", 8*s.Lanes*j, v(j, 0))
	}
	pairs := min(4, (s.Registers-6*w)/2)
	for q := range 4 {
		c, sn := s.reg(6*w+2*(q%pairs)), s.reg(6*w+2*(q%pairs)+1)
		g.line("VBROADCASTSD %d(SI), %s", 16*q, c)
		g.line("VBROADCASTSD %d(SI), %s", 16*q+8, sn)
		for j := range w {
			g.line("VMULPD %s, %s, %s", v(j, q), sn, v(j, q+1))
			g.line("VFMADD231PD %s, %s, %s", p(q, j), c, v(j, q+1))
			g.line("VMULPD %s, %s, %s", p(q, j), sn, p(q, j))
			g.line("VFMSUB231PD %s, %s, %s", v(j, q), c, p(q, j))
		}
	}
	for j := range w {
		g.line("VMOVUPD %s, %d(DI)", v(j, 4), 8*s.Lanes*j)
	}
	g.lines("ADDQ R8, DI", "ADDQ R8, DX", "ADDQ $64, SI", "DECQ CX", "JNZ loopsweep")
	for r := range 4 {
		for j := range w {
			g.line("VMOVUPD %s, %d%s", p(3-r, j), 8*s.Lanes*j, at[r])
		}
	}
	g.p("donesweep:")
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// fmaLoop: independent fused multiply-adds in registers, the peak that the matrix kernels are compared with.
func (g *gen) fmaLoop(s isa) {
	chains := 3 * s.Lanes
	g.text(s, "fmaLoop", "(n int)", 8, "the last two registers are the factors, the first are the chains; CX turns left")
	g.line("MOVQ n+0(FP), CX")
	for i := range s.Registers {
		g.line("VXORPD %s, %s, %s", s.reg(i), s.reg(i), s.reg(i))
	}
	g.p("loopfma:")
	for i := range chains {
		g.line("VFMADD231PD %s, %s, %s", s.reg(s.Registers-1), s.reg(s.Registers-2), s.reg(i))
	}
	g.lines("DECQ CX", "JNZ loopfma", "VZEROUPPER", "RET")
	g.p("")
}
