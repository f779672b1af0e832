package emergence

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/hinge"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
)

// feature is the function σ(slope·s + bias) of the count s.
type feature struct{ slope, bias float64 }

// at returns the value at s, without rounding.
func (f feature) at(s float64) *big.Rat {
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	z := exact(s)
	z.Add(z.Mul(z, exact(f.slope)), exact(f.bias))
	if z.Sign() < 0 {
		return new(big.Rat)
	}
	if one := big.NewRat(1, 1); z.Cmp(one) > 0 {
		return one
	}
	return z
}

// smallest returns the least loss of a label on features of the count.
func (in *bends) smallest(features []feature, accept func(count int) bool) float64 {
	return rational.Float(in.programme(features, accept).Minimum())
}

// programme returns the linear programme, with a row for each count.
func (in *bends) programme(features []feature, accept func(count int) bool) hinge.Exact {
	p := hinge.Exact{}
	for s, share := range in.P {
		p.Y, p.P = append(p.Y, -1), append(p.P, new(big.Rat).SetFloat64(share))
		if accept(s) {
			p.Y[s] = 1
		}
		p.Features = append(p.Features, list.Map(features, func(f feature) *big.Rat { return f.at(float64(s)) }))
	}
	return p
}

// newBends draws a law of the count, in multiples of 2⁻¹⁰.
func newBends(r *rand.Rand, k int) bends {
	in, rest := bends{Count: k, near: 1}, 1.0
	for range k + 1 {
		in.P = append(in.P, float64(1+r.IntN(64))/1024)
		rest -= in.P[len(in.P)-1]
	}
	in.P[r.IntN(k+1)] += rest
	return in
}

// drawBends draws how many kinks each gap contains, few or many, and puts some kinks on counts. Some layers lack 1 and
// S.
func drawBends(t *props.T) bends {
	k := rapid.IntRange(1, 8).Draw(t.T, "k")
	spans, dense := rapid.IntRange(0, 3).Draw(t.T, "with 1 and S") > 0, rapid.Bool().Draw(t.T, "dense")
	r := t.Stream("layer")
	numbers := []int{0, 0, 1, 1, 1, 2}
	if dense {
		numbers = []int{0, 1, 1, 1, 2, 3}
	}
	var kinks []float64
	for g := range k {
		kinks = append(kinks, kinksIn(r, g, numbers[r.IntN(len(numbers))])...)
		if r.IntN(12) == 0 {
			kinks = append(kinks, float64(g))
		}
	}
	return bendsAt(r, k, kinks, spans)
}

// kinksIn draws n kinks in a gap; some may coincide.
func kinksIn(r *rand.Rand, gap, n int) []float64 {
	return list.Fill(n, func(int) float64 { return float64(gap) + float64(1+2*r.IntN(16))/32 })
}

// drawHole draws a layer with two empty gaps, the given number of gaps with one kink between them, and two kinks in
// each other gap.
func drawHole(ones int) func(*props.T) bends {
	return func(t *props.T) bends {
		k := rapid.IntRange(4, 7).Draw(t.T, "k")
		r := t.Stream("layer")
		from := r.IntN(k - 1 - ones)
		var kinks []float64
		for g := range k {
			switch {
			case g == from || g == from+ones+1:
			case from < g && g <= from+ones:
				kinks = append(kinks, kinksIn(r, g, 1)...)
			default:
				kinks = append(kinks, float64(g)+0.25, float64(g)+0.5)
			}
		}
		return bendsAt(r, k, kinks, true)
	}
}

// bendsAt returns a layer with a feature for each kink, which rises from it or falls to it, and either the two features
// of around or one that is 0.
func bendsAt(r *rand.Rand, k int, kinks []float64, spans bool) bends {
	in := newBends(r, k)
	in.Kinks, in.spans = kinks, spans
	features := []feature{{-1. / 16, -1. / 16}}
	if spans {
		features = around(k)
	}
	for _, kink := range kinks {
		slope := math.Copysign(1./16, float64(r.IntN(2))-0.5) / float64(1+r.IntN(2))
		features = append(features, feature{slope, -slope * kink})
	}
	in.solve(features, r)
	return in
}

