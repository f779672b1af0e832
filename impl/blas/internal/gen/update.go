package main

// updateGemv: A = A - x·vᵀ - u·yᵀ and z = z + Aᵀ·w in one pass, four rows at a time, then one by one. Every number is
// loaded and stored once. The products of four rows with w are summed before they meet z, which keeps its chain short. There is one for AVX2, which serves AVX-512 too: from
// the second-level cache, where such matrices lie, wider registers bring nothing.

func updates() *gen {
	g := header(amd64)
	g.updateGemv(avx2)
	return g
}

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
