package main

import "github.com/thm-suite/thm/impl/blas/internal/shapes"

// The matrix kernels of NEON: one routine per tile of r rows and v vectors of two columns, and one per r for a single
// column. Row j of B is held in v registers, and the entries of A take turns in what is left. The main tile, 8×6, has
// loops of its own for the two ways in which A comes: by rows, where a register holds two entries of a row, for two
// steps, and by columns, where it holds two rows. There a multiply-add takes its factor from a lane, so that nothing is
// spent on spreading it.

// neonTiles lists for r = 1, 2, ... rows the widest tile in vectors. The last entry is the main tile.
var neonTiles = shapes.NEON.TileVectors()

const neonRegisters = `// Registers of every tile:
//
//	R0         the tile
//	R1-R8      rows 0-7 of A; R9 row stride, R10 column stride
//	R11        row of B; R12 row stride
//	R13        row of C; R14 row stride
//	R15        summation steps left
//	R16, R17   scratch
//	V0-        the sums by rows, then a row of B, then entries of A
`

// A neonTile is one routine in the making.
type neonTile struct {
	neon
	r, v int
	half bool // one column, in the lower lanes
}

func (t neonTile) name() string {
	if t.half {
		return sprintf("gemmNEON%dx1", t.r)
	}
	return sprintf("gemmNEON%dx%d", t.r, 2*t.v)
}

func (t neonTile) acc(i, j int) int { return i*t.v + j }
func (t neonTile) row(i int) string { return sprintf("R%d", 1+i) }

// gemm emits the routine that Go calls, the table of tiles and the tiles.
func (g neon) gemm() {
	g.p(neonRegisters)
	g.p("// func gemmNEON(t *tile)")
	g.p("TEXT ·gemmNEON(SB), NOSPLIT, $0-8")
	g.lines("MOVD t+0(FP), R0", "MOVD tile_a(R0), R1", "MOVD tile_rsa(R0), R9", "MOVD tile_csa(R0), R10",
		"MOVD tile_b(R0), R11",
		"MOVD tile_rsb(R0), R12", "MOVD tile_c(R0), R13", "MOVD tile_rsc(R0), R14", "MOVD tile_k(R0), R15",
		"LSL $3, R9", "LSL $3, R10", "LSL $3, R12", "LSL $3, R14")
	for i := 1; i < len(neonTiles); i++ {
		g.line("ADD R9, R%d, R%d", i, i+1)
	}
	g.lines("MOVD tile_rows(R0), R16", "MOVD tile_cols(R0), R17", "SUB $1, R16", "LSL $4, R16", "ADD R17>>1, R16, R16",
		"MOVD $tableNEON<>(SB), R17", "MOVD (R17)(R16<<3), R16", "JMP (R16)")
	g.p("")
	var tiles []neonTile
	for r, widest := range neonTiles {
		for v := range widest + 1 {
			t := neonTile{g, r + 1, max(v, 1), v == 0}
			g.p("DATA tableNEON<>+%d(SB)/8, $%s<>(SB)", 8*(16*r+v), t.name())
			tiles = append(tiles, t)
		}
	}
	g.p("GLOBL tableNEON<>(SB), NOPTR, $%d\n", 128*len(neonTiles))
	for _, t := range tiles {
		t.emit()
	}
}

func (t neonTile) emit() {
	t.label = sprintf("%dx%d", t.r, 2*t.v)
	cols := 2 * t.v
	if t.half {
		cols, t.label = 1, sprintf("%dx1", t.r)
	}
	t.p("// %d×%d: V0-V%d the sums.", t.r, cols, t.r*t.v-1)
	t.p("TEXT %s<>(SB), NOSPLIT, $0-8", t.name())
	for i := range t.r * t.v {
		t.zero(i)
	}
	if t.r == len(neonTiles) && t.v == neonTiles[t.r-1] {
		t.byRows()
		t.byColumns()
	}
	t.p("any%s:", t.label)
	t.line("CBZ R15, store%s", t.label)
	t.p("rest%s:", t.label)
	b, free := t.r*t.v, 32-t.r*t.v-t.v
	t.load("R11", 0, b, t.v, t.half)
	for i := range t.r {
		a := b + t.v + i%free
		t.spread(t.row(i), "R10", a)
		for j := range t.v {
			t.fma(b+j, a, t.acc(i, j))
		}
	}
	t.lines("ADD R12, R11", "SUBS $1, R15", "BNE rest"+t.label)
	t.p("store%s:", t.label)
	t.store()
}

