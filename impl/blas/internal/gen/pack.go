package main

// The routines that only move data: into packed slivers, and from rows to columns.

// transpose: 4 or 8 rows of n columns (n a multiple of 4) into n rows of 4 or 8, by 4×4 blocks in registers. Eight at a
// time fill whole cache lines.
func (g *gen) transpose(rows int) {
	g.p("// func transpose%d(n int, src *float64, lds int, dst *float64, ldd int)", rows)
	g.p("//\n// Y0-Y7 rows and columns of a block, Y8-Y15 of the block below; " +
		"SI, DX rows 0-3 and 4-7 of src, R8 stride, R9 three; DI dst, R10 stride,")
	g.p("// R11 three; CX blocks left")
	g.p("TEXT ·transpose%d(SB), NOSPLIT, $0-40", rows)
	g.lines("MOVQ n+0(FP), CX", "MOVQ src+8(FP), SI", "MOVQ lds+16(FP), R8", "MOVQ dst+24(FP), DI", "MOVQ ldd+32(FP), R10",
		"SHLQ $3, R8", "SHLQ $3, R10",
		"LEAQ (R8)(R8*2), R9", "LEAQ (SI)(R8*4), DX", "LEAQ (R10)(R10*2), R11", "SHRQ $2, CX", "JZ done")
	g.p("loop:")
	from := []string{"SI", "DX"}
	for block := range rows / 4 {
		r := func(i int) string { return sprintf("Y%d", 8*block+i) }
		base := from[block]
		for i, at := range []string{"", "(R8*1)", "(R8*2)", "(R9*1)"} {
			g.line("VMOVUPD (%s)%s, %s", base, at, r(i))
		}
		g.line("VUNPCKLPD %s, %s, %s", r(1), r(0), r(4))
		g.line("VUNPCKHPD %s, %s, %s", r(1), r(0), r(5))
		g.line("VUNPCKLPD %s, %s, %s", r(3), r(2), r(6))
		g.line("VUNPCKHPD %s, %s, %s", r(3), r(2), r(7))
		for i := range 4 {
			g.line("VPERM2F128 $%#x, %s, %s, %s", []int{0x20, 0x20, 0x31, 0x31}[i], r(6+i%2), r(4+i%2), r(i))
		}
		g.line("ADDQ $32, %s", base)
	}
	for i, at := range []string{"", "(R10*1)", "(R10*2)", "(R11*1)"} {
		for block := range rows / 4 {
			g.line("VMOVUPD Y%d, %d(DI)%s", 8*block+i, 32*block, at)
		}
	}
	g.lines("LEAQ (DI)(R10*4), DI", "DECQ CX", "JNZ loop")
	g.p("done:")
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// packStrip: rows of src, as wide as v registers, one after the other.
func (g *gen) packStrip(s isa, v int) {
	g.p("// func packStrip%d(rows int, src *float64, lds int, dst *float64)", v*s.Lanes)
	g.p("//\n// SI row of src, R8 its stride, DI dst, CX rows left; the first %d vector registers a row", v)
	g.p("TEXT ·packStrip%d(SB), NOSPLIT, $0-32", v*s.Lanes)
	g.lines("MOVQ rows+0(FP), CX", "MOVQ src+8(FP), SI", "MOVQ lds+16(FP), R8", "MOVQ dst+24(FP), DI", "SHLQ $3, R8")
	g.p("looppack:")
	for j := range v {
		g.line("VMOVUPD %d(SI), %s", 8*s.Lanes*j, s.reg(j))
	}
	for j := range v {
		g.line("VMOVUPD %s, %d(DI)", s.reg(j), 8*s.Lanes*j)
	}
	g.line("ADDQ R8, SI")
	g.line("ADDQ $%d, DI", 8*s.Lanes*v)
	g.lines("DECQ CX", "JNZ looppack", "VZEROUPPER", "RET")
	g.p("")
}
