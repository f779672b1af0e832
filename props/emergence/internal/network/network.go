// Package network pairs Lemma 4 with networks that are evaluated in rational arithmetic on hidden bits, and in floating
// point on the inputs that a dictionary forms from the bits.
package network

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// Claim is emergence/network.
var Claim = props.Spec{
	Statement: &theory.Network,
	Try:       &props.Simulation{Run: simulate},
	Checks: []props.Check{
		props.Drawn[law, networkClaim]{
			Replicates: 1,
			Name:       "the network in rational arithmetic",
			Cases:      props.Scale{Quick: 40, Standard: 250, Deep: 8000},
			Regimes:    []string{"any mean", "mean where two hats tie", "mean near an end"},
			Draw:       func(t *props.T) law { return drawLaw(t, 25, (*law).meanCount) },
			Claim: networkClaim{hats: law.hats, slope: theory.Hats.Slope, neurons: theory.Hats.Neurons,
				sizesClaim: printedSizes},
			Judge: judgeExactly,
			Controls: []props.Wrong[law, networkClaim]{
				{Name: "label also depends on which bits are one", Assumption: "count-label", Criterion: "output",
					Alter: func(in *law) {
						in.labels = slices.Clone(in.labels)
						for count, bits := range in.bits {
							if bits[in.Support[0]].Sign() > 0 {
								in.labels[count] *= -1
							}
						}
					}},
				{Name: "one hidden coordinate is 1/2", Assumption: "bits", Criterion: "output", Alter: func(in *law) {
					in.bits = slices.Clone(in.bits)
					for count := range in.bits {
						in.bits[count] = slices.Clone(in.bits[count])
						in.bits[count][in.Support[0]] = big.NewRat(1, 2)
					}
				}},
				{Name: "biases use a mean that is off by 1/2", Assumption: "centred", Criterion: "output",
					Claim: hatsOf(func(h *theory.Hats) {
						half := big.NewRat(1, 2)
						if h.Mean.Cmp(half) >= 0 {
							half.Neg(half) // towards the inside of [0, k]
						}
						h.Mean.Add(half, h.Mean)
					})},
				{Name: "w = σ̃ΣMⱼ/(8k)", Criterion: "output", Instead: networkClaim{slope: halfSlope}},
				{Name: "no hat for count 0", Criterion: "output",
					Claim: neuronsOf(func(_ theory.Hats, all []theory.Neuron) { silence(all[:3]) })},
				{Name: "no hat for count k", Criterion: "output",
					Claim: neuronsOf(func(_ theory.Hats, all []theory.Neuron) { silence(all[len(all)-3:]) })},
				{Name: "the labels of parity whatever P is", Criterion: "output",
					Claim: hatsOf(func(h *theory.Hats) { h.Accept = data.Parity(h.K) })},
				{Name: "opposite sign when 1 is in P", Criterion: "output", Claim: hatsOf(func(h *theory.Hats) {
					if h.Accept = slices.Clone(h.Accept); h.Accept[1] {
						for count := range h.Accept {
							h.Accept[count] = !h.Accept[count]
						}
					}
				})},
				{Name: "hats that never shift", Criterion: "|b|, the smallest", Claim: neuronsOf(centreAll)},
				{Name: "|a| ≤ 31k", Criterion: "|a|, the largest", Claim: func(c *networkClaim) {
					c.bound(func(k int64, b *theory.Extremes) { b.Out = big.NewRat(31*k, 1) })
				}},
				{Name: "|b| ≥ 1/(31k)", Criterion: "|b|, the smallest",
					Draw:  func(t *props.T) law { return drawLaw(t, 25, oddEighths) },
					Claim: func(c *networkClaim) { c.bound(largerLeastBias) }},
				{Name: "|b| ≤ 1/4", Criterion: "|b|, the largest",
					Draw:  func(t *props.T) law { return drawLaw(t, 25, nearestToEnd) },
					Claim: func(c *networkClaim) { c.bound(smallerMostBias) }},
				{Name: "|z| ≤ 1/4", Criterion: "|z|, the largest",
					Claim: func(c *networkClaim) { c.bound(smallerPreActivation) }},
				{Name: "two neurons per count", Criterion: "number of neurons",
					Claim: func(c *networkClaim) { c.perCount = 2 }},
			},
		},
		props.Drawn[built, sizesClaim]{
			Replicates: 3,
			Name:       "the network on inputs from a dictionary",
			Cases:      props.Scale{Quick: 40, Standard: 300, Deep: 8000},
			Regimes:    []string{"d = D", "d > D"},
			Draw:       func(t *props.T) built { return drawBuilt(t, (*law).meanCount, gen.Orthonormal) },
			Claim:      printedSizes,
			Judge:      judgeBuilt,
			Controls: []props.Wrong[built, sizesClaim]{
				{Name: "dictionary with dependent columns of norm 1", Assumption: "orthonormal", Criterion: "output",
					Draw: func(t *props.T) built { return drawBuilt(t, (*law).meanCount, unitColumns) }},
				{Name: "input weights for 8k", Criterion: "input weights",
					Alter: func(in *built) { in.W = scaled(0.5, in.W) }},
				{Name: "an output weight doubled", Criterion: "output", Alter: func(in *built) {
					in.A = slices.Clone(in.A)
					in.A[len(in.A)/2] *= 2
				}},
				{Name: "a network of twice the scale", Criterion: "|a|, the largest",
					Alter: func(in *built) { in.A = scaled(4, in.A) }},
				{Name: "|b| ≥ 1/(31k), from a dictionary", Criterion: "|b|, the smallest",
					Draw:  func(t *props.T) built { return drawBuilt(t, oddEighths, gen.Orthonormal) },
					Claim: func(c *sizesClaim) { c.bound(largerLeastBias) }},
				{Name: "|b| ≤ 1/4, from a dictionary", Criterion: "|b|, the largest",
					Draw:  func(t *props.T) built { return drawBuilt(t, nearestToEnd, gen.Orthonormal) },
					Claim: func(c *sizesClaim) { c.bound(smallerMostBias) }},
				{Name: "|z| ≤ 1/4, from a dictionary", Criterion: "|z|, the largest",
					Claim: func(c *sizesClaim) { c.bound(smallerPreActivation) }},
				{Name: "two neurons per count, from a dictionary", Criterion: "number of neurons",
					Instead: sizesClaim{perCount: 2}},
			},
		},
	},
}.Claim()

