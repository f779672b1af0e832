package main

// The kernels of the secular equation with NEON (see secular.go). Sums run in 8 lanes, four registers.

func (g neon) secular() {
	g.secularSums()
	g.elementwise("quotients", "(n int, z, delta, x *float64)", 32, []string{"z+8", "delta+16", "x+24"}, func() {
		g.op("fdiv", 0, 1, 0)
	})
	for _, squared := range []bool{false, true} {
		name := "gapRatios"
		if squared {
			name = "squareGapRatios"
		}
		g.elementwise(name, "(n int, d, delta, x *float64, pole float64)", 40, []string{"d+8", "delta+16", "x+24"}, func() {
			g.op("fsub", 0, 5, 2)
			if squared {
				g.op("fadd", 0, 5, 0)
				g.op("fmul", 2, 0, 2)
			}
			g.op("fdiv", 1, 2, 1)
			g.load("R4", 0, 0, 1, false)
			g.op("fmul", 0, 1, 0)
		})
	}
}

// elementwise emits a loop over whole registers: body leaves what goes to x (R4) in register 0. An argument pole, if
// there is one, is in register 5.
func (g neon) elementwise(name, decl string, size int, vectors []string, body func()) {
	g.text(name, decl, size, "V0-V2 operands, V5 the pole; R1, R2, R4 the vectors, R3 elements left, a multiple of 8")
	g.line("MOVD n+0(FP), R3")
	for i, r := range []string{"R1", "R2", "R4"} {
		g.line("MOVD %s(FP), %s", vectors[i], r)
	}
	if size == 40 {
		g.factor("pole", 32, 5)
	}
	g.p("loop%s:", name)
	g.lines("FMOVQ.P 16(R1), F0", "FMOVQ.P 16(R2), F1")
	body()
	g.lines("FMOVQ.P F0, 16(R4)", "SUBS $2, R3", "BNE loop"+name)
	g.ret()
}

// secularSums emits the two sums over n ≥ 1 elements. The last number of an odd tail is alone in its register: the
// other lane adds +0.
func (g neon) secularSums() {
	const name = "secularSums"
	const shift = 8
	g.text(name, "(n int, z, delta *float64, shift float64) (sum, slope float64)", 48,
		"V0-V3 the lanes of the sum, V4-V7 of the slope, V8 the shift, V16-V23 operands in turn; "+
			"R1, R2 the vectors, R3 elements left")
	g.lines("MOVD n+0(FP), R3", "MOVD z+8(FP), R1", "MOVD delta+16(FP), R2")
	g.factor("shift", 24, shift)
	for i := range 8 {
		g.zero(i)
	}
	add := func(i int, half bool) {
		z, t := 16+2*i, 17+2*i
		if half {
			g.lines(sprintf("FMOVD (R1), F%d", z), sprintf("FMOVD (R2), F%d", t))
		} else {
			g.lines(sprintf("FMOVQ.P 16(R1), F%d", z), sprintf("FMOVQ.P 16(R2), F%d", t))
		}
		g.op("fsub", t, shift, t)
		g.op("fdiv", z, t, t)
		if half {
			g.line("FMOVD F%d, F%d", t, t) // clears the upper lane, where 0 may have been divided by 0
		}
		g.fma(z, t, i)
		g.fma(t, t, 4+i)
	}
	g.lines("SUBS $8, R3", "BLT tail"+name)
	g.p("loop%s:", name)
	for i := range 4 {
		add(i, false)
	}
	g.lines("SUBS $8, R3", "BGE loop"+name)
	g.p("tail%s:", name)
	g.lines("ADDS $8, R3", "BEQ done"+name)
	for i := range 4 {
		g.lines("SUBS $2, R3", sprintf("BLT odd%d%s", i, name))
		add(i, false)
	}
	g.line("B done%s", name)
	for i := range 4 {
		g.p("odd%d%s:", i, name)
		g.lines("CMP $-1, R3", "BNE done"+name)
		add(i, true)
		g.line("B done%s", name)
	}
	g.p("done%s:", name)
	for i, to := range []string{"sum+32(FP)", "slope+40(FP)"} { // lane l + lane l+4, then + 2, then + 1
		at := 4 * i
		g.op("fadd", at, at+2, at)
		g.op("fadd", at+1, at+3, at+1)
		g.op("fadd", at, at+1, at)
		g.pair(at, at)
		g.line("FMOVD F%d, %s", at, to)
	}
	g.ret()
}

// transposes: 4 or 8 rows of n columns (n even) into n rows of 4 or 8, by 2×2 blocks in registers.
func (g neon) transposes() {
	for _, rows := range []int{4, 8} {
		name := sprintf("transpose%d", rows)
		g.text(name, "(n int, src *float64, lds int, dst *float64, ldd int)", 40,
			"V0-V7 two columns of src, V16-V23 the same as rows of dst; R4-R11 the rows of src, "+
				"R1 and R2 rows of dst, R12 stride, R3 columns left")
		g.lines("MOVD n+0(FP), R3", "MOVD src+8(FP), R4", "MOVD lds+16(FP), R2", "MOVD dst+24(FP), R1",
			"MOVD ldd+32(FP), R12", "LSL $3, R2", "LSL $3, R12")
		for i := range rows - 1 {
			g.line("ADD R2, R%d, R%d", 4+i, 5+i)
		}
		g.p("loop%s:", name)
		for i := range rows {
			g.line("FMOVQ.P 16(R%d), F%d", 4+i, i)
		}
		g.line("ADD R12, R1, R2")
		for i := 0; i < rows; i += 2 {
			g.line("VTRN1 V%d.D2, V%d.D2, V%d.D2", i+1, i, 16+i/2)
			g.line("VTRN2 V%d.D2, V%d.D2, V%d.D2", i+1, i, 20+i/2)
		}
		g.save("R1", 0, 16, rows/2, false)
		g.save("R2", 0, 20, rows/2, false)
		g.lines("ADD R12, R2, R1", "SUBS $2, R3", "BNE loop"+name)
		g.ret()
	}
}
