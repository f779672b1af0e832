package emergence

import (
	"fmt"
	"math/big"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
)

// halfGradient holds the gradient formula, one weight of one neuron at a time, against the difference quotient of the
// loss. Along one weight the loss is piecewise linear, so within the nearest kink the quotient is the derivative and
// there is no tolerance. Networks are with and without mirrors, with bias, saturated or plain; laws have no symmetry.
func halfGradient(v halfTrial) props.LegacyCheck {
	return props.Property{
		Name:  "the gradient against difference quotients",
		Cases: props.Scale{Quick: 40, Standard: 150, Deep: 5000},
		Prop: func(t *props.T) props.Ratio {
			h := drawHidden(t, halfTrial{skewed: true, unequal: true, biased: rapid.Bool().Draw(t.T, "biased")}, 6)
			kind := rapid.IntRange(0, 2).Draw(t.T, "plain, bias, saturated")
			net := drawNet(t, halfTrial{bias: kind == 1, saturated: kind == 2, unpaired: rapid.Bool().Draw(t.T, "unpaired")}, h)
			neuron := rapid.IntRange(0, len(net.A)-1).Draw(t.T, "neuron")
			weight := rapid.IntRange(0, h.Dim-1).Draw(t.T, "weight")
			land := net.Over(h)
			step := reach(land, net, neuron)
			if step.Sign() == 0 { // at a kink there is no derivative
				t.SkipNow()
			}
			quotient := new(big.Rat).Sub(moved(net, neuron, weight, step).HingeLoss(h),
				moved(net, neuron, weight, new(big.Rat).Neg(step)).HingeLoss(h))
			quotient.Quo(quotient, step.Mul(step, big.NewRat(2, 1)))
			claimed := v.derivative(net, h, land, neuron, weight)
			t.Show("neuron, weight", []int{neuron, weight})
			t.Show("difference quotient, claimed derivative", []string{quotient.RatString(), claimed.RatString()})
			computed := net.HingeGradient(h)[neuron][weight]
			return props.Worst(props.Truth(quotient.Cmp(claimed) == 0), props.Truth(quotient.Cmp(computed) == 0))
		},
	}.Check()
}

// reach returns half of how far one weight of a neuron can move before any input meets a kink: |φ̃ⱼ − E φ̃ⱼ| ≤ 1, so z
// moves no more than the weight and the margin no more than |a| times that.
func reach(land truncated.Landscape, net truncated.Exact, neuron int) *big.Rat {
	one, least := big.NewRat(1, 1), big.NewRat(1, 1)
	for s, z := range land.Pre {
		toCut := new(big.Rat).Sub(one, z[neuron])
		toMargin := new(big.Rat).Sub(one, land.Margin[s])
		toMargin.Quo(toMargin, net.A[neuron])
		for _, distance := range []*big.Rat{new(big.Rat).Abs(z[neuron]), toCut.Abs(toCut), toMargin.Abs(toMargin)} {
			if distance.Cmp(least) < 0 {
				least = distance
			}
		}
	}
	return least.Mul(least, big.NewRat(1, 2))
}

// moved returns the network with one weight changed.
func moved(net truncated.Exact, neuron, weight int, by *big.Rat) truncated.Exact {
	row := append([]*big.Rat{}, net.V[neuron]...)
	row[weight] = new(big.Rat).Add(row[weight], by)
	net.V = append([][]*big.Rat{}, net.V...)
	net.V[neuron] = row
	return net
}

// derivative is −a·E[y 1{y g < 1} 1{0 < z < 1} (φ̃ⱼ − E φ̃ⱼ)], term by term, or what the version on trial takes for it.
func (v halfTrial) derivative(net truncated.Exact, h data.Hidden, land truncated.Landscape, neuron, weight int) *big.Rat {
	one, mean, sum := big.NewRat(1, 1), h.Mean()[weight], new(big.Rat)
	for s, w := range h.Weight {
		z := land.Pre[s][neuron]
		switch {
		case z.Sign() <= 0,
			z.Cmp(one) >= 0 && !v.noCut,
			land.Margin[s].Cmp(one) >= 0 && !v.noIndicator:
			continue
		}
		term := big.NewRat(w*int64(h.Label(s)), h.Total())
		if !v.noInput {
			bit := big.NewRat(int64(s>>weight&1), 1)
			term.Mul(term, bit.Sub(bit, mean))
		}
		sum.Add(sum, term)
	}
	return sum.Neg(sum.Mul(sum, net.A[neuron]))
}

// byHand is the derivative of one neuron on one bit.
type byHand struct{ quotient, claimed, computed, printed float64 }

// halfGradientByHand is the smallest case in which the indicator matters: one fair bit, x = y = ±1, w = 1/2 and a = 4,
// alone and with its mirror. All numbers are dyadic, so floating point is exact.
func halfGradientByHand(v halfTrial) props.LegacyCheck {
	return props.LegacySweep[string, byHand]{
		Name:       "the gradient of one neuron on one bit",
		Cells:      func(props.Effort) []string { return []string{"alone", "with its mirror"} },
		Replicates: 1, // nothing is random
		Measure: func(_ *props.Trial, which string) byHand {
			sample := data.NewHidden(1, []int{0}, data.Parity(1), []int64{1, 1}, data.Fair).Inputs(identity(1))
			net := truncated.Net{W: mat.NewDense(1, 1, []float64{0.5}), B: []float64{0}, A: []float64{4}}
			if which != "alone" {
				net = truncated.Paired(net.W, net.B, net.A)
			}
			derivative := func(v halfTrial) (sum float64) {
				for i, p := range sample.P {
					x, y := sample.X.RawRowView(i), sample.Y[i]
					if z := net.PreActivations(nil, x)[0]; z <= 0 || z >= 1 || y*net.Output(x) >= 1 && !v.noIndicator {
						continue
					}
					if v.noInput {
						x = []float64{1}
					}
					sum -= net.A[0] * p * y * x[0]
				}
				return sum
			}
			const step = 0.125
			net.W.Set(0, 0, 0.5+step)
			up := net.HingeLoss(sample)
			net.W.Set(0, 0, 0.5-step)
			down := net.HingeLoss(sample)
			net.W.Set(0, 0, 0.5)
			return byHand{(up - down) / (2 * step), derivative(v), net.HingeGradient(sample).At(0, 0), derivative(halfTrial{noIndicator: true, noInput: true})}
		},
		Judge: func(cells []string, found []byHand) props.Judgement {
			j := props.Judgement{}
			for i, f := range found {
				j.Parts = append(j.Parts, props.Part{Name: cells[i], Ratio: props.Worst(props.Exactly(f.quotient-f.claimed), props.Exactly(f.quotient-f.computed))})
				j.Counterexample += fmt.Sprintf("one neuron, w = 1/2, a = 4, %s: difference quotient of the loss %g, printed form %g\n", cells[i], f.quotient, f.printed)
			}
			return j
		},
	}.Check()
}