// sizesClaim holds the claimed bounds on the weights, biases and pre-activations of a network, and the number of
// neurons for each count.
type sizesClaim struct {
	bounds   func(k int) theory.Extremes
	perCount int
}

var printedSizes = sizesClaim{bounds: theory.Bounds, perCount: 3}

// networkClaim holds the claimed hats, their neurons, the slope of the neurons along the count, and the sizes.
type networkClaim struct {
	hats    func(law) theory.Hats
	neurons func(theory.Hats) []theory.Neuron
	slope   func(theory.Hats) *big.Rat
	sizesClaim
}

// judgeExactly evaluates the network at every count. The only tolerance is for bounds, which are rounded to floating
// point.
func judgeExactly(r *props.Record, in law, claim networkClaim) {
	r.Regime(in.Mean)
	hats := claim.hats(in)
	net := exact(claim.neurons(hats), claim.slope(hats), in.Support, in.Dim)
	sizes := sizesOf(net)
	var outputs, labels []*big.Rat
	for count := range in.K + 1 {
		z := net.PreActivations(in.centre(in.bits[count]))
		for _, zi := range z {
			sizes.PreActivation = larger(sizes.PreActivation, zi)
		}
		outputs, labels = append(outputs, net.ReadOut(z)), append(labels, big.NewRat(in.labels[count], 1))
	}
	r.Show("outputs at the counts 0, …, k", rational.Texts(outputs))
	rational.Exactly(r, "output", outputs, labels)
	e := in.hats().Extremes()
	rational.Exactly(r, "sizes of the closed form", []*big.Rat{sizes.Out, sizes.LeastBias, sizes.MostBias,
		sizes.PreActivation}, []*big.Rat{e.Out, e.LeastBias, e.MostBias, e.PreActivation})
	r.Draw(drawn)
	claim.obey(r, sizes, len(net.A), in.K)
}