// solve finds the least losses.
func (in *bends) solve(features []feature, r *rand.Rand) {
	in.Loss = in.smallest(features, odd)
	if in.spans {
		label := r.IntN(1 << (in.Count + 1))
		in.Any = in.smallest(features, func(s int) bool { return label>>s&1 == 1 })
	}
}

// around returns two features without a kink among the counts 0, …, k, whose span contains 1 and s there.
func around(k int) []feature {
	return []feature{{1. / 16, 1. / 16}, {-1. / 32, float64(k+1) / 32}}
}

// drawLine draws a layer of the two features of around alone, with another label; the count 1 is the rarest.
func drawLine(t *props.T, k int, accept func(count int) bool) bends {
	rapid.Bool().Draw(t.T, "nothing") // rapid wants something to be drawn
	in := newBends(t.Stream("layer"), k)
	in.P[1] = slices.Min(in.P) / 2
	in.Loss = in.smallest(around(k), accept)
	return in
}

// drawRising draws a layer with a kink in every gap, from which a feature rises.
func drawRising(t *props.T) bends {
	k := rapid.IntRange(2, 6).Draw(t.T, "k")
	r := t.Stream("layer")
	in := newBends(r, k)
	var features []feature
	for g := range k {
		in.Kinks = append(in.Kinks, float64(g)+float64(1+r.IntN(15))/16)
		features = append(features, feature{1. / 16, -in.Kinks[g] / 16})
	}
	in.solve(features, r)
	in.spans = true
	return in
}

// drawTwoLabels draws a layer with a kink in every gap, and a label that is not a function of the count: it differs
// among inputs with the count 1. The parity is fitted.
func drawTwoLabels(t *props.T) bends {
	k := rapid.IntRange(1, 6).Draw(t.T, "k")
	r := t.Stream("layer")
	in, features := newBends(r, k), around(k)
	for g := range k {
		in.Kinks = append(in.Kinks, float64(g)+0.5)
		features = append(features, feature{1. / 16, -in.Kinks[g] / 16})
	}
	in.solve(features, r)
	p := in.programme(features, odd)
	p.Y, p.P, p.Features = append(p.Y, -1), append(p.P, p.P[1]), append(p.Features, p.Features[1])
	in.Any, in.spans = rational.Float(p.Minimum()), true
	return in
}

// drawSteps draws features that rise from 0 to 1 within a gap: of four gaps, two rise in the second and one in the
// third. The parity would have to rise in the first gap and fall in the last.
func drawSteps(t *props.T) bends {
	rapid.Bool().Draw(t.T, "nothing")
	r := t.Stream("layer")
	in, features := newBends(r, 4), around(4)
	for _, g := range []float64{1, 1.5, 2} {
		in.Kinks = append(in.Kinks, g+float64(1+r.IntN(6))/16)
		features = append(features, feature{64, -64 * in.Kinks[len(in.Kinks)-1]})
	}
	in.solve(features, r)
	in.spans = true
	return in
}

// drawUnaligned draws features of three bits, with a weight for each bit and a sum of weights that is not negative: if
// every bit had the mean weight, no feature would have a kink between the counts.
func drawUnaligned(t *props.T) bends {
	rapid.Bool().Draw(t.T, "nothing")
	r := t.Stream("layer")
	in, p := newBends(r, 3), hinge.Exact{}
	weights := list.Fill(24, func(int) []int {
		w := list.Fill(3, func(int) int { return r.IntN(9) - 4 })
		if w[0]+w[1]+w[2] < 0 {
			w[0], w[1], w[2] = -w[0], -w[1], -w[2]
		}
		return w
	})
	for pattern := range 8 {
		count := ones(pattern)
		share := new(big.Rat).SetFloat64(in.P[count])
		p.Y = append(p.Y, 2*(count%2)-1)
		p.P = append(p.P, share.Quo(share, big.NewRat([]int64{1, 3, 3, 1}[count], 1)))
		p.Features = append(p.Features, list.Map(weights, func(w []int) *big.Rat {
			z := 2
			for j, x := range w {
				z += x * (pattern >> j & 1)
			}
			return big.NewRat(int64(max(z, 0)), 16)
		}))
	}
	in.Loss = rational.Float(p.Minimum())
	return in
}
