package blaskit

import (
	"math"
	"math/rand/v2"
	"strings"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

func symmetricUniform(r *rand.Rand) float64 { return 2*r.Float64() - 1 }

// ordinaryMode is the mode of checks that ask for nothing special.
var ordinaryMode = mode{
	alphas: []float64{1, -1, 0.3, -1.7, 2, 0},
	betas:  []float64{1, 0, -1, 0.3, -1.7, 0},
	value:  symmetricUniform,
	shapes: anyShape,
}

// with changes a mode.
func (m mode) with(change func(*mode)) mode {
	change(&m)
	return m
}

var roundingBound = property{
	name: "rounding bound",
	doc: "Every entry agrees with a compensated reference within the worst case of rounding, γ of the number of " +
		"operations times the magnitudes that are added, for all storage parameters; everything that must not be " +
		"read is NaN.",
	applies: every,
	cases:   props.Scale{Quick: 80, Standard: 1200, Deep: 30000},
	mode:    ordinaryMode.with(func(m *mode) { m.backward, m.overwrites = true, true }),
	judge:   once((*run).componentwise),
}

var surroundings = property{
	name: "surroundings",
	doc: "Bit by bit nothing changes but the entries of the result: not the operands, the padding, the other " +
		"triangle, nor the memory before and behind.",
	applies: every,
	cases:   props.Scale{Quick: 48, Standard: 900, Deep: 20000},
	mode:    ordinaryMode.with(func(m *mode) { m.alphas, m.backward = []float64{1, -1, 0.3}, true }),
	judge:   once((*run).surroundings),
}

// exactArithmetic scales small integers by powers of two so far that results become subnormal or nearly overflow.
var exactArithmetic = property{
	name: "exact arithmetic",
	doc: "With small integers, times powers of two down to the smallest subnormal number and up to 2^900 (2^93 in " +
		"single precision), every " +
		"operation is exact, and so must the result be.",
	applies: func(r *Routine) bool { return r.Name != "nrm2" }, // a square root is seldom exact
	cases:   props.Scale{Quick: 64, Standard: 900, Deep: 20000},
	mode: mode{
		alphas:   []float64{1, -1, 2, 0},
		betas:    []float64{1, 0, -1, 3},
		value:    smallInteger,
		shapes:   anyShape,
		integer:  true,
		backward: true,
	},
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		s := rapid.SampledFrom(p.scalings).Draw(t.T, "scaling")
		w := s.weight()
		far := p.args.Precision.Far() * 9 / 10
		exponents := []int{0, far / w, p.args.Precision.Lowest / w}
		if s.down != "" {
			exponents = []int{0, far, -far}
		}
		e := rapid.SampledFrom(exponents).Draw(t.T, "exponent")
		t.Show("scaled by 2^", e)
		p.scale(s, e)
		return once((*run).exact)(t, k, p)
	},
}

// weight returns how often the most scaled operand is scaled.
func (s scaling) weight() int {
	w := 1
	for _, c := range s.up {
		w = max(w, strings.Count(s.up, string(c)))
	}
	return w
}

// scale multiplies the operands by powers of two.
func (p *problem) scale(s scaling, e int) {
	for _, o := range p.operands {
		exponent := e * (strings.Count(s.up, string(o.slot)) - strings.Count(s.down, string(o.slot)))
		if exponent == 0 {
			continue
		}
		for i, held := range o.entries() {
			if x := o.before.At(i); held && !math.IsNaN(x) {
				o.before.Set(i, math.Ldexp(x, exponent))
			}
		}
	}
}

var roundingGrowth = property{
	name: "rounding growth",
	doc: "With positive entries the error grows like the square root of the length of the sums: in the Frobenius " +
		"norm it is at most u·(√(K+2)·|α|·‖A‖‖B‖ + 2|β|·‖C‖), the bound of BLAS++.",
	applies: func(r *Routine) bool { return r.sums && !r.compact() },
	cases:   props.Scale{Quick: 6, Standard: 180, Deep: 3000},
	mode: mode{
		alphas: []float64{1, 0.3, 1.7},
		betas:  []float64{1, 0, 0.3},
		value:  func(r *rand.Rand) float64 { return r.Float64() },
		shapes: longShape,
	},
	judge: once((*run).growth),
}