// obey compares the sizes with the printed bounds.
func (c sizesClaim) obey(r *props.Record, sizes theory.Extremes, neurons, k int) {
	b := c.bounds(k)
	out, smallest, largest, z := rational.Float(b.Out), rational.Float(b.LeastBias), rational.Float(b.MostBias),
		rational.Float(b.PreActivation)
	r.Exactly("number of neurons", float64(neurons), float64(c.perCount*(k+1)))
	r.AtMost("|a|, the largest", rational.Float(sizes.Out), out, 2*r.Unit()*out)
	r.AtLeast("|b|, the smallest", rational.Float(sizes.LeastBias), smallest, 2*r.Unit()*smallest)
	r.AtMost("|b|, the largest", rational.Float(sizes.MostBias), largest, 2*r.Unit()*largest)
	r.AtMost("|z|, the largest", rational.Float(sizes.PreActivation), z, 2*r.Unit()*z)
}

// sizesOf returns the extreme sizes of a network's output weights and biases.
func sizesOf(net truncated.Exact) theory.Extremes {
	e := theory.Extremes{Out: new(big.Rat), LeastBias: new(big.Rat).Abs(net.B[0]), MostBias: new(big.Rat),
		PreActivation: new(big.Rat)}
	for i := range net.A {
		e.Out, e.MostBias = larger(e.Out, net.A[i]), larger(e.MostBias, net.B[i])
		if b := new(big.Rat).Abs(net.B[i]); b.Cmp(e.LeastBias) < 0 {
			e.LeastBias = b
		}
	}
	return e
}

// larger returns the larger of largest and |x|.
func larger(largest, x *big.Rat) *big.Rat {
	if size := new(big.Rat).Abs(x); size.Cmp(largest) > 0 {
		return size
	}
	return largest
}

// built holds a network in floating point, from this package or a user, and inputs on which it should output the label.
type built struct {
	K        int        `npy:"k"`
	Sigma    float64    `npy:"sigma"`
	M        *mat.Dense `npy:"M"`        // d×D
	Relevant []float64  `npy:"relevant"` // D, 1 on A
	W        []float64  `npy:"w"`        // d
	A        []float64  `npy:"a"`        // 3(k+1)
	B        []float64  `npy:"b"`        // 3(k+1)
	X        *mat.Dense `npy:"X"`        // N×d
	Y        []float64  `npy:"y"`        // N
}

// Valid names the hypothesis that a user's numbers violate.
func (in built) Valid() error {
	d, dim := in.M.Dims()
	rows, cols := in.X.Dims()
	gram := algebra.Product(in.M.T(), in.M)
	gram.Sub(gram, dense.Identity(dim))
	ones := 0
	for _, x := range in.Relevant {
		if x == 1 {
			ones++
		} else if x != 0 {
			return errors.New("emergence: relevant is 1 on A and 0 outside")
		}
	}
	switch {
	case len(in.W) != d || cols != d || len(in.Relevant) != dim || rows != len(in.Y) || len(in.A) != len(in.B) ||
		len(in.A) == 0:
		return errors.New("emergence: the shapes of the arrays do not fit together")
	case !(in.Sigma > 0) || math.IsInf(in.Sigma, 1):
		return errors.New("emergence: σ̃ is not positive: a law with one outcome cannot be normalised")
	case in.K < 1 || ones != in.K:
		return errors.New("emergence: A does not have k ≥ 1 members")
	case !(mat.Norm(gram, 2) <= 1e-3):
		return errors.New("emergence: the columns of M are not orthonormal")
	}
	return nil
}

