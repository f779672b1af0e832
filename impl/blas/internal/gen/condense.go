package main

// The passes of reductions to condensed form, and of QR iteration on small ones. There is one for AVX2, which serves
// AVX-512 too: from the second-level cache, where such matrices lie, wider registers bring nothing.

func condensations() *gen {
	g := header(amd64)
	g.masks("mask8", 8)
	g.updateGemv(avx2)
	g.timesRows(avx2, false)
	g.timesRows(avx2, true)
	g.rotateRows(avx2)
	return g
}

// updateGemv: A = A - x·vᵀ - u·yᵀ and z = z + Aᵀ·w in one pass, four rows at a time, then one by one. Every number is
// loaded and stored once. The products of four rows with w are summed before they meet z, which keeps its chain short.
func (g *gen) updateGemv(s isa) {
	g.text(s, "updateGemv", "(m, n int, a *float64, lda int, x, v, u, y, w, z *float64)", 80,
		"#0-#3 x, #4-#7 u, #8-#11 w of the rows, #12 v, #13 y, #14 the sum, #15 a; SI, R9, R10, R11 the rows, R8 stride, "+
			"CX x, R14 u, R15 w, DX v, BX y, DI z, AX offset, R12 bytes of whole vectors, R13 rows left")
	g.lines("MOVQ m+0(FP), R13", "MOVQ n+8(FP), R12", "MOVQ a+16(FP), SI", "MOVQ lda+24(FP), R8", "MOVQ x+32(FP), CX",
		"MOVQ v+40(FP), DX", "MOVQ u+48(FP), R14", "MOVQ y+56(FP), BX", "MOVQ w+64(FP), R15", "MOVQ z+72(FP), DI",
		"SHLQ $3, R8", "ANDQ $-4, R12", "SHLQ $3, R12")
	rows := []string{"SI", "R9", "R10", "R11"}
	for _, count := range []int{4, 1} {
		g.updateRows(s, rows[:count])
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// updateRows takes so many rows at a time until fewer are left.
func (g *gen) updateRows(s isa, rows []string) {
	count := len(rows)
	g.p("rows%d:", count)
	g.lines(sprintf("CMPQ R13, $%d", count), sprintf("JLT end%d", count))
	for i := 1; i < count; i++ {
		g.line("LEAQ (%s)(R8*1), %s", rows[i-1], rows[i])
	}
	for i := range count {
		g.line("VBROADCASTSD %d(CX), %s", 8*i, s.reg(i))
		g.line("VBROADCASTSD %d(R14), %s", 8*i, s.reg(4+i))
		g.line("VBROADCASTSD %d(R15), %s", 8*i, s.reg(8+i))
	}
	body := func(kind string) {
		load := map[string]string{"PD": "VMOVUPD", "SD": "VMOVSD"}[kind]
		r := func(i int) string {
			if kind == "SD" {
				return sprintf("X%d", i)
			}
			return s.reg(i)
		}
		g.line("%s (DX)(AX*1), %s", load, r(12))
		g.line("%s (BX)(AX*1), %s", load, r(13))
		if count == 1 {
			g.line("%s (DI)(AX*1), %s", load, r(14))
		}
		for i, row := range rows {
			g.line("%s (%s)(AX*1), %s", load, row, r(15))
			g.line("VFNMADD231%s %s, %s, %s", kind, r(12), r(i), r(15))
			g.line("VFNMADD231%s %s, %s, %s", kind, r(13), r(4+i), r(15))
			g.line("%s %s, (%s)(AX*1)", load, r(15), row)
			if i == 0 && count > 1 {
				g.line("VMUL%s %s, %s, %s", kind, r(15), r(8), r(14))
			} else {
				g.line("VFMADD231%s %s, %s, %s", kind, r(15), r(8+i), r(14))
			}
		}
		if count > 1 {
			g.line("VADD%s (DI)(AX*1), %s, %s", kind, r(14), r(14))
		}
		g.line("%s %s, (DI)(AX*1)", load, r(14))
	}
	g.lines("XORQ AX, AX", "TESTQ R12, R12", sprintf("JZ rest%d", count))
	g.p("vector%d:", count)
	body("PD")
	g.lines("ADDQ $32, AX", "CMPQ AX, R12", sprintf("JLT vector%d", count))
	g.p("rest%d:", count)
	g.lines("MOVQ n+8(FP), R8", "SHLQ $3, R8")
	g.p("one%d:", count)
	g.lines("CMPQ AX, R8", sprintf("JGE next%d", count))
	body("SD")
	g.lines("ADDQ $8, AX", sprintf("JMP one%d", count))
	g.p("next%d:", count)
	g.lines("MOVQ lda+24(FP), R8", "SHLQ $3, R8", sprintf("LEAQ (%s)(R8*1), SI", rows[count-1]))
	for _, pointer := range []string{"CX", "R14", "R15"} {
		g.line("ADDQ $%d, %s", 8*count, pointer)
	}
	g.lines(sprintf("SUBQ $%d, R13", count), sprintf("JMP rows%d", count))
	g.p("end%d:", count)
}

// timesRows: y = A·x, four rows at a time, then one by one; a row has two registers of sums. timesBoth: that, and z = z
// + Aᵀ·w as updateGemv has it, in one pass.
func (g *gen) timesRows(s isa, both bool) {
	name, args, size, vectors, uses := "timesRows", "x, y", 48, []string{"x", "y"}, ""
	pointers := map[string]string{"x": "DX", "w": "CX", "y": "DI", "z": "BX"}
	if both {
		name, args, size, vectors, uses = "timesBoth", "x, w, y, z", 64, []string{"x", "w", "y", "z"},
			"#8-#11 w of the rows, #13 the sum for z; CX w, BX z; "
	}
	g.text(s, name, "(m, n int, a *float64, lda int, "+args+" *float64)", size, uses+
		"#0-#7 the sums of four rows, #12 x, #14 a, #15 mask of the tail; SI, R9, R10, R11 the rows, R8 stride, DX x, "+
		"DI y, AX offset, R12 bytes of whole blocks, R13 rows left, R14 masks of the tail, or 0")
	g.lines("MOVQ m+0(FP), R13", "MOVQ n+8(FP), R12", "MOVQ a+16(FP), SI", "MOVQ lda+24(FP), R8")
	for i, v := range vectors {
		g.line("MOVQ %s+%d(FP), %s", v, 32+8*i, pointers[v])
	}
	g.lines("SHLQ $3, R8", "MOVQ R12, R14", "ANDQ $-8, R12", "SUBQ R12, R14", "SHLQ $3, R12", "TESTQ R14, R14", "JZ whole",
		"NEGQ R14", "LEAQ mask8<>+64(SB), R15", "LEAQ (R15)(R14*8), R14")
	g.p("whole:")
	rows := []string{"SI", "R9", "R10", "R11"}
	for _, count := range []int{4, 1} {
		g.timesSome(s, rows[:count], both)
	}
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// timesSome takes so many rows at a time until fewer are left.
func (g *gen) timesSome(s isa, rows []string, both bool) {
	count := len(rows)
	g.p("rows%d:", count)
	g.lines(sprintf("CMPQ R13, $%d", count), sprintf("JLT end%d", count))
	for i := 1; i < count; i++ {
		g.line("LEAQ (%s)(R8*1), %s", rows[i-1], rows[i])
	}
	for i := range count {
		if both {
			g.line("VBROADCASTSD %d(CX), %s", 8*i, s.reg(8+i))
		}
		g.line("VXORPD %s, %s, %s", s.reg(2*i), s.reg(2*i), s.reg(2*i))
		g.line("VXORPD %s, %s, %s", s.reg(2*i+1), s.reg(2*i+1), s.reg(2*i+1))
	}
	g.lines("XORQ AX, AX", "TESTQ R12, R12", sprintf("JZ tail%d", count))
	g.p("block%d:", count)
	for half := range 2 {
		g.timesHalf(s, rows, half, both, func(from, to string) { g.line("VMOVUPD %s, %s", from, to) })
	}
	g.lines("ADDQ $64, AX", "CMPQ AX, R12", sprintf("JLT block%d", count))
	g.p("tail%d:", count)
	g.lines("TESTQ R14, R14", sprintf("JZ sums%d", count))
	for half := range 2 {
		g.line("VMOVUPD %d(R14), %s", 32*half, s.reg(15))
		g.timesHalf(s, rows, half, both, func(from, to string) { g.line("VMASKMOVPD %s, %s, %s", from, s.reg(15), to) })
	}
	g.p("sums%d:", count)
	g.sumRows(s, count)
	if both {
		g.line("ADDQ $%d, CX", 8*count)
	}
	g.lines(sprintf("LEAQ (%s)(R8*1), SI", rows[count-1]), sprintf("ADDQ $%d, DI", 8*count),
		sprintf("SUBQ $%d, R13", count), sprintf("JMP rows%d", count))
	g.p("end%d:", count)
}

// timesHalf takes one register of columns of the rows; move loads and stores.
func (g *gen) timesHalf(s isa, rows []string, half int, both bool, move func(from, to string)) {
	at := func(base string) string { return sprintf("%d(%s)(AX*1)", 32*half, base) }
	move(at("DX"), s.reg(12))
	if both && len(rows) == 1 {
		move(at("BX"), s.reg(13))
	}
	for i, row := range rows {
		move(at(row), s.reg(14))
		g.line("VFMADD231PD %s, %s, %s", s.reg(14), s.reg(12), s.reg(2*i+half))
		switch {
		case !both:
		case i == 0 && len(rows) > 1: // as in updateRows
			g.line("VMULPD %s, %s, %s", s.reg(14), s.reg(8), s.reg(13))
		default:
			g.line("VFMADD231PD %s, %s, %s", s.reg(14), s.reg(8+i), s.reg(13))
		}
	}
	if !both {
		return
	}
	if len(rows) > 1 {
		move(at("BX"), s.reg(14))
		g.line("VADDPD %s, %s, %s", s.reg(14), s.reg(13), s.reg(13))
	}
	move(s.reg(13), at("BX"))
}

// sumRows adds the lanes of the sums of so many rows, and stores them at DI.
func (g *gen) sumRows(s isa, count int) {
	for i := range count {
		g.line("VADDPD %s, %s, %s", s.reg(2*i+1), s.reg(2*i), s.reg(2*i))
	}
	if count == 4 {
		g.lines("VHADDPD Y2, Y0, Y0", "VHADDPD Y6, Y4, Y4", "VPERM2F128 $0x20, Y4, Y0, Y8", "VPERM2F128 $0x31, Y4, Y0, Y9",
			"VADDPD Y9, Y8, Y8", "VMOVUPD Y8, (DI)")
	} else {
		g.lines("VHADDPD Y0, Y0, Y0", "VEXTRACTF128 $1, Y0, X1", "VADDSD X1, X0, X0", "VMOVSD X0, (DI)")
	}
}

// rotateRows: a sweep of rotations, each of a row and the next, on panels of four registers, then of one, then on
// single columns. The lower row of a rotation stays in registers, for it is the upper one of the next.
func (g *gen) rotateRows(s isa) {
	g.text(s, "rotateRows", "(count, n int, c, s, a *float64, lda int)", 48,
		"#0-#3 the upper row, #4-#7 the lower one, #8 c, #9 s, #10-#13 the row that leaves; DI the panel, SI a row of it, "+
			"R8 stride, R9 c, R10 s, R12 columns left, CX rotations left")
	g.lines("MOVQ n+8(FP), R12", "MOVQ a+32(FP), DI", "MOVQ lda+40(FP), R8", "SHLQ $3, R8")
	g.rotatePanel(s, "PD", 4)
	g.rotatePanel(s, "PD", 1)
	g.rotatePanel(s, "SD", 1)
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// rotatePanel takes panels of so many registers until there are fewer columns.
func (g *gen) rotatePanel(s isa, kind string, registers int) {
	load, broadcast, cols, bytes, r := "VMOVUPD", "VBROADCASTSD", registers*s.Lanes, 8*s.Lanes, s.reg
	if kind == "SD" {
		load, broadcast, cols, bytes = "VMOVSD", "VMOVSD", 1, 8
		r = func(i int) string { return sprintf("X%d", i) }
	}
	g.p("panel%d:", cols)
	g.lines(sprintf("CMPQ R12, $%d", cols), sprintf("JLT endpanel%d", cols), "MOVQ DI, SI", "MOVQ count+0(FP), CX",
		"MOVQ c+16(FP), R9", "MOVQ s+24(FP), R10")
	for i := range registers {
		g.line("%s %d(SI), %s", load, bytes*i, r(i))
	}
	g.p("turn%d:", cols)
	g.lines(sprintf("%s (R9), %s", broadcast, r(8)), sprintf("%s (R10), %s", broadcast, r(9)))
	for i := range registers {
		g.line("%s %d(SI)(R8*1), %s", load, bytes*i, r(4+i))
		g.line("VMUL%s %s, %s, %s", kind, r(4+i), r(9), r(10+i))
		g.line("VFMADD231%s %s, %s, %s", kind, r(i), r(8), r(10+i))
		g.line("VMUL%s %s, %s, %s", kind, r(i), r(9), r(i))
		g.line("VFMSUB231%s %s, %s, %s", kind, r(4+i), r(8), r(i))
		g.line("%s %s, %d(SI)", load, r(10+i), bytes*i)
	}
	g.lines("ADDQ R8, SI", "ADDQ $8, R9", "ADDQ $8, R10", "DECQ CX", sprintf("JNZ turn%d", cols))
	for i := range registers {
		g.line("%s %s, %d(SI)", load, r(i), bytes*i)
	}
	g.lines(sprintf("ADDQ $%d, DI", bytes*registers), sprintf("SUBQ $%d, R12", cols), sprintf("JMP panel%d", cols))
	g.p("endpanel%d:", cols)
}
