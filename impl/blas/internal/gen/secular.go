package main

// The kernels of the secular equation (see secular.go). Sums run in 8 lanes, one or two registers.

func (g *gen) secular(s isa) {
	g.secularSums(s)
	g.elementwise(s, "quotients", "(n int, z, delta, x *float64)", 32, "z+8(FP)", "delta+16(FP)", "x+24(FP)", func() {
		g.lines("VMOVUPD (SI), "+s.reg(0), "VMOVUPD (DI), "+s.reg(1))
		g.line("VDIVPD %s, %s, %s", s.reg(1), s.reg(0), s.reg(0))
	})
	for _, squared := range []bool{false, true} {
		name := "gapRatios"
		if squared {
			name = "squareGapRatios"
		}
		g.elementwise(s, name, "(n int, d, delta, x *float64, pole float64)", 40, "d+8(FP)", "delta+16(FP)", "x+24(FP)",
			func() {
				g.lines("VMOVUPD (SI), "+s.reg(0), "VMOVUPD (DI), "+s.reg(1))
				g.line("VSUBPD %s, %s, %s", s.reg(5), s.reg(0), s.reg(2))
				if squared {
					g.line("VADDPD %s, %s, %s", s.reg(5), s.reg(0), s.reg(0))
					g.line("VMULPD %s, %s, %s", s.reg(0), s.reg(2), s.reg(2))
				}
				g.line("VDIVPD %s, %s, %s", s.reg(2), s.reg(1), s.reg(1))
				g.line("VMULPD (DX), %s, %s", s.reg(1), s.reg(0))
			})
	}
}

// elementwise emits a loop over whole registers: body leaves what goes to x (DX) in register 0. An argument pole, if
// there is one, is in register 5.
func (g *gen) elementwise(s isa, name, decl string, size int, first, second, third string, body func()) {
	g.text(s, name, decl, size, "#0-#2 operands, #5 the pole; SI, DI, DX the vectors, CX elements left, a multiple of 8")
	g.lines("MOVQ n+0(FP), CX", "MOVQ "+first+", SI", "MOVQ "+second+", DI", "MOVQ "+third+", DX")
	if size == 40 {
		g.line("VBROADCASTSD pole+32(FP), %s", s.reg(5))
	}
	g.p("loop%s:", name)
	body()
	g.line("VMOVUPD %s, (DX)", s.reg(0))
	for _, p := range []string{"SI", "DI", "DX"} {
		g.line("ADDQ $%d, %s", 8*s.Lanes, p)
	}
	g.lines(sprintf("SUBQ $%d, CX", s.Lanes), "JG loop"+name, "VZEROUPPER", "RET")
	g.p("")
}

// secularSums emits the two sums over n ≥ 1 elements, whose tail is masked: a lane without an element adds +0.
func (g *gen) secularSums(s isa) {
	const name = "secularSums"
	pieces := 8 / s.Lanes
	sum, slope := func(i int) string { return s.reg(i) }, func(i int) string { return s.reg(2 + i) }
	z, t, shift := s.reg(4), s.reg(6), s.reg(5)
	g.text(s, name, "(n int, z, delta *float64, shift float64) (sum, slope float64)", 48,
		"#0-#1 the lanes of the sum, #2-#3 of the slope, #4, #6 operands, #5 the shift, #7 or K1 the mask; "+
			"SI, DI the vectors, CX elements left")
	g.lines("MOVQ n+0(FP), CX", "MOVQ z+8(FP), SI", "MOVQ delta+16(FP), DI")
	g.line("VBROADCASTSD shift+24(FP), %s", shift)
	for i := range pieces {
		g.line("VXORPD %s, %s, %s", sum(i), sum(i), sum(i))
		g.line("VXORPD %s, %s, %s", slope(i), slope(i), slope(i))
	}
	add := func(i int) {
		g.line("VFMADD231PD %s, %s, %s", t, z, sum(i))
		g.line("VFMADD231PD %s, %s, %s", t, t, slope(i))
	}
	g.lines("SUBQ $8, CX", "JLT tail"+name)
	g.p("loop%s:", name)
	for i := range pieces {
		at := 8 * s.Lanes * i
		g.lines(sprintf("VMOVUPD %d(SI), %s", at, z), sprintf("VMOVUPD %d(DI), %s", at, t))
		g.line("VSUBPD %s, %s, %s", shift, t, t)
		g.line("VDIVPD %s, %s, %s", t, z, t)
		add(i)
	}
	g.lines("ADDQ $64, SI", "ADDQ $64, DI", "SUBQ $8, CX", "JGE loop"+name)
	g.p("tail%s:", name)
	g.lines("ADDQ $8, CX", "JZ done"+name)
	if s.Lanes == 8 {
		g.lines("MOVQ $1, AX", "SHLQ CX, AX", "DECQ AX", "KMOVQ AX, K1")
		g.lines("VMOVUPD.Z (SI), K1, "+z, "VMOVUPD.Z (DI), K1, "+t)
		g.line("VSUBPD %s, %s, %s", shift, t, t)
		g.line("VDIVPD.Z %s, %s, K1, %s", t, z, t)
		add(0)
	} else {
		mask := s.reg(7)
		g.lines("NEGQ CX", "LEAQ mask8<>+64(SB), AX", "LEAQ (AX)(CX*8), AX")
		for i := range pieces {
			at := 32 * i
			g.line("VMOVUPD %d(AX), %s", at, mask)
			g.lines(sprintf("VMASKMOVPD %d(SI), %s, %s", at, mask, z), sprintf("VMASKMOVPD %d(DI), %s, %s", at, mask, t))
			g.line("VSUBPD %s, %s, %s", shift, t, t)
			g.line("VDIVPD %s, %s, %s", t, z, t)
			g.line("VANDPD %s, %s, %s", mask, t, t)
			add(i)
		}
	}
	g.p("done%s:", name)
	for _, at := range []struct {
		reg int
		to  string
	}{{0, "sum+32(FP)"}, {2, "slope+40(FP)"}} { // lane l + lane l+4, then + 2, then + 1
		if s.Lanes == 8 {
			g.line("VEXTRACTF64X4 $1, Z%d, Y7", at.reg)
		} else {
			g.line("VMOVAPD Y%d, Y7", at.reg+1)
		}
		g.line("VADDPD Y7, Y%d, Y7", at.reg)
		g.lines("VEXTRACTF128 $1, Y7, X6", "VADDPD X6, X7, X7", "VPERMILPD $1, X7, X6", "VADDSD X6, X7, X7",
			"VMOVSD X7, "+at.to)
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}