// neonUnroll is the number of steps in a turn of the loops of the main tile.
const neonUnroll = 4

// byRows is the loop for rows of A without gaps. It leaves up to three steps.
func (t neonTile) byRows() {
	l := t.label
	t.lines("CMP $8, R10", "BNE columns"+l, sprintf("SUBS $%d, R15", neonUnroll), "BLT few"+l)
	t.line("PCALIGN $32")
	t.p("rows%s:", l)
	b := t.r * t.v
	a, free := b+2*t.v, 32-b-2*t.v
	for range neonUnroll / 2 {
		for step := range 2 {
			t.load("R11", 0, b+step*t.v, t.v, false)
			t.line("ADD R12, R11")
		}
		for i := range t.r {
			t.line("FMOVQ.P 16(%s), F%d", t.row(i), a+i%free)
			for step := range 2 {
				for j := range t.v {
					t.lane("fmla", b+step*t.v+j, a+i%free, step, t.acc(i, j))
				}
			}
		}
	}
	t.lines(sprintf("SUBS $%d, R15", neonUnroll), "BGE rows"+l)
	t.p("few%s:", l)
	t.lines(sprintf("ADD $%d, R15", neonUnroll), "B any"+l)
}

// byColumns is the loop for columns of A without gaps.
func (t neonTile) byColumns() {
	l := t.label
	b := t.r * t.v
	step := func() {
		t.load("R1", 0, b+t.v, t.r/2, false)
		t.load("R11", 0, b, t.v, false)
		t.lines("ADD R10, R1", "ADD R12, R11")
		for i := range t.r {
			for j := range t.v {
				t.lane("fmla", b+j, b+t.v+i/2, i%2, t.acc(i, j))
			}
		}
	}
	t.p("columns%s:", l)
	t.lines("CMP $8, R9", "BNE any"+l, sprintf("SUBS $%d, R15", neonUnroll), "BLT last"+l)
	t.line("PCALIGN $32")
	t.p("four%s:", l)
	for range neonUnroll {
		step()
	}
	t.lines(sprintf("SUBS $%d, R15", neonUnroll), "BGE four"+l)
	t.p("last%s:", l)
	t.lines(sprintf("ADDS $%d, R15", neonUnroll), "BEQ store"+l)
	t.p("one%s:", l)
	step()
	t.lines("SUBS $1, R15", "BNE one"+l, "B store"+l)
}

// store emits C = fma(alpha, sum, C), where C counts as zero (and is not read) unless tile.keep is set.
func (t neonTile) store() {
	const alpha = 31
	c := t.r * t.v
	t.lines("ADD $tile_alpha, R0, R16")
	t.spread("R16", "", alpha)
	t.lines("MOVD tile_keep(R0), R16", "CBZ R16, blank"+t.label)
	for _, keep := range []bool{true, false} {
		if !keep {
			t.p("blank%s:", t.label)
		}
		for i := range t.r {
			if keep {
				t.load("R13", 0, c, t.v, t.half)
			}
			for j := range t.v {
				if !keep {
					t.zero(c + j)
				}
				t.fma(t.acc(i, j), alpha, c+j)
			}
			t.save("R13", 0, c, t.v, t.half)
			if i+1 < t.r {
				t.line("ADD R14, R13")
			}
		}
		t.ret()
	}
}
