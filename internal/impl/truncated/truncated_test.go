package truncated_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
)

// model is the parity of the first three of dim bits with half of the mass on equal bits.
func model(dim int, background data.Odds) data.Hidden {
	return data.NewHidden(dim, []int{0, 1, 2}, data.Parity(3), data.Mixture(3, 1, 1), background)
}

// paired is one neuron and its mirror on hidden bits; the weights are q/unit, the bias b/unit, the output weights ±1.
func paired(q []int64, b *big.Rat, unit int64) truncated.Exact {
	v := make([]*big.Rat, len(q))
	for j, x := range q {
		v[j] = big.NewRat(x, unit)
	}
	b = new(big.Rat).Mul(b, big.NewRat(1, unit))
	return truncated.Exact{V: [][]*big.Rat{v, v}, B: []*big.Rat{b, b}, A: []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1)}}
}

// References from a separate enumeration; the unit keeps all pre-activations below 1.
func TestExactGradientAgainstReferences(t *testing.T) {
	for name, c := range map[string]struct {
		background data.Odds
		q          []int64
		bias       *big.Rat
		want       []string // σ̃Tⱼ, which is −∂L/∂vⱼ for the output weight 1
	}{
		"biased background": {data.Odds{One: 1, Zero: 3}, []int64{3, -2, 5, 4, -1, 2}, big.NewRat(1, 8),
			[]string{"129/1024", "143/1024", "147/1024", "-45/2048", "-9/2048", "-27/2048"}},
		"fair background": {data.Fair, []int64{1, 3, 5, 7, 9, 11, 13, 15, 17}, new(big.Rat),
			[]string{"1/8", "1/8", "1/8", "0", "0", "0", "0", "0", "0"}},
	} {
		grad := paired(c.q, c.bias, 1000).HingeGradient(model(len(c.q), c.background))
		for j, want := range c.want {
			require.Equal(t, want, new(big.Rat).Neg(grad[0][j]).RatString(), "%s, coordinate %d", name, j)
			require.Equal(t, want, grad[1][j].RatString(), "%s, mirror, coordinate %d", name, j)
		}
	}
}

// The reference has thirteen digits; 4096 terms of size 0.1 add errors of at most 4096·u·0.1 = 5e-14.
func TestGradientAgainstReference(t *testing.T) {
	want := []float64{0.08417917306416, 0.08877974461964, 0.08293597939348, 3.711211107187e-4, 4.156545389516e-5,
		3.885916972123e-3,
		2.672159092867e-3, -4.896172963043e-4, 1.975030049045e-3, -4.574915711414e-4, -1.378983626063e-4, 2.684078811261e-3}
	w := mat.NewDense(1, 12, nil)
	for j := range 12 {
		w.Set(0, j, math.Cos(float64(j+1))/3)
	}
	net := truncated.Paired(w, []float64{0.05}, []float64{1})
	grad := net.HingeGradient(model(12, data.Odds{One: 3, Zero: 7}).Inputs(identity(12)))
	for j, x := range want {
		if !(math.Abs(-grad.At(0, j)-x) <= 1e-13) {
			t.Errorf("T[%d] = %v, want %v", j, -grad.At(0, j), x)
		}
	}
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

func random(r *rand.Rand, rows, cols int, std float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return std * r.NormFloat64() }, m)
	return m
}

// The loss is piecewise linear in one weight, so a central difference is the derivative unless the step of 1e-7 meets
// a kink: with 3 neurons, 64 inputs and kink positions spread over order one, that has a chance of 1e-5 per weight.
// Rounding: about 64·20 operations on a loss of at most 5 give 1e-13 in the worst case, over the step 1e-6.
func TestGradientAgainstCentralDifferences(t *testing.T) {
	const step, tol = 1e-7, 1e-6
	r := rand.New(rand.NewPCG(5, 6))
	h := data.NewHidden(6, []int{5, 0, 3}, []bool{false, true, true, false}, data.Mixture(3, 2, 3),
		data.Odds{One: 2, Zero: 3})
	s := h.Inputs(random(r, 7, 6, 0.5))
	net := truncated.Net{W: random(r, 3, 7, 2), B: []float64{0.2, -0.1, 0.4}, A: []float64{3, -2, 1.5}}
	grad, cut := net.HingeGradient(s), 0
	for i := range s.P {
		if s.Y[i]*net.Output(s.X.RawRowView(i)) > 1 {
			cut++
		}
	}
	require.NotZero(t, cut, "the indicator of the hinge must matter here")
	for i := range 3 {
		for j := range 7 {
			at := net.W.At(i, j)
			net.W.Set(i, j, at+step)
			up := net.HingeLoss(s)
			net.W.Set(i, j, at-step)
			down := net.HingeLoss(s)
			net.W.Set(i, j, at)
			if d := (up - down) / (2 * step); !(math.Abs(d-grad.At(i, j)) <= tol) {
				t.Errorf("weight %d,%d: gradient %v, difference %v", i, j, grad.At(i, j), d)
			}
		}
	}
}

