package main

// The kernels for arm64, where every processor has NEON: 32 registers of two float64, and no masks. The assembler of Go
// knows the fused multiply-add of vectors and the moves between them; what it does not know is written as a word with
// the instruction in a comment. Encodings follow the Arm Architecture Reference Manual, section C7.2: operand m at bit
// 16, n at bit 5, the result d at bit 0.

type neon struct{ *gen }

// threeSame are the encodings of d = n ∘ m on two float64.
var threeSame = map[string]uint32{"fmul": 0x6e60dc00, "fadd": 0x4e60d400, "fsub": 0x4ee0d400, "fdiv": 0x6e60fc00}

func (g neon) op(name string, n, m, d int) {
	g.line("WORD $%#08x // %s v%d.2d, v%d.2d, v%d.2d", threeSame[name]|uint32(m<<16|n<<5|d), name, d, n, m)
}

// byLane are the encodings of d = n·m[lane] and d += n·m[lane]; the lane is bit 11.
var byLane = map[string]uint32{"fmul": 0x4fc09000, "fmla": 0x4fc01000}

func (g neon) lane(name string, n, m, lane, d int) {
	g.line("WORD $%#08x // %s v%d.2d, v%d.2d, v%d.d[%d]", byLane[name]|uint32(m<<16|lane<<11|n<<5|d), name, d, n, m, lane)
}

func (g neon) abs(n, d int) {
	g.line("WORD $%#08x // fabs v%d.2d, v%d.2d", 0x4ee0f800|uint32(n<<5|d), d, n)
}
func (g neon) neg(n, d int) {
	g.line("WORD $%#08x // fneg v%d.2d, v%d.2d", 0x6ee0f800|uint32(n<<5|d), d, n)
}

// pair adds the two lanes of n.
func (g neon) pair(n, d int) {
	g.line("WORD $%#08x // faddp d%d, v%d.2d", 0x7e70d800|uint32(n<<5|d), d, n)
}

// fma is d += n·m, fms d -= n·m, each rounded once.
func (g neon) fma(n, m, d int) { g.line("VFMLA V%d.D2, V%d.D2, V%d.D2", m, n, d) }
func (g neon) fms(n, m, d int) { g.line("VFMLS V%d.D2, V%d.D2, V%d.D2", m, n, d) }

func (g neon) zero(d int) { g.line("VEOR V%d.B16, V%d.B16, V%d.B16", d, d, d) }

// spread loads one number into both lanes; with a stride it moves on.
func (g neon) spread(base, stride string, d int) {
	if stride == "" {
		g.line("VLD1R (%s), [V%d.D2]", base, d)
		return
	}
	g.line("VLD1R.P (%s)(%s), [V%d.D2]", base, stride, d)
}

// load and save move neighbouring registers from or to memory, in pairs where there are two. With half set the only
// register has one number, in its lower lane; a load makes the upper lane +0.
func (g neon) load(base string, at, first, n int, half bool) {
	for j := 0; j < n; j++ {
		switch {
		case half:
			g.line("FMOVD %d(%s), F%d", at, base, first)
		case j+1 < n:
			g.line("FLDPQ %d(%s), (F%d, F%d)", at+16*j, base, first+j, first+j+1)
			j++
		default:
			g.line("FMOVQ %d(%s), F%d", at+16*j, base, first+j)
		}
	}
}

func (g neon) save(base string, at, first, n int, half bool) {
	for j := 0; j < n; j++ {
		switch {
		case half:
			g.line("FMOVD F%d, %d(%s)", first, at, base)
		case j+1 < n:
			g.line("FSTPQ (F%d, F%d), %d(%s)", first+j, first+j+1, at+16*j, base)
			j++
		default:
			g.line("FMOVQ F%d, %d(%s)", first+j, at+16*j, base)
		}
	}
}

// text opens a routine whose arguments take size bytes.
func (g neon) text(name, decl string, size int, plan string) {
	g.p("// func %sNEON%s", name, decl)
	g.p("//\n// %s", plan)
	g.p("TEXT ·%sNEON(SB), NOSPLIT, $0-%d", name, size)
	g.label = name
}

func (g neon) ret() { g.p("\tRET\n") }
