package main

// The kernels for what is too short or too thin for the others.

// short is the length up to which a vector fills only the lower half of the lanes. The upper half is +0 then: what is
// left of it is that adding it turns -0 into +0, which makes a product and a fused multiply-add to +0 the same.
const short = 16

// shortMasks makes the masks of CX ≤ 16 elements, in K1 and K2 or in registers from `first` on, and returns a load of
// piece i under its mask.
func (g *gen) shortMasks(s isa, first int) (load func(i int, base string, to int)) {
	if s.Lanes == 8 {
		g.lines("MOVQ $1, AX", "SHLQ CX, AX", "DECQ AX", "KMOVQ AX, K1", "SHRQ $8, AX", "KMOVQ AX, K2")
		return func(i int, base string, to int) { g.line("VMOVUPD.Z %d(%s), K%d, %s", 64*i, base, i+1, s.reg(to)) }
	}
	g.lines("NEGQ CX", "LEAQ mask32<>+256(SB), AX", "LEAQ (AX)(CX*8), AX")
	for i := range short / s.Lanes {
		g.line("VMOVUPD %d(AX), %s", 32*i, s.reg(first+i))
	}
	return func(i int, base string, to int) {
		g.line("VMASKMOVPD %d(%s), %s, %s", 32*i, base, s.reg(first+i), s.reg(to))
	}
}

// shortSum adds up the products in the first registers, with the zero in register `zero`, into X0.
func (g *gen) shortSum(s isa, zero int) {
	pieces := short / s.Lanes
	for i := range pieces {
		g.line("VADDPD %s, %s, %s", s.reg(zero), s.reg(i), s.reg(i))
	}
	for half := pieces / 2; half >= 1; half /= 2 {
		for i := range half {
			g.line("VADDPD %s, %s, %s", s.reg(i+half), s.reg(i), s.reg(i))
		}
	}
	if s.Lanes == 8 {
		g.lines("VEXTRACTF64X4 $1, Z0, Y1", "VADDPD Y1, Y0, Y0")
	}
	g.lastLanes()
}

// shortDot returns the dot of CX ≤ 16 elements, and falls through for more.
func (g *gen) shortDot(s isa) {
	pieces := short / s.Lanes
	g.lines(sprintf("CMPQ CX, $%d", short), "JGT longdot")
	load := g.shortMasks(s, 2*pieces+1)
	g.line("VXORPD %s, %s, %s", s.reg(2*pieces), s.reg(2*pieces), s.reg(2*pieces))
	for i := range pieces {
		load(i, "SI", i)
		load(i, "DI", pieces+i)
		g.line("VMULPD %s, %s, %s", s.reg(pieces+i), s.reg(i), s.reg(i))
	}
	g.shortSum(s, 2*pieces)
	g.lines("VMOVSD X0, ret+24(FP)", "VZEROUPPER", "RET")
	g.p("longdot:")
}

// shortDotRows is dotRows for R13 ≤ 16 columns: x stays in registers.
func (g *gen) shortDotRows(s isa) {
	pieces := short / s.Lanes
	g.lines(sprintf("CMPQ R13, $%d", short), "JGT longdotRows", "MOVQ R13, CX")
	load := g.shortMasks(s, 2*pieces+1)
	g.line("VXORPD %s, %s, %s", s.reg(2*pieces), s.reg(2*pieces), s.reg(2*pieces))
	for i := range pieces {
		load(i, "R11", pieces+i)
	}
	g.p("shortdotRows:")
	for i := range pieces {
		load(i, "R10", i)
		g.line("VMULPD %s, %s, %s", s.reg(pieces+i), s.reg(i), s.reg(i))
	}
	g.shortSum(s, 2*pieces)
	g.lines("VFMADD213SD (R12), X15, X0", "VMOVSD X0, (R12)", "ADDQ $8, R12", "ADDQ R8, R10", "DECQ R9",
		"JNZ shortdotRows", "VZEROUPPER", "RET")
	g.p("longdotRows:")
}

