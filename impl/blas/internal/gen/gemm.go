package main

import "strings"

// The matrix kernels. One routine per tile of r rows and v vectors; each keeps its r·v accumulators in registers for
// the whole sum over k, and only at the end touches C. Which registers of B or A are held depends on what fits:
//
//	hold B   v registers for a row of B, the broadcasts of A take turns in what is left (tall tiles)
//	hold A   r broadcasts of A, the vectors of B take turns                         (wide tiles)

func (s isa) maxVectors() int { return 8 }

// entry emits the routine that Go calls: it loads the operands into the registers common to all tiles, makes the masks
// and jumps.
func (g *gen) entry(s isa) {
	rows := len(s.TileVectors())
	g.p("// func gemm%s(t *tile)", s.name)
	g.p("TEXT ·gemm%s(SB), NOSPLIT, $0-8", s.name)
	g.lines("MOVQ t+0(FP), DI", "MOVQ tile_a(DI), AX", "MOVQ tile_rsa(DI), R8", "MOVQ tile_csa(DI), R10",
		"MOVQ tile_b(DI), SI",
		"MOVQ tile_rsb(DI), R11", "MOVQ tile_c(DI), R12", "MOVQ tile_rsc(DI), R13", "MOVQ tile_k(DI), DX",
		"SHLQ $3, R8", "SHLQ $3, R10", "SHLQ $3, R11", "SHLQ $3, R13",
		"LEAQ (R8)(R8*2), R9", "LEAQ (AX)(R8*4), BX")
	g.lines("MOVQ tile_cols(DI), CX", "DECQ CX", "MOVQ CX, R14")
	if s.Lanes == 8 {
		g.lines("ANDQ $7, CX", "MOVQ $2, R15", "SHLQ CX, R15", "DECQ R15", "KMOVQ R15, K1")
		g.lines("SHRQ $3, R14")
	} else {
		g.lines("ANDQ $3, CX", "NEGQ CX", "LEAQ mask"+s.name+"<>+24(SB), R15", "VMOVUPD (R15)(CX*8), Y15")
		g.lines("SHRQ $2, R14")
	}
	g.lines("MOVQ tile_rows(DI), R15", "DECQ R15", "SHLQ $3, R15", "ADDQ R14, R15",
		"LEAQ (BX)(R8*4), CX", "LEAQ table"+s.name+"<>(SB), R14", "MOVQ (R14)(R15*8), R14", "JMP R14")
	g.p("")
	if s.Lanes == 4 {
		g.masks("mask"+s.name, 4)
	}
	for r := 1; r <= rows; r++ {
		for v := 1; v <= s.maxVectors(); v++ {
			target := "$0"
			if v <= s.TileVectors()[r-1] {
				target = g.name(s, r, v)
			}
			at := 8 * ((r-1)*8 + v - 1)
			if target != "$0" {
				target = "$" + target + "<>(SB)"
			}
			g.p("DATA table%s<>+%d(SB)/8, %s", s.name, at, target)
		}
	}
	g.p("GLOBL table%s<>(SB), NOPTR, $%d\n", s.name, 64*rows)
}

// run emits the routine that makes one tile after the other, without the way through Go between them: for tiles of a
// few rows and columns that takes longer than the tile.
func (g *gen) run(s isa) {
	g.p("// func gemmRun%s(t *tile, count, stepA, stepB, stepC int)", s.name)
	g.p("TEXT ·gemmRun%s(SB), NOSPLIT, $8-40", s.name)
	g.p("again:")
	g.lines("MOVQ t+0(FP), DI", "MOVQ DI, 0(SP)", "CALL ·gemm"+s.name+"(SB)", "DECQ count+8(FP)", "JEQ done",
		"MOVQ t+0(FP), DI")
	for i, operand := range []string{"a", "b", "c"} {
		g.line("MOVQ step%s+%d(FP), AX", strings.ToUpper(operand), 16+8*i)
		g.line("SHLQ $3, AX")
		g.line("ADDQ AX, tile_%s(DI)", operand)
	}
	g.lines("JMP again")
	g.p("done:")
	g.line("RET")
	g.p("")
}

func (g *gen) name(s isa, r, v int) string { return sprintf("gemm%s%dx%d", s.name, r, v*s.Lanes) }

// tile emits one r × v routine.
func (g *gen) tile(s isa, r, v int) {
	g.label = sprintf("%dx%d", r, v)
	acc := func(i, j int) string { return s.reg(i*v + j) }
	free := s.Registers - r*v
	if s.Lanes == 4 && v == 1 {
		free = 15 - r // Y15 holds the mask
	}
	holdB := v+1 <= free && (v <= r || r+1 > free)
	g.p("// %d×%d: %s%d-%d accumulators by rows, then the operands (B held: %v).", r, v*s.Lanes, s.letter, 0, r*v-1, holdB)
	g.p("TEXT %s<>(SB), NOSPLIT, $0-8", g.name(s, r, v))
	main := r == len(s.TileVectors()) && v == s.TileVectors()[r-1]
	if main {
		g.prefetchTile(s, r, v)
	}
	for i := range r * v {
		g.line("VXORPD %s, %s, %s", s.reg(i), s.reg(i), s.reg(i))
	}
	unroll := 1
	if main {
		unroll = 4
		g.line("SUBQ $%d, DX", unroll)
		g.line("JLT tail%s", g.label)
		g.p("PCALIGN $32")
		g.p("loop%s:", g.label)
		for u := range unroll {
			g.step(s, r, v, r*v, free, holdB, acc, s.Lanes == 8, u)
		}
		g.line("SUBQ $%d, DX", unroll)
		g.line("JGE loop%s", g.label)
		g.p("tail%s:", g.label)
		g.line("ADDQ $%d, DX", unroll)
		g.line("JZ store%s", g.label)
	} else {
		g.line("TESTQ DX, DX")
		g.line("JZ store%s", g.label)
	}
	g.p("rest%s:", g.label)
	g.step(s, r, v, r*v, free, holdB, acc, false, 0)
	g.line("DECQ DX")
	g.line("JNZ rest%s", g.label)
	g.p("store%s:", g.label)
	g.store(s, r, v, acc)
	g.lines("VZEROUPPER", "RET")
	g.p("")
}

