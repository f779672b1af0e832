package main

// The kernels of the triangular routines, see trapezoid.go: r rows of v vectors are held in registers, take the
// multiples of the k rows before them as in a tile of a product, and then those of each other.

func (g *gen) trapezoids(s isa) {
	g.p(trapezoidRegisters)
	if s.Lanes == 4 {
		g.masks("mask"+s.name, 4)
	}
	for _, name := range []string{"solve", "apply"} {
		g.trapezoidEntry(s, name)
		for _, r := range s.TrapezoidRows {
			for _, v := range s.TrapezoidVectors {
				g.trapezoid(s, name, r, v)
			}
		}
	}
}

// trapezoidEntry emits the routine that Go calls: it loads the operands, makes the mask and jumps.
func (g *gen) trapezoidEntry(s isa, name string) {
	g.p("// func %s%s(t *trapezoid)", name, s.name)
	g.p("TEXT ·%s%s(SB), NOSPLIT, $0-8", name, s.name)
	g.lines("MOVQ t+0(FP), DI", "MOVQ trapezoid_rsa(DI), R8", "MOVQ trapezoid_csa(DI), R10", "MOVQ trapezoid_rsd(DI), R15",
		"MOVQ trapezoid_rsx(DI), R11", "MOVQ trapezoid_k(DI), DX", "SHLQ $3, R8", "SHLQ $3, R10", "SHLQ $3, R15",
		"SHLQ $3, R11",
		"MOVQ trapezoid_a(DI), AX", "MOVQ trapezoid_a0(DI), CX", "LEAQ (AX)(CX*8), AX", "LEAQ (AX)(R8*4), BX",
		"LEAQ (R8)(R8*2), R9",
		"MOVQ trapezoid_d(DI), R13", "MOVQ trapezoid_d0(DI), CX", "LEAQ (R13)(CX*8), R13",
		"MOVQ trapezoid_x(DI), SI", "MOVQ trapezoid_x0(DI), CX", "LEAQ (SI)(CX*8), SI", "MOVQ DX, R12", "IMULQ R11, R12",
		"ADDQ SI, R12",
		"MOVQ trapezoid_cols(DI), CX", "DECQ CX", "MOVQ CX, R14")
	if s.Lanes == 8 {
		g.lines("ANDQ $7, CX", "MOVQ $2, R9", "SHLQ CX, R9", "DECQ R9", "KMOVQ R9, K1", "SHRQ $3, R14")
	} else {
		g.lines("ANDQ $3, CX", "NEGQ CX", "LEAQ mask"+s.name+"<>+24(SB), R9", "VMOVUPD (R9)(CX*8), Y15", "SHRQ $2, R14")
	}
	g.lines("LEAQ (R8)(R8*2), R9", "BSRQ trapezoid_rows(DI), CX", "LEAQ (R14)(CX*4), CX",
		"LEAQ "+name+s.name+"<>(SB), R14", "MOVQ (R14)(CX*8), R14", "JMP R14")
	g.p("")
	for l, r := range s.TrapezoidRows {
		for _, v := range s.TrapezoidVectors {
			g.p("DATA %s%s<>+%d(SB)/8, $%s%s%dx%d<>(SB)", name, s.name, 8*(4*l+v-1), name, s.name, r, v*s.Lanes)
		}
	}
	g.p("GLOBL %s%s<>(SB), NOPTR, $%d\n", name, s.name, 32*len(s.TrapezoidRows))
}

// block is one r × v routine in the making.
type block struct {
	*gen
	s     isa
	solve bool
	r, v  int
	last  int // register for factors; those below take turns
	turn  int
}