// With V = WM/σ̃ the two networks are the same function, and the derivative in W is the one in V times Mᵀ/σ̃.
func TestExactAndFloatingNetworkAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	h := model(5, data.Odds{One: 1, Zero: 2})
	variance, _ := h.Variance().Float64()
	deviation := math.Sqrt(variance)
	dictionary := random(r, 6, 5, 0.5)
	net := truncated.Net{W: random(r, 4, 6, 2), B: []float64{0.3, -0.2, 0, 0.5}, A: []float64{2, 1, -3, 4}}
	exact := truncated.Exact{V: make([][]*big.Rat, 4), B: make([]*big.Rat, 4), A: make([]*big.Rat, 4)}
	var v mat.Dense
	v.Mul(net.W, dictionary)
	for i := range 4 {
		exact.B[i], exact.A[i] = new(big.Rat).SetFloat64(net.B[i]), new(big.Rat).SetFloat64(net.A[i])
		for j := range 5 {
			exact.V[i] = append(exact.V[i], new(big.Rat).SetFloat64(v.At(i, j)/deviation))
		}
	}
	s := h.Inputs(dictionary)
	land, mean := exact.Over(h), h.Mean()
	// sums of at most 32 terms below 10, each with about ten roundings: 32·10·10·u = 4e-13 at the very worst
	const tol = 4e-13
	for state := range s.P {
		centred := make([]*big.Rat, 5)
		for j := range centred {
			centred[j] = new(big.Rat).Sub(big.NewRat(int64(state>>j&1), 1), mean[j])
		}
		g := exact.Output(centred)
		value, _ := g.Float64()
		if got := net.Output(s.X.RawRowView(state)); !(math.Abs(got-value) <= tol) {
			t.Errorf("state %05b: %v in floating point, %v exactly", state, got, value)
		}
		require.Zero(t, new(big.Rat).Mul(g, big.NewRat(int64(h.Label(state)), 1)).Cmp(land.Margin[state]))
	}
	loss, _ := exact.HingeLoss(h).Float64()
	if got := net.HingeLoss(s); !(math.Abs(got-loss) <= tol) {
		t.Errorf("loss %v in floating point, %v exactly", got, loss)
	}
	grad := mat.NewDense(4, 5, nil)
	for i, row := range exact.HingeGradient(h) {
		for j, x := range row {
			f, _ := x.Float64()
			grad.Set(i, j, f/deviation)
		}
	}
	var want, diff mat.Dense
	want.Mul(grad, dictionary.T())
	if diff.Sub(net.HingeGradient(s), &want); !(mat.Norm(&diff, 2) <= tol) {
		t.Errorf("gradients differ by %v", mat.Norm(&diff, 2))
	}
}

// Neurons that share a row of weights and not the bias are evaluated each.
func TestExactNeuronsWithSharedWeights(t *testing.T) {
	v := []*big.Rat{big.NewRat(1, 3), big.NewRat(-2, 5)}
	net := truncated.Exact{V: [][]*big.Rat{v, v, v}, B: []*big.Rat{big.NewRat(1, 7), big.NewRat(2, 7), big.NewRat(1, 7)},
		A: []*big.Rat{big.NewRat(1, 2), big.NewRat(3, 2), big.NewRat(-5, 4)}}
	h := data.NewHidden(2, []int{0}, data.Parity(1), data.Mixture(1, 1, 1), data.Odds{One: 1, Zero: 2})
	mean := h.Mean()
	for state, z := range net.Over(h).Pre {
		for i, got := range z {
			want := new(big.Rat).Set(net.B[i])
			for j, x := range v {
				centred := new(big.Rat).Sub(big.NewRat(int64(state>>j&1), 1), mean[j])
				want.Add(want, centred.Mul(centred, x))
			}
			require.Zero(t, got.Cmp(want), "state %02b, neuron %d", state, i)
		}
	}
}

func TestPairedNetworkIsZeroAndLeavesItsArgumentsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	w, b, a := random(r, 3, 4, 1), []float64{0.1, 0.2, -0.3}, []float64{1.7, -0.9, 2.3}
	before := mat.DenseCopyOf(w)
	net := truncated.Paired(w, b, a)
	require.Len(t, net.A, 6)
	for range 20 {
		require.Zero(t, net.Output(random(r, 1, 4, 1).RawRowView(0)))
	}
	net.W.Set(0, 0, 99)
	require.True(t, mat.Equal(before, w))
	require.Equal(t, []float64{1.7, -0.9, 2.3}, a)
	require.PanicsWithValue(t, "truncated: shapes of weights, biases, output weights and input do not fit",
		func() { net.Output([]float64{1}) })
	require.PanicsWithValue(t, "truncated: another number of weights than of hidden bits", func() {
		paired([]int64{1, 2}, new(big.Rat), 3).Output([]*big.Rat{new(big.Rat)})
	})
}
