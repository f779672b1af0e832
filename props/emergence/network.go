package emergence

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// network pairs Lemma 4 with networks that are evaluated in rational arithmetic on hidden bits, and in floating point
// on the inputs that a dictionary makes of them.
var network = props.Claim{
	Statement: &theory.Network,
	Verify: []props.LegacyCheck{
		networkExactly(networkTrial{}),
		networkBounds(networkTrial{}),
		networkProfile(networkTrial{}),
		networkRounded(networkTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "label also depends on which bits are one", Assumption: "count-label", Check: networkExactly(networkTrial{otherLabel: true})},
		{Name: "one hidden coordinate is 1/2", Assumption: "bits", Check: networkExactly(networkTrial{fractional: true})},
		{Name: "biases use a mean that is off by 1/2", Assumption: "centred", Check: networkExactly(networkTrial{wrongMean: true})},
		{Name: "dictionary with dependent columns of norm 1", Assumption: "orthonormal", Check: networkRounded(networkTrial{oblique: true})},
		{Name: "w = σ̃ΣMⱼ/(8k)", Check: networkExactly(networkTrial{halfWeight: true})},
		{Name: "w = σ̃ΣMⱼ/(8k), for the parity of five", Check: networkProfile(networkTrial{halfWeight: true})},
		{Name: "no hat for count 0", Check: networkExactly(networkTrial{noZeroHat: true})},
		{Name: "the labels of parity whatever P is", Check: networkExactly(networkTrial{alwaysParity: true})},
		{Name: "opposite sign when 1 is in P", Check: networkExactly(networkTrial{flipped: true})},
		{Name: "hats that never shift", Check: networkBounds(networkTrial{neverShifted: true})},
		{Name: "|a| ≤ 31k", Check: networkBounds(networkTrial{tightenOut: 1.0 / 31})},
		{Name: "|b| ≥ 1/(31k)", Check: networkBounds(networkTrial{tightenBias: 1.0 / 31})},
	},
	Resolve: []props.Resolution{
		{Of: "the output weights, in rational arithmetic", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return networkExactly(networkTrial{dose: dose}) }},
		{Of: "the bound 32k", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return networkBounds(networkTrial{tightenOut: dose}) }},
		{Of: "the bound 1/(32k)", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return networkBounds(networkTrial{tightenBias: dose}) }},
		{Of: "the output weights, in floating point", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return networkRounded(networkTrial{dose: dose}) }},
	},
}

// networkTrial is the version of the claim on trial. The zero value is the claim itself.
type networkTrial struct {
	dose         float64 // output weights times 1+dose
	tightenOut   float64 // |a| ≤ 32k/(1+tightenOut)
	tightenBias  float64 // |b| ≥ (1+tightenBias)/(32k)
	halfWeight   bool    // w = σ̃ Σ Mⱼ/(8k)
	noZeroHat    bool    // the three neurons of count 0 have output weight 0
	wrongMean    bool    // hats around counts minus a mean that is not E S
	alwaysParity bool    // output weights of the parity for every P
	flipped      bool    // output weights of the complement of P when 1 is in P
	neverShifted bool    // hats at u_p with c = 8k throughout
	otherLabel   bool    // y changes sign with one of the relevant bits
	fractional   bool    // one relevant coordinate is 1/2
	oblique      bool    // unit columns of M that are not orthogonal
}

// hats returns the network's hat functions for the law and label of an instance.
func (v networkTrial) hats(k int, mean *big.Rat, accept []bool) theory.Hats {
	labels := append([]bool{}, accept...)
	for count := range labels {
		switch {
		case v.alwaysParity:
			labels[count] = count%2 == 1
		case v.flipped && accept[1]:
			labels[count] = !accept[count]
		}
	}
	if v.wrongMean {
		half := big.NewRat(1, 2)
		if mean.Cmp(half) >= 0 {
			half.Neg(half) // towards the inside of [0, k]
		}
		mean = half.Add(half, mean)
	}
	return theory.Hats{K: k, Mean: mean, Accept: labels}
}

// neurons returns the neurons of the hats.
func (v networkTrial) neurons(h theory.Hats) []theory.Neuron {
	neurons := h.Neurons()
	if v.neverShifted {
		steep, shift := big.NewRat(16*int64(h.K), 1), big.NewRat(1, 16*int64(h.K))
		for i := 0; i < len(neurons); i += 3 {
			if new(big.Rat).Abs(neurons[i].Out).Cmp(steep) != 0 {
				continue
			}
			for _, n := range neurons[i : i+3] {
				n.Out.Mul(n.Out, big.NewRat(1, 2))
				n.Bias.Add(n.Bias, shift)
			}
		}
	}
	if v.noZeroHat { // silenced and not removed: the number of neurons is on trial as well
		for _, n := range neurons[:3] {
			n.Out.SetInt64(0)
		}
	}
	factor := new(big.Rat).SetFloat64(1 + v.dose)
	for _, n := range neurons {
		n.Out.Mul(n.Out, factor)
	}
	return neurons
}

// exact is the network on the centred hidden bits; all neurons look along the same direction, nonzero on the support.
func (v networkTrial) exact(h theory.Hats, support []int, dim int) truncated.Exact {
	slope := h.Slope()
	if v.halfWeight {
		slope.Mul(slope, big.NewRat(1, 2))
	}
	direction := make([]*big.Rat, dim)
	for j := range direction {
		direction[j] = new(big.Rat)
	}
	for _, j := range support {
		direction[j] = slope
	}
	var net truncated.Exact
	for _, n := range v.neurons(h) {
		net.V, net.B, net.A = append(net.V, direction), append(net.B, n.Bias), append(net.A, n.Out)
	}
	return net
}