// alphaZero poisons what must not be read when alpha is zero.
var alphaZero = property{
	name: "alpha zero",
	doc: "α = 0 leaves β times the old result, correctly rounded, and zeros where β = 0 whatever was there; NaN and " +
		"∞ in the operands make no difference.",
	applies: func(r *Routine) bool { return r.Takes("alpha") && r.Name != "scal" && r.Name != "rot" },
	cases:   props.Scale{Quick: 48, Standard: 600, Deep: 10000},
	mode: mode{
		alphas:     []float64{0},
		betas:      []float64{0, 1, -1.7},
		value:      symmetricUniform,
		shapes:     anyShape,
		overwrites: true,
	},
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		for _, o := range p.operands {
			if kept := o.written && p.outputs[0].beta != 0 && !p.outputs[0].solve; !kept {
				o.fill(func(i, j int) float64 { return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[(i+j)%3] })
			}
		}
		return once((*run).scaledOld)(t, k, p)
	},
}

// scaledOld holds the result to beta times what was there, and to zero where beta is zero or there is no beta.
func (r *run) scaledOld(t *props.T) props.Ratio {
	out := &r.outputs[0]
	return r.entriesOf(t, out, func(i, j int) float64 {
		if out.beta == 0 || out.solve {
			return 0
		}
		return r.args.Precision.Round(out.beta * out.old(i, j))
	})
}

// nonFinite puts one NaN or infinity among many zeros.
var nonFinite = property{
	name: "NaN and infinities",
	doc: "One NaN or infinity in an operand makes NaN and infinities exactly where the definition says so: 0·NaN and " +
		"0·∞ are NaN, and no zero is a reason to skip work.",
	applies: func(r *Routine) bool { return !r.compact() },
	cases:   props.Scale{Quick: 96, Standard: 1200, Deep: 20000},
	mode: mode{
		alphas: []float64{1, -1, 0.3},
		betas:  []float64{1, 0, -1.7},
		value: func(r *rand.Rand) float64 {
			if r.IntN(5) < 2 {
				return 0
			}
			return symmetricUniform(r)
		},
		shapes: func(d *draw, _ int, names []string) []int { return d.between(1, 13, names) },
	},
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		o := p.operands[rapid.IntRange(0, len(p.operands)-1).Draw(t.T, "operand")]
		x := rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}).Draw(t.T, "value")
		var places []int
		for i, held := range o.entries() {
			if held {
				places = append(places, i)
			}
		}
		if len(places) > 0 { // a unit triangle of order one stores nothing
			o.before.Set(places[rapid.IntRange(0, len(places)-1).Draw(t.T, "place")], x)
		}
		return once((*run).classes)(t, k, p)
	},
}

var powersOfTwo = property{
	name: "powers of two",
	doc: "Operands multiplied by powers of two give the result multiplied by a power of two, bit by bit, up to " +
		"2^±400, 2^±41 in single precision: no overflow or underflow on the way, and no threshold that a value crosses.",
	applies: func(r *Routine) bool { return !r.compact() },
	cases:   props.Scale{Quick: 48, Standard: 600, Deep: 10000},
	mode:    ordinaryMode.with(func(m *mode) { m.alphas = []float64{1, -1, 0.3, -1.7} }),
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		s := rapid.SampledFrom(p.scalings).Draw(t.T, "scaling")
		far := p.args.Precision.Far() * 2 / 5
		e := rapid.SampledFrom([]int{1, 37, -38, far, -far}).Draw(t.T, "exponent") / s.weight()
		t.Show("scaled by 2^", e)
		base := p.begin()
		if !kit.Survives(t, func() { base.do(k) }) {
			return kit.Failed
		}
		p.scale(s, e)
		return once(func(r *run, t *props.T) props.Ratio {
			ratios := []props.Ratio{{}}
			for n := range r.outputs {
				out := &r.outputs[n]
				ratios = append(ratios, r.entriesOf(t, out,
					func(i, j int) float64 { return math.Ldexp(base.got(out, i, j), e*s.out) }))
			}
			return props.Worst(ratios...)
		})(t, k, p)
	},
}
