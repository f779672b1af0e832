package main

// The kernels of interleaved vectors, in which number i of 8 vectors lies side by side: two registers of AVX2. Those
// of AVX-512 would be one register, and are not there; AVX2 serves.

func interleaved() *gen {
	g := header(amd64)
	g.interleavedDot(avx2)
	g.interleavedAxpy(avx2)
	g.interleavedRot(avx2)
	return g
}

// interleavedDot: even and odd elements in sums of their own, which are added at the end.
func (g *gen) interleavedDot(s isa) {
	const name = "interleavedDot"
	g.text(s, name, "(n int, x, y, sum *float64)", 32,
		"#0-#1 sums of the even elements, #2-#3 of the odd ones, #4-#7 operands; SI, DI the vectors, CX elements left")
	g.lines("MOVQ n+0(FP), CX", "MOVQ x+8(FP), SI", "MOVQ y+16(FP), DI", "MOVQ sum+24(FP), DX")
	for i := range 4 {
		g.line("VXORPD %s, %s, %s", s.reg(i), s.reg(i), s.reg(i))
	}
	add := func(element int) {
		for half := range 2 {
			at, x := 64*element+32*half, s.reg(4+2*element+half)
			g.line("VMOVUPD %d(SI), %s", at, x)
			g.line("VFMADD231PD %d(DI), %s, %s", at, x, s.reg(2*element+half))
		}
	}
	g.lines("SUBQ $2, CX", "JLT tail"+name)
	g.p("loop%s:", name)
	add(0)
	add(1)
	g.lines("ADDQ $128, SI", "ADDQ $128, DI", "SUBQ $2, CX", "JGE loop"+name)
	g.p("tail%s:", name)
	g.lines("ADDQ $2, CX", "JZ done"+name)
	add(0)
	g.p("done%s:", name)
	for half := range 2 {
		g.line("VADDPD %s, %s, %s", s.reg(2+half), s.reg(half), s.reg(half))
		g.line("VMOVUPD %s, %d(DX)", s.reg(half), 32*half)
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

func (g *gen) interleavedAxpy(s isa) {
	const name = "interleavedAxpy"
	g.text(s, name, "(n int, alpha, x, y *float64)", 32,
		"#0-#1 the factors, #2-#3 operands; SI, DI the vectors, CX elements left")
	g.lines("MOVQ n+0(FP), CX", "MOVQ alpha+8(FP), DX", "MOVQ x+16(FP), SI", "MOVQ y+24(FP), DI")
	g.lines("VMOVUPD (DX), "+s.reg(0), "VMOVUPD 32(DX), "+s.reg(1))
	g.p("loop%s:", name)
	for half := range 2 {
		y := s.reg(2 + half)
		g.line("VMOVUPD %d(DI), %s", 32*half, y)
		g.line("VFMADD231PD %d(SI), %s, %s", 32*half, s.reg(half), y)
		g.line("VMOVUPD %s, %d(DI)", y, 32*half)
	}
	g.lines("ADDQ $64, SI", "ADDQ $64, DI", "SUBQ $1, CX", "JG loop"+name, "VZEROUPPER", "RET")
	g.p("")
}

func (g *gen) interleavedRot(s isa) {
	const name = "interleavedRot"
	g.text(s, name, "(n int, x, y, c, s *float64)", 40,
		"#0-#1 c, #2-#3 s, #4-#7 x and y, #8-#11 their products with s; SI, DI the vectors, CX elements left")
	g.lines("MOVQ n+0(FP), CX", "MOVQ x+8(FP), SI", "MOVQ y+16(FP), DI", "MOVQ c+24(FP), DX", "MOVQ s+32(FP), BX")
	for half := range 2 {
		g.line("VMOVUPD %d(DX), %s", 32*half, s.reg(half))
		g.line("VMOVUPD %d(BX), %s", 32*half, s.reg(2+half))
	}
	g.p("loop%s:", name)
	for half := range 2 {
		c, sine, x, y := s.reg(half), s.reg(2+half), s.reg(4+2*half), s.reg(5+2*half)
		sx, sy := s.reg(8+2*half), s.reg(9+2*half)
		g.line("VMOVUPD %d(SI), %s", 32*half, x)
		g.line("VMOVUPD %d(DI), %s", 32*half, y)
		g.line("VMULPD %s, %s, %s", y, sine, sy)
		g.line("VMULPD %s, %s, %s", x, sine, sx)
		g.line("VFMADD213PD %s, %s, %s", sy, c, x)
		g.line("VFMSUB213PD %s, %s, %s", sx, c, y)
		g.line("VMOVUPD %s, %d(SI)", x, 32*half)
		g.line("VMOVUPD %s, %d(DI)", y, 32*half)
	}
	g.lines("ADDQ $64, SI", "ADDQ $64, DI", "SUBQ $1, CX", "JG loop"+name, "VZEROUPPER", "RET")
	g.p("")
}