// prefetchTile asks for the rows of C, which are needed k steps later.
func (g *gen) prefetchTile(s isa, r, v int) {
	g.line("MOVQ R12, R14")
	for i := range r {
		for at := 0; at < 8*s.Lanes*v; at += 64 {
			g.line("PREFETCHT0 %d(R14)", at)
		}
		g.line("PREFETCHT0 %d(R14)", 8*s.Lanes*v-8)
		if i+1 < r {
			g.line("ADDQ R13, R14")
		}
	}
}

// step emits one value of the summation index: acc[i][j] += a[i]·b[j].
func (g *gen) step(s isa, r, v, first, free int, holdB bool, acc func(i, j int) string, prefetch bool, u int) {
	load := func(j int, to string) {
		switch {
		case j < v-1 || s.Lanes == 4 && v > 1:
			g.line("VMOVUPD %d(SI), %s", 8*s.Lanes*j, to)
		case s.Lanes == 8:
			g.line("VMOVUPD.Z %d(SI), K1, %s", 8*s.Lanes*j, to)
		default:
			g.line("VMASKMOVPD (SI), Y15, %s", to)
		}
	}
	addr := func(i int) string {
		return sprintf("(%s)", []string{"AX", "BX", "CX"}[i/4]) + []string{"", "(R8*1)", "(R8*2)", "(R9*1)"}[i%4]
	}
	if holdB {
		for j := range v {
			load(j, s.reg(first+j))
		}
		for i := range r {
			t := s.reg(first + v + i%(free-v))
			g.line("VBROADCASTSD %s, %s", addr(i), t)
			for j := range v {
				g.line("VFMADD231PD %s, %s, %s", s.reg(first+j), t, acc(i, j))
			}
		}
	} else {
		for i := range r {
			g.line("VBROADCASTSD %s, %s", addr(i), s.reg(first+i))
		}
		for j := range v {
			t := s.reg(first + r + j%(free-r))
			load(j, t)
			for i := range r {
				g.line("VFMADD231PD %s, %s, %s", t, s.reg(first+i), acc(i, j))
			}
		}
	}
	if prefetch {
		for at := 0; at < 8*s.Lanes*v; at += 64 {
			g.line("PREFETCHT0 %d(SI)", at+1024)
		}
	}
	g.line("ADDQ R11, SI")
	for q := 0; q < (r+3)/4; q++ {
		g.line("ADDQ R10, %s", []string{"AX", "BX", "CX"}[q])
	}
}

// store emits C = fma(alpha, acc, C), where C counts as zero (and is not read) unless tile.keep is set. All of C is
// read before any of it is written: where its rows are a multiple of 4 KiB apart, a load after a store would be taken
// to depend on it.
func (g *gen) store(s isa, r, v int, acc func(i, j int) string) {
	alpha, c := s.reg(s.Registers-2), s.reg(s.Registers-1)
	if s.Lanes == 4 {
		alpha, c = "Y13", "Y14" // Y15 holds the mask
	}
	if r*v > s.Registers-3 && s.Lanes == 4 || r*v > s.Registers-2 {
		panic("no registers left to store")
	}
	masked := func(j int) bool { return j == v-1 && (s.Lanes == 8 || v == 1) }
	each := func(row string, do func(i, j int, at string)) {
		for i := range r {
			for j := range v {
				do(i, j, sprintf("%d(%s)", 8*s.Lanes*j, row))
			}
			if i+1 < r {
				g.line("ADDQ R13, %s", row)
			}
		}
	}
	g.line("VBROADCASTSD tile_alpha(DI), %s", alpha)
	g.lines("CMPQ tile_keep(DI), $0", "JEQ blank"+g.label, "MOVQ R12, R14")
	each("R14", func(i, j int, at string) {
		switch {
		case !masked(j):
			g.line("VFMADD213PD %s, %s, %s", at, alpha, acc(i, j))
		case s.Lanes == 8:
			g.line("VFMADD213PD %s, %s, K1, %s", at, alpha, acc(i, j))
		default:
			g.line("VMASKMOVPD %s, Y15, %s", at, c)
			g.line("VFMADD213PD %s, %s, %s", c, alpha, acc(i, j))
		}
	})
	g.line("JMP write%s", g.label)
	g.p("blank%s:", g.label)
	g.line("VXORPD %s, %s, %s", c, c, c)
	for i := range r * v {
		g.line("VFMADD213PD %s, %s, %s", c, alpha, s.reg(i))
	}
	g.p("write%s:", g.label)
	each("R12", func(i, j int, at string) {
		switch {
		case !masked(j):
			g.line("VMOVUPD %s, %s", acc(i, j), at)
		case s.Lanes == 8:
			g.line("VMOVUPD %s, K1, %s", acc(i, j), at)
		default:
			g.line("VMASKMOVPD %s, Y15, %s", acc(i, j), at)
		}
	})
}
