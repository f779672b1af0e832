package main

import "github.com/thm-suite/thm/impl/blas/internal/shapes"

// The kernels of the triangular routines with NEON, see trapezoid.go: r rows of v vectors are held in registers, take
// the multiples of the k rows before them, and then those of each other. Row i of A is read once from its first to its
// last column, so that its pointer moves with every load.

const neonTrapezoidRegisters = `// Registers of every routine:
//
//	R0         the trapezoid
//	R1-R8      rows 0-7 of A; R10 column stride
//	R13        the diagonal; R15 its stride
//	R11        row of X before the block; R12 row of the block; R14 row stride of both
//	R9         rows before the block that are left
//	R16, R17   scratch
//	V0-        the rows, then a row of X, then factors
`

func (g neon) trapezoids() {
	g.p(neonTrapezoidRegisters)
	for _, name := range []string{"solve", "apply"} {
		g.trapezoidEntry(name)
		for _, r := range shapes.NEON.TrapezoidRows {
			for _, v := range shapes.NEON.TrapezoidVectors {
				b := neonBlock{g, name, name == "solve", r, max(1, v), v == 0}
				b.emit()
			}
		}
	}
}

// trapezoidEntry emits the routine that Go calls: it loads the operands and jumps.
func (g neon) trapezoidEntry(name string) {
	g.p("// func %sNEON(t *trapezoid)", name)
	g.p("TEXT ·%sNEON(SB), NOSPLIT, $0-8", name)
	g.lines("MOVD t+0(FP), R0", "MOVD trapezoid_rsa(R0), R16", "MOVD trapezoid_csa(R0), R10",
		"MOVD trapezoid_rsd(R0), R15",
		"MOVD trapezoid_rsx(R0), R14", "MOVD trapezoid_k(R0), R9", "LSL $3, R16", "LSL $3, R10", "LSL $3, R15", "LSL $3, R14",
		"MOVD trapezoid_a(R0), R1", "MOVD trapezoid_a0(R0), R17", "ADD R17<<3, R1, R1")
	for i := 1; i < 8; i++ {
		g.line("ADD R16, R%d, R%d", i, i+1)
	}
	g.lines("MOVD trapezoid_d(R0), R13", "MOVD trapezoid_d0(R0), R17", "ADD R17<<3, R13, R13",
		"MOVD trapezoid_x(R0), R11", "MOVD trapezoid_x0(R0), R17", "ADD R17<<3, R11, R11", "MUL R9, R14, R12",
		"ADD R11, R12, R12",
		"MOVD trapezoid_rows(R0), R16", "MOVD trapezoid_cols(R0), R17", "LSR $1, R17", "CLZ R16, R16", "EOR $63, R16",
		"ADD R16<<2, R17, R17",
		sprintf("MOVD $%sNEON<>(SB), R16", name), "MOVD (R16)(R17<<3), R16", "JMP (R16)")
	g.p("")
	for l, r := range shapes.NEON.TrapezoidRows {
		for _, v := range shapes.NEON.TrapezoidVectors {
			g.p("DATA %sNEON<>+%d(SB)/8, $%sNEON%dx%d<>(SB)", name, 8*(4*l+v), name, r, max(1, 2*v))
		}
	}
	g.p("GLOBL %sNEON<>(SB), NOPTR, $128\n", name)
}

// neonBlock is one r × v routine in the making.
type neonBlock struct {
	neon
	name  string
	solve bool
	r, v  int
	half  bool // one column, in the lower lanes
}

func (b neonBlock) acc(i int) int    { return i * b.v }
func (b neonBlock) row(i int) string { return sprintf("R%d", 1+i) }

func (b neonBlock) emit() {
	cols := 2 * b.v
	if b.half {
		cols = 1
	}
	b.label = sprintf("%s%dx%d", b.name, b.r, cols)
	b.p("// %d×%d: V0-V%d the rows.", b.r, cols, b.r*b.v-1)
	b.p("TEXT %sNEON%dx%d<>(SB), NOSPLIT, $0-8", b.name, b.r, cols)
	b.line("MOVD R12, R16")
	for i := range b.r {
		b.load("R16", 0, b.acc(i), b.v, b.half)
		if !b.solve {
			b.diagonal(i, "fmul")
		}
		b.line("ADD R14, R16")
	}
	x := b.r * b.v
	b.line("CBZ R9, triangle%s", b.label)
	b.p("before%s:", b.label)
	b.load("R11", 0, x, b.v, b.half)
	for i := range b.r {
		b.add(i, x)
	}
	b.lines("ADD R14, R11", "SUBS $1, R9", "BNE before"+b.label)
	b.p("triangle%s:", b.label)
	for i := range b.r {
		from := x
		switch {
		case b.solve:
			b.diagonal(i, "fdiv")
			b.store(i)
			from = b.acc(i)
		case i+1 < b.r:
			b.load("R11", 0, x, b.v, b.half)
			b.line("ADD R14, R11")
		}
		for below := i + 1; below < b.r; below++ {
			b.add(below, from)
		}
	}
	if !b.solve {
		for i := range b.r {
			b.store(i)
		}
	}
	b.ret()
}

// add emits row i -= or += A[i,·]·from; the factors take turns in the registers that are left.
func (b neonBlock) add(i, from int) {
	first := b.r*b.v + b.v
	factor := first + i%(31-first)
	b.spread(b.row(i), "R10", factor)
	for j := range b.v {
		if b.solve {
			b.fms(from+j, factor, b.acc(i)+j)
		} else {
			b.fma(from+j, factor, b.acc(i)+j)
		}
	}
}

// diagonal emits row i ∘ D[i].
func (b neonBlock) diagonal(i int, op string) {
	b.spread("R13", "R15", 31)
	for j := range b.v {
		b.op(op, b.acc(i)+j, 31, b.acc(i)+j)
	}
}

// store emits the store of row i, and moves to the next.
func (b neonBlock) store(i int) {
	b.save("R12", 0, b.acc(i), b.v, b.half)
	b.line("ADD R14, R12")
}