// drawBuilt draws a network and its inputs in floating point, with a random dictionary.
func drawBuilt(t *props.T, meanCount func(*law, *rand.Rand) *big.Rat,
	dictionary func(r *rand.Rand, d, n int) *mat.Dense) built {
	in := drawLaw(t, 8, meanCount)
	r := t.Stream("dictionary")
	return in.built(dictionary(r, in.Dim+r.IntN(4), in.Dim))
}

func scaled(by float64, x []float64) []float64 {
	out := slices.Clone(x)
	floats.Scale(by, out)
	return out
}

// built rounds the network to floating point, for inputs from a dictionary, and adds one input for every count.
func (in law) built(m *mat.Dense) built {
	d, _ := m.Dims()
	deviation := in.deviation()
	out := built{K: in.K, Sigma: deviation, M: m, Relevant: rational.Indicator(in.Dim, in.Support),
		X: mat.NewDense(in.K+1, d, nil)}
	out.W = make([]float64, d)
	for _, j := range in.Support {
		floats.AddScaled(out.W, deviation/float64(4*in.K), mat.Col(nil, j, m))
	}
	for _, n := range in.hats().Neurons() {
		out.A, out.B = append(out.A, rational.Float(n.Out)), append(out.B, rational.Float(n.Bias))
	}
	for count := range in.K + 1 {
		phi := make([]float64, in.Dim)
		for j, b := range in.centre(in.bits[count]) {
			phi[j] = rational.Float(b) / deviation
		}
		out.X.SetRow(count, times(m, phi, 1))
		out.Y = append(out.Y, float64(in.labels[count]))
	}
	return out
}

// times returns scale·M·x.
func times(m mat.Matrix, x []float64, scale float64) []float64 {
	out := algebra.Image(m, mat.NewVecDense(len(x), x))
	out.ScaleVec(scale, out)
	return out.RawVector().Data
}

// judgeBuilt compares outputs with labels within the rounding bound of the statement. A user's hidden bits are not
// known: ‖x‖₊ ≤ ‖x‖·√D for orthonormal columns, and ‖w‖₊ = σ̃/4.
func judgeBuilt(r *props.Record, in built, claim sizesClaim) {
	d, dim := in.M.Dims()
	r.RegimeOf(d != dim)
	net := truncated.Net{W: mat.NewDense(len(in.A), d, nil), A: in.A, B: in.B}
	for i := range in.A {
		net.W.SetRow(i, in.W)
	}
	outputs, reach := make([]float64, len(in.Y)), 0.0
	for i := range in.Y {
		reach = max(reach, floats.Norm(in.X.RawRowView(i), 2)*math.Sqrt(float64(dim)))
		outputs[i] = net.Output(in.X.RawRowView(i))
	}
	steps := float64(4*d+5*dim+10)*in.Sigma/4*reach + float64(len(in.A)+3)
	r.WithinVector("output", outputs, in.Y, r.Unit()*floats.Norm(in.A, 1)*steps*math.Sqrt(float64(len(in.Y))))
	scale := in.Sigma / float64(4*in.K)
	r.WithinVector("input weights", in.W, times(in.M, in.Relevant, scale),
		r.Unit()*float64(4*dim+10)*scale*float64(in.K))
	claim.obey(r, in.sizes(net), len(in.A), in.K)
}