// trapezoid emits one r × v routine.
func (g *gen) trapezoid(s isa, name string, r, v int) {
	b := &block{gen: g, s: s, solve: name == "solve", r: r, v: v, last: s.Registers - 1}
	if s.Lanes == 4 && v == 1 {
		b.last-- // the mask
	}
	g.label = sprintf("%s%dx%d", name, r, v)
	g.p("// %d×%d: %s0-%d the rows, then the operands.", r, v*s.Lanes, s.letter, r*v-1)
	g.p("TEXT %s%s%dx%d<>(SB), NOSPLIT, $0-8", name, s.name, r, v*s.Lanes)
	g.line("MOVQ R12, R14")
	for i := range r {
		b.each(func(j int) { b.load(j, "R14", b.acc(i, j)) })
		if !b.solve {
			b.diagonal(i, "VMULPD")
		}
		g.line("ADDQ R11, R14")
	}
	g.lines("TESTQ DX, DX", "JZ triangle"+g.label)
	g.p("before%s:", g.label)
	b.each(func(j int) { b.load(j, "SI", b.x(j)) })
	for i := range r {
		b.add(i, r*v+v, b.x)
	}
	g.line("ADDQ R11, SI")
	b.column()
	g.lines("DECQ DX", "JNZ before"+g.label)
	g.p("triangle%s:", g.label)
	for i := range r {
		b.row(i)
	}
	if !b.solve {
		for i := range r {
			b.store(i)
		}
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// row emits what row i does to those below in the block: when it is solved, or as it came in.
func (b *block) row(i int) {
	from, first := b.x, b.r*b.v+b.v
	if b.solve {
		b.diagonal(i, "VDIVPD")
		b.store(i)
		from, first = func(j int) string { return b.acc(i, j) }, b.r*b.v
	}
	if i+1 == b.r {
		return
	}
	if !b.solve {
		b.each(func(j int) { b.load(j, "SI", b.x(j)) })
		b.line("ADDQ R11, SI")
	}
	for below := i + 1; below < b.r; below++ {
		b.add(below, first, from)
	}
	b.column()
}

func (b *block) acc(i, j int) string { return b.s.reg(i*b.v + j) }
func (b *block) x(j int) string      { return b.s.reg(b.r*b.v + j) }

func (b *block) each(do func(j int)) {
	for j := range b.v {
		do(j)
	}
}

// add emits row i -= or += A[i,·]·from, the factor in one of the registers from `first` on.
func (b *block) add(i, first int, from func(j int) string) {
	b.turn++
	t := b.s.reg(first + b.turn%(b.last+1-first))
	b.line("VBROADCASTSD (%s)%s, %s", []string{"AX", "BX"}[i/4], places[i%4], t)
	b.each(func(j int) {
		b.line("%s %s, %s, %s", map[bool]string{true: "VFNMADD231PD", false: "VFMADD231PD"}[b.solve], from(j), t, b.acc(i, j))
	})
}

// column moves to the next column of A.
func (b *block) column() {
	for q := range (b.r + 3) / 4 {
		b.line("ADDQ R10, %s", []string{"AX", "BX"}[q])
	}
}

// diagonal emits row i ∘ D[i].
func (b *block) diagonal(i int, op string) {
	b.line("VBROADCASTSD (R13), %s", b.s.reg(b.last))
	b.each(func(j int) { b.line("%s %s, %s, %s", op, b.s.reg(b.last), b.acc(i, j), b.acc(i, j)) })
	b.line("ADDQ R15, R13")
}

// masked reports that vector j has a mask.
func (b *block) masked(j int) bool { return j == b.v-1 && (b.s.Lanes == 8 || b.v == 1) }

func (b *block) load(j int, base, to string) {
	switch {
	case !b.masked(j):
		b.line("VMOVUPD %d(%s), %s", 8*b.s.Lanes*j, base, to)
	case b.s.Lanes == 8:
		b.line("VMOVUPD.Z %d(%s), K1, %s", 8*b.s.Lanes*j, base, to)
	default:
		b.line("VMASKMOVPD (%s), Y15, %s", base, to)
	}
}

// store emits the store of row i, and moves to the next.
func (b *block) store(i int) {
	b.each(func(j int) {
		switch {
		case !b.masked(j):
			b.line("VMOVUPD %s, %d(R12)", b.acc(i, j), 8*b.s.Lanes*j)
		case b.s.Lanes == 8:
			b.line("VMOVUPD %s, K1, %d(R12)", b.acc(i, j), 8*b.s.Lanes*j)
		default:
			b.line("VMASKMOVPD %s, Y15, (R12)", b.acc(i, j))
		}
	})
	b.line("ADDQ R11, R12")
}

const trapezoidRegisters = `// Registers of every routine:
//
//	DI            the trapezoid
//	AX, BX        rows 0-3, 4-7 of A; R8 row stride, R9 three of them, R10 column stride
//	R13           the diagonal; R15 its stride
//	SI            row of X before the block; R12 row of the block; R11 row stride of both
//	DX            rows before the block that are left
//	R14           scratch
//	K1            lanes of the last vector (AVX-512)
//	Y15           lanes of the last vector (AVX2, blocks of one vector)
`
