//go:build ignore

package main

// The kernels of the triangular routines, see trapezoid.go: r rows of v vectors are held in registers, take the multiples of the k rows before
// them as in a tile of a product, and then those of each other.

// trapezoidShapes lists the rows (powers of two) and the vectors for which there is a routine.
func (s isa) trapezoidShapes() (rows, vectors []int) {
	if s.lanes == 8 {
		return []int{1, 2, 4, 8}, []int{1, 2, 3}
	}
	return []int{1, 2, 4}, []int{1, 3}
}

func (g *gen) trapezoids(s isa) {
	g.p(trapezoidRegisters)
	if s.lanes == 4 {
		g.masks("mask"+s.name, 4)
	}
	for _, name := range []string{"solve", "apply"} {
		g.trapezoidEntry(s, name)
		rows, vectors := s.trapezoidShapes()
		for _, r := range rows {
			for _, v := range vectors {
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
		"MOVQ trapezoid_rsx(DI), R11", "MOVQ trapezoid_k(DI), DX", "SHLQ $3, R8", "SHLQ $3, R10", "SHLQ $3, R15", "SHLQ $3, R11",
		"MOVQ trapezoid_a(DI), AX", "MOVQ trapezoid_a0(DI), CX", "LEAQ (AX)(CX*8), AX", "LEAQ (AX)(R8*4), BX", "LEAQ (R8)(R8*2), R9",
		"MOVQ trapezoid_d(DI), R13", "MOVQ trapezoid_d0(DI), CX", "LEAQ (R13)(CX*8), R13",
		"MOVQ trapezoid_x(DI), SI", "MOVQ trapezoid_x0(DI), CX", "LEAQ (SI)(CX*8), SI", "MOVQ DX, R12", "IMULQ R11, R12", "ADDQ SI, R12",
		"MOVQ trapezoid_cols(DI), CX", "DECQ CX", "MOVQ CX, R14")
	if s.lanes == 8 {
		g.lines("ANDQ $7, CX", "MOVQ $2, R9", "SHLQ CX, R9", "DECQ R9", "KMOVQ R9, K1", "SHRQ $3, R14")
	} else {
		g.lines("ANDQ $3, CX", "NEGQ CX", "LEAQ mask"+s.name+"<>+24(SB), R9", "VMOVUPD (R9)(CX*8), Y15", "SHRQ $2, R14")
	}
	g.lines("LEAQ (R8)(R8*2), R9", "BSRQ trapezoid_rows(DI), CX", "LEAQ (R14)(CX*4), CX", "LEAQ "+name+s.name+"<>(SB), R14", "MOVQ (R14)(CX*8), R14", "JMP R14")
	g.p("")
	rows, vectors := s.trapezoidShapes()
	for l, r := range rows {
		for _, v := range vectors {
			g.p("DATA %s%s<>+%d(SB)/8, $%s%s%dx%d<>(SB)", name, s.name, 8*(4*l+v-1), name, s.name, r, v*s.lanes)
		}
	}
	g.p("GLOBL %s%s<>(SB), NOPTR, $%d\n", name, s.name, 32*len(rows))
}

// trapezoid emits one r × v routine.
func (g *gen) trapezoid(s isa, name string, r, v int) {
	g.label = sprintf("%s%dx%d", name, r, v)
	solve := name == "solve"
	vector := func(j int) (at int, kind string) {
		if j == v-1 && (s.lanes == 8 || v == 1) {
			kind = "K1"
		}
		return 8 * s.lanes * j, kind
	}
	load := func(j int, base, to string) {
		switch at, kind := vector(j); {
		case kind == "":
			g.line("VMOVUPD %d(%s), %s", at, base, to)
		case s.lanes == 8:
			g.line("VMOVUPD.Z %d(%s), K1, %s", at, base, to)
		default:
			g.line("VMASKMOVPD (%s), Y15, %s", base, to)
		}
	}
	save := func(j int, from, base string) {
		switch at, kind := vector(j); {
		case kind == "":
			g.line("VMOVUPD %s, %d(%s)", from, at, base)
		case s.lanes == 8:
			g.line("VMOVUPD %s, K1, %d(%s)", from, at, base)
		default:
			g.line("VMASKMOVPD %s, Y15, (%s)", from, base)
		}
	}
	acc := func(i, j int) string { return s.reg(i*v + j) }
	x := func(j int) string { return s.reg(r*v + j) }
	last := s.regs
	if s.lanes == 4 && v == 1 {
		last-- // the mask
	}
	turn := 0
	// add emits row i += or -= A[i,·]·from.
	add := func(i, first int, from func(j int) string) {
		turn++
		t := s.reg(first + turn%(last-first))
		g.line("VBROADCASTSD (%s)%s, %s", []string{"AX", "BX"}[i/4], []string{"", "(R8*1)", "(R8*2)", "(R9*1)"}[i%4], t)
		for j := range v {
			g.line("%s %s, %s, %s", map[bool]string{true: "VFNMADD231PD", false: "VFMADD231PD"}[solve], from(j), t, acc(i, j))
		}
	}
	column := func() {
		for q := 0; q < (r+3)/4; q++ {
			g.line("ADDQ R10, %s", []string{"AX", "BX"}[q])
		}
	}
	// diagonal emits row i ∘ D[i].
	diagonal := func(i int, op string) {
		t := s.reg(last - 1)
		g.line("VBROADCASTSD (R13), %s", t)
		for j := range v {
			g.line("%s %s, %s, %s", op, t, acc(i, j), acc(i, j))
		}
		g.line("ADDQ R15, R13")
	}

	g.p("// %d×%d: %s0-%d the rows, then the operands.", r, v*s.lanes, s.letter, r*v-1)
	g.p("TEXT %s%s%dx%d<>(SB), NOSPLIT, $0-8", name, s.name, r, v*s.lanes)
	g.line("MOVQ R12, R14")
	for i := range r {
		for j := range v {
			load(j, "R14", acc(i, j))
		}
		if !solve {
			diagonal(i, "VMULPD")
		}
		g.line("ADDQ R11, R14")
	}
	g.lines("TESTQ DX, DX", "JZ triangle"+g.label)
	g.p("before%s:", g.label)
	for j := range v {
		load(j, "SI", x(j))
	}
	for i := range r {
		add(i, r*v+v, x)
	}
	g.line("ADDQ R11, SI")
	column()
	g.lines("DECQ DX", "JNZ before"+g.label)
	g.p("triangle%s:", g.label)
	for i := range r {
		from, first := x, r*v+v
		if solve {
			diagonal(i, "VDIVPD")
			for j := range v {
				save(j, acc(i, j), "R12")
			}
			g.line("ADDQ R11, R12")
			from, first = func(j int) string { return acc(i, j) }, r*v
		} else if i+1 < r {
			for j := range v {
				load(j, "SI", x(j)) // as it was
			}
			g.line("ADDQ R11, SI")
		}
		for below := i + 1; below < r; below++ {
			add(below, first, from)
		}
		if i+1 < r {
			column()
		}
	}
	if !solve {
		for i := range r {
			for j := range v {
				save(j, acc(i, j), "R12")
			}
			g.line("ADDQ R11, R12")
		}
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
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