// sizes returns the extreme sizes of the weights, of the biases, and of the pre-activations over the inputs.
func (in built) sizes(net truncated.Net) theory.Extremes {
	var exact truncated.Exact
	for i := range in.A {
		exact.A, exact.B = append(exact.A, new(big.Rat).SetFloat64(in.A[i])), append(exact.B,
			new(big.Rat).SetFloat64(in.B[i]))
	}
	e := sizesOf(exact)
	for i := range in.Y {
		for _, z := range net.PreActivations(nil, in.X.RawRowView(i)) {
			e.PreActivation = larger(e.PreActivation, new(big.Rat).SetFloat64(z))
		}
	}
	return e
}

// simulate builds the network for a random set P of counts and bits of equal mean, feeds it every count, and measures
// its sizes and its largest distance from a label.
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k := v.Int("k")
	t.Need(k <= 100, "a simulation runs the network in rational arithmetic, with k at most 100")
	in := law{K: k, Dim: k, Support: props.Indices(k), means: make([]*big.Rat, k)}
	mean := new(big.Rat).SetFloat64(v.Float("mean"))
	for j := range in.means {
		in.means[j] = new(big.Rat).Quo(mean, big.NewRat(int64(k), 1))
	}
	for range k + 1 {
		in.Accept = append(in.Accept, t.Rand.IntN(2) == 1)
	}
	hats := theory.Hats{K: k, Mean: mean, Accept: in.Accept}
	net := exact(hats.Neurons(), hats.Slope(), in.Support, k)
	sizes, slope := sizesOf(net), new(big.Rat)
	previous, worst := new(big.Rat), new(big.Rat)
	for count := range k + 1 {
		z := net.PreActivations(in.centre(in.bitsWith(t.Rand, count)))
		for _, zi := range z {
			sizes.PreActivation = larger(sizes.PreActivation, zi)
		}
		label := big.NewRat(labels(in.Accept)[count], 1)
		worst = larger(worst, label.Sub(label, net.ReadOut(z)))
		slope.Sub(z[0], previous)
		previous = z[0]
	}
	return map[string]float64{"neurons": float64(len(net.A)), "slope": rational.Float(slope),
		"largest-a": rational.Float(sizes.Out), "smallest-b": rational.Float(sizes.LeastBias),
		"largest-b": rational.Float(sizes.MostBias), "largest-z": rational.Float(sizes.PreActivation),
		"error": rational.Float(worst)}, nil
}

// drawn caches the figure, because every instance asks for it.
var drawn = sync.OnceValue(profile)

// profile plots the network for the parity of five with E S = 5/2, at and between the counts.
func profile() props.Figure {
	const k = 5
	mean := big.NewRat(k, 2)
	hats := theory.Hats{K: k, Mean: mean, Accept: data.Parity(k)}
	net := exact(hats.Neurons(), hats.Slope(), []int{0}, 1)
	output := props.Curve{Name: "network", Style: props.Line}
	labels, knots := props.Curve{Name: "label", Style: props.Points}, props.Curve{Name: "knots", Style: props.Points}
	for i := int64(-8); i <= 16*k+8; i++ {
		s := big.NewRat(i, 16)
		output.Add(rational.Float(s), rational.Float(net.Output([]*big.Rat{new(big.Rat).Sub(s, mean)})))
	}
	for count := range k + 1 {
		labels.Add(float64(count), float64(2*(count%2)-1))
	}
	for i, b := range net.B {
		s := new(big.Rat).Quo(b, net.V[i][0])
		knots.Add(rational.Float(s.Sub(mean, s)), 0)
	}
	return props.Figure{
		ID: "hats", Title: "The network of 18 neurons for the parity of five",
		Caption: "The network's output as the count S moves through the reals: one hat for each count, up or down, " +
			"which passes through the label at S = 0, …, 5 and vanishes at the other counts. Four hats peak at " +
			"their count. Those of the counts 2 and 3 are shifted by a quarter and twice as high, so that their " +
			"biases stay away from zero. The points on the axis are the knots.",
		X: props.Axis{Label: "count S"}, Y: props.Axis{Label: "g"}, Curves: []props.Curve{output, labels, knots},
	}
}