// shortRows: y = fma(alpha·x_i, row i of a, y) for rows of at most 16 elements, one row after the other: y stays in
// registers.
func (g *gen) shortRows(s isa) {
	pieces := short / s.Lanes
	g.text(s, "shortRows", "(rows, n int, alpha float64, x, a *float64, lda int, y *float64)", 56,
		sprintf("#0-#%d y, #%d alpha·x, #14 alpha, then a row; R9 rows left, R11 x, R10 row of a, R8 its stride, R12 y",
			pieces-1, pieces))
	g.lines("MOVQ rows+0(FP), R9", "MOVQ n+8(FP), CX", "MOVQ x+24(FP), R11", "MOVQ a+32(FP), R10", "MOVQ lda+40(FP), R8",
		"MOVQ y+48(FP), R12", "SHLQ $3, R8")
	g.line("VBROADCASTSD alpha+16(FP), %s", s.reg(14))
	load := g.shortMasks(s, 2*pieces+1)
	for i := range pieces {
		load(i, "R12", i)
	}
	g.p("rowshortRows:")
	g.line("VBROADCASTSD (R11), %s", s.reg(pieces))
	g.line("VMULPD %s, %s, %s", s.reg(14), s.reg(pieces), s.reg(pieces))
	for i := range pieces {
		load(i, "R10", pieces+1+i)
		g.line("VFMADD231PD %s, %s, %s", s.reg(pieces+1+i), s.reg(pieces), s.reg(i))
	}
	g.lines("ADDQ $8, R11", "ADDQ R8, R10", "DECQ R9", "JNZ rowshortRows")
	for i := range pieces {
		if s.Lanes == 8 {
			g.line("VMOVUPD %s, K%d, %d(R12)", s.reg(i), i+1, 64*i)
		} else {
			g.line("VMASKMOVPD %s, %s, %d(R12)", s.reg(i), s.reg(2*pieces+1+i), 32*i)
		}
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// outer: y = fma(alpha, fma(a, x, +0), +0), or + y: a row of a product over one index.
func (g *gen) outer(s isa, name string, add bool) {
	g.text(s, name, "(n int, alpha, a float64, x, y *float64)", 40,
		"#0 alpha, #1 a, #2 zero, then x and y in turn; SI x, DI y, CX elements left, K1 the rest")
	g.lines("MOVQ n+0(FP), CX", "MOVQ x+24(FP), SI", "MOVQ y+32(FP), DI")
	g.line("VBROADCASTSD alpha+8(FP), %s", s.reg(0))
	g.line("VBROADCASTSD a+16(FP), %s", s.reg(1))
	g.line("VXORPD %s, %s, %s", s.reg(2), s.reg(2), s.reg(2))
	turn := 0
	g.each(s, 4, func(at int, kind string) {
		x, y := 3+2*(turn%4), 4+2*(turn%4)
		turn++
		g.load(s, kind, at, "SI", x)
		g.op3(s, kind, "VFMADD213", 2, 1, x)
		if add {
			g.load(s, kind, at, "DI", y)
			g.op3(s, kind, "VFMADD231", x, 0, y)
			x = y
		} else {
			g.op3(s, kind, "VFMADD213", 2, 0, x)
		}
		g.save(s, kind, x, at, "DI")
	}, func(bytes int) {
		g.line("ADDQ $%d, SI", bytes)
		g.line("ADDQ $%d, DI", bytes)
	})
}

// chains: s[j·rows+i] = Σ_p a[i,p]·b[p,j] for all rows of a routine and j < n ≤ 4, where b is k×n without gaps. Every
// sum is one chain of fused multiply-adds from +0. A lane is a row, so blocks of a are transposed on the way. With n =
// 1, 2, 3, 4 there are 16, 8, 8, 8 rows with AVX2, 32, 32, 16, 16 with AVX-512: at most eight registers of sums.
func (g *gen) chains(n int) {
	groups := map[bool]int{true: 4, false: 2}[n == 1]
	g.label = sprintf("chains%dx%d", 4*groups, n)
	g.p("// func %s(k int, a *float64, lda int, b, s *float64)", g.label)
	g.p("//\n// Y0-Y%d the sums, four rows of a column in each, "+
		"Y8-Y15 a block of a, then its columns and b; AX, BX, CX, DX rows 0, 4, 8, 12 of a,", groups*n-1)
	g.p("// R8 stride, R9 three; SI b, R10 steps left")
	bases := g.chainsBegin("Y", groups, groups*n)
	g.lines("SUBQ $4, R10", "JLT tail"+g.label)
	g.p("loop%s:", g.label)
	for group, base := range bases {
		for i := range 4 {
			g.line("VMOVUPD (%s)%s, Y%d", base, places[i], 8+i)
		}
		g.lines("VUNPCKLPD Y9, Y8, Y12", "VUNPCKHPD Y9, Y8, Y13", "VUNPCKLPD Y11, Y10, Y14", "VUNPCKHPD Y11, Y10, Y15")
		for p := range 4 {
			g.line("VPERM2F128 $%#x, Y%d, Y%d, Y%d", 0x20+0x11*(p/2), 14+p%2, 12+p%2, 8+p)
		}
		for i := range 4 * n {
			p, j := i/n, i%n
			g.line("VBROADCASTSD %d(SI), Y%d", 8*i, 12+i%4)
			g.line("VFMADD231PD Y%d, Y%d, Y%d", 8+p, 12+i%4, group*n+j)
		}
		g.line("ADDQ $32, %s", base)
	}
	g.lines(sprintf("ADDQ $%d, SI", 32*n), "SUBQ $4, R10", "JGE loop"+g.label)
	g.p("tail%s:", g.label)
	g.lines("ADDQ $4, R10", "JZ done"+g.label)
	g.p("one%s:", g.label)
	for group, base := range bases {
		g.lines(sprintf("VMOVSD (%s), X8", base), sprintf("VMOVHPD (%s)(R8*1), X8, X8", base),
			sprintf("VMOVSD (%s)(R8*2), X9", base), sprintf("VMOVHPD (%s)(R9*1), X9, X9", base), "VINSERTF128 $1, X9, Y8, Y8")
		for j := range n {
			g.line("VBROADCASTSD %d(SI), Y%d", 8*j, 12+j)
			g.line("VFMADD231PD Y8, Y%d, Y%d", 12+j, group*n+j)
		}
		g.line("ADDQ $8, %s", base)
	}
	g.lines(sprintf("ADDQ $%d, SI", 8*n), "DECQ R10", "JNZ one"+g.label)
	g.chainsEnd("Y", 4, groups, n)
}

var places = []string{"", "(R8*1)", "(R8*2)", "(R9*1)"}

// chainsBegin loads the operands and clears the sums. It returns the registers that point to every fourth row.
func (g *gen) chainsBegin(letter string, fours, sums int) []string {
	g.p("TEXT ·%s(SB), NOSPLIT, $0-40", g.label)
	g.lines("MOVQ k+0(FP), R10", "MOVQ a+8(FP), AX", "MOVQ lda+16(FP), R8", "MOVQ b+24(FP), SI", "SHLQ $3, R8",
		"LEAQ (R8)(R8*2), R9")
	bases := []string{"AX", "BX", "CX", "DX", "DI", "R11", "R12", "R13"}[:fours]
	for i := range fours - 1 {
		g.line("LEAQ (%s)(R8*4), %s", bases[i], bases[i+1])
	}
	for i := range sums {
		g.line("VXORPD %s%d, %s%d, %s%d", letter, i, letter, i, letter, i)
	}
	return bases
}

// chainsEnd writes the sums, column after column.
func (g *gen) chainsEnd(letter string, lanes, groups, n int) {
	g.p("done%s:", g.label)
	g.line("MOVQ s+32(FP), DI")
	for j := range n {
		for group := range groups {
			g.line("VMOVUPD %s%d, %d(DI)", letter, group*n+j, 8*lanes*(j*groups+group))
		}
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// wideChains: the same with AVX-512, by 8×8 blocks. Pairs of rows are interleaved, then the 128-bit lanes of four pairs
// transposed.
func (g *gen) wideChains(n int) {
	groups := map[bool]int{true: 4, false: 2}[n <= 2]
	g.label = sprintf("chains%dx%d", 8*groups, n)
	g.p("// func %s(k int, a *float64, lda int, b, s *float64)", g.label)
	g.p("//\n// Z0-Z%d the sums, eight rows of a column in each, Z8-Z23 a block on its way, "+
		"Z24-Z31 its columns; AX, BX, CX, DX, DI, R11, R12, R13 rows", groups*n-1)
	g.p("// 0, 4, 8, … of a, R8 stride, R9 three; SI b, R10 steps left, K1 the columns left")
	bases := g.chainsBegin("Z", 2*groups, groups*n)
	g.lines("SUBQ $8, R10", "JLT tail"+g.label)
	g.p("loop%s:", g.label)
	for group := range groups {
		for i := range 8 { // so many rows are too many streams for the hardware to follow
			g.line("PREFETCHT0 256(%s)%s", bases[2*group+i/4], places[i%4])
		}
		g.chainsColumns(bases[2*group:], false)
		for p := range 8 {
			g.chainsStep(n, group, p)
		}
	}
	for _, base := range bases {
		g.line("ADDQ $64, %s", base)
	}
	g.lines(sprintf("ADDQ $%d, SI", 64*n), "SUBQ $8, R10", "JGE loop"+g.label)
	g.p("tail%s:", g.label)
	g.lines("ADDQ $8, R10", "JZ done"+g.label, "MOVQ $1, R14", "MOVQ CX, R15", "MOVQ R10, CX", "SHLQ CX, R14",
		"MOVQ R15, CX", "DECQ R14", "KMOVQ R14, K1")
	for group := range groups {
		g.chainsColumns(bases[2*group:], true)
		for p := range 7 {
			g.chainsStep(n, group, p)
			g.lines(sprintf("CMPQ R10, $%d", p+1), sprintf("JEQ next%d%s", group, g.label))
		}
		g.p("next%d%s:", group, g.label)
	}
	g.chainsEnd("Z", 8, groups, n)
}

// chainsStep adds column p of the block, times row p of b.
func (g *gen) chainsStep(n, group, p int) {
	for j := range n {
		g.line("VFMADD231PD.BCST %d(SI), Z%d, Z%d", 8*(p*n+j), 24+p, group*n+j)
	}
}

// chainsColumns leaves the columns of an 8×8 block in Z24-Z31; of one that is masked by K1 some are zero.
func (g *gen) chainsColumns(bases []string, masked bool) {
	for i := range 8 {
		if masked {
			g.line("VMOVUPD.Z (%s)%s, K1, Z%d", bases[i/4], places[i%4], 8+i)
		} else {
			g.line("VMOVUPD (%s)%s, Z%d", bases[i/4], places[i%4], 8+i)
		}
	}
	for i := range 4 {
		g.line("VUNPCKLPD Z%d, Z%d, Z%d", 9+2*i, 8+2*i, 16+2*i)
		g.line("VUNPCKHPD Z%d, Z%d, Z%d", 9+2*i, 8+2*i, 17+2*i)
	}
	for odd := range 2 {
		for pair := range 2 { // rows 0-3 and 4-7: lanes 0 and 2, then 1 and 3
			g.line("VSHUFF64X2 $0x88, Z%d, Z%d, Z%d", 18+4*pair+odd, 16+4*pair+odd, 8+4*odd+2*pair)
			g.line("VSHUFF64X2 $0xdd, Z%d, Z%d, Z%d", 18+4*pair+odd, 16+4*pair+odd, 9+4*odd+2*pair)
		}
	}
	for odd := range 2 {
		for half := range 2 {
			g.line("VSHUFF64X2 $0x88, Z%d, Z%d, Z%d", 10+4*odd+half, 8+4*odd+half, 24+odd+2*half)
			g.line("VSHUFF64X2 $0xdd, Z%d, Z%d, Z%d", 10+4*odd+half, 8+4*odd+half, 28+odd+2*half)
		}
	}
}