// bounds are the bounds that the version on trial claims.
func (v networkTrial) bounds(k int) theory.Extremes {
	b := theory.Bounds(k)
	b.Out.Quo(b.Out, new(big.Rat).SetFloat64(1+v.tightenOut))
	b.LeastBias.Mul(b.LeastBias, new(big.Rat).SetFloat64(1+v.tightenBias))
	return b
}

// within reports whether sizes obey bounds.
func within(e, bounds theory.Extremes) bool {
	return e.Out.Cmp(bounds.Out) <= 0 && e.LeastBias.Cmp(bounds.LeastBias) >= 0 &&
		e.MostBias.Cmp(bounds.MostBias) <= 0 && e.PreActivation.Cmp(bounds.PreActivation) <= 0
}

// networkExactly holds the network against the label in rational arithmetic, for every count, together with the number
// of neurons and the bounds. There is no tolerance.
func networkExactly(v networkTrial) props.LegacyCheck {
	return props.Property{
		Name:  "the label, in rational arithmetic",
		Cases: props.Scale{Quick: 30, Standard: 150, Deep: 8000},
		Prop: func(t *props.T) props.Ratio {
			in := drawCounting(t, 25)
			net := v.exact(v.hats(in.k, in.meanCount(), in.accept), in.support, in.dim)
			sizes, right := sizesOf(net), true
			var outputs []string
			for count := range in.k + 1 {
				bits := in.bitsWith(count)
				label := in.label(count)
				if j := in.support[0]; v.otherLabel && bits[j].Sign() > 0 {
					label = -label
				}
				if v.fractional {
					bits[in.support[0]] = big.NewRat(1, 2)
				}
				z := net.PreActivations(in.centre(bits))
				for _, zi := range z {
					sizes.PreActivation = larger(sizes.PreActivation, zi)
				}
				g := net.ReadOut(z)
				right = right && g.Cmp(big.NewRat(int64(label), 1)) == 0
				outputs = append(outputs, g.RatString())
			}
			t.Show("outputs at the counts 0, …, k", outputs)
			return props.Worst(props.Truth(right), props.Truth(len(net.A) == 3*(in.k+1)), props.Truth(within(sizes, v.bounds(in.k))))
		},
	}.Check()
}

// sizesOf measures a network's output weights and biases.
func sizesOf(net truncated.Exact) theory.Extremes {
	e := theory.Extremes{Out: new(big.Rat), LeastBias: new(big.Rat).Abs(net.B[0]), MostBias: new(big.Rat), PreActivation: new(big.Rat)}
	for i := range net.A {
		e.Out, e.MostBias = larger(e.Out, net.A[i]), larger(e.MostBias, net.B[i])
		if b := new(big.Rat).Abs(net.B[i]); b.Cmp(e.LeastBias) < 0 {
			e.LeastBias = b
		}
	}
	return e
}

// larger returns the larger of most and |x|.
func larger(most, x *big.Rat) *big.Rat {
	if size := new(big.Rat).Abs(x); size.Cmp(most) > 0 {
		return size
	}
	return most
}

// networkRounded holds the network against the label in floating point, on inputs x = M(φ̃ − E φ̃)/σ̃ with a random
// dictionary, within the rounding bound of the statement.
func networkRounded(v networkTrial) props.LegacyCheck {
	return props.Property{
		Name:  "the label, on inputs from a dictionary",
		Cases: props.Scale{Quick: 20, Standard: 60, Deep: 8000},
		Prop: func(t *props.T) props.Ratio {
			in := drawCounting(t, 8)
			r := t.Stream("dictionary")
			d := in.dim + r.IntN(4)
			m := gen.Orthonormal(r, d, in.dim)
			if v.oblique {
				m = unitColumns(r, d, in.dim)
			}
			t.Show("M", m)
			deviation := in.deviation()
			scale := deviation / float64(4*in.k)
			w, size := make([]float64, d), 0.0
			for _, j := range in.support {
				column := m.ColView(j)
				for c := range w {
					w[c] += scale * column.AtVec(c)
				}
				size += scale * mat.Norm(column, 2)
			}
			net, total := floating(v.neurons(v.hats(in.k, in.meanCount(), in.accept)), w)
			ratio, outputs := props.Ratio{}, []float64{}
			for count := range in.k + 1 {
				x, reach := in.input(m, deviation, in.bitsWith(count))
				steps := float64(4*d+5*in.dim+10)*size*reach + float64(len(net.A)+3)
				g := net.Output(x)
				outputs = append(outputs, g)
				ratio = props.Worst(ratio, props.Within(g-float64(in.label(count)), 0x1p-53*total*steps))
			}
			t.Show("outputs at the counts 0, …, k", outputs)
			return ratio
		},
	}.Check()
}

// floating rounds neurons to a network with input weights w, and returns Σ|aᵢ| with it.
func floating(neurons []theory.Neuron, w []float64) (truncated.Net, float64) {
	net, total := truncated.Net{W: mat.NewDense(len(neurons), len(w), nil)}, 0.0
	for i, n := range neurons {
		a, _ := n.Out.Float64()
		b, _ := n.Bias.Float64()
		net.W.SetRow(i, w)
		net.A, net.B = append(net.A, a), append(net.B, b)
		total += math.Abs(a)
	}
	return net, total
}
