package truncated

import (
	"math/big"

	"github.com/thm-suite/thm/internal/impl/data"
)

// Exact is a network on the centred hidden bits, g = Σᵢ aᵢ σ(Σⱼ vᵢⱼ(φ̃ⱼ − E φ̃ⱼ) + bᵢ), in rational arithmetic. It is
// [Net] on x = M(φ̃ − E φ̃)/σ̃ with vᵢⱼ = ⟨Mⱼ,wᵢ⟩/σ̃, so that neither M nor σ̃, which need not be rational, is left.
type Exact struct {
	V [][]*big.Rat // n×D
	B []*big.Rat   // n
	A []*big.Rat   // n, output weights
}

var one = big.NewRat(1, 1)

// clip returns σ(z).
func clip(z *big.Rat) *big.Rat {
	switch {
	case z.Sign() <= 0:
		return new(big.Rat)
	case !belowOne(z):
		return one
	}
	return z
}

// belowOne reports whether z < 1, without the products of a comparison of any two rationals.
func belowOne(z *big.Rat) bool { return z.Num().Cmp(z.Denom()) < 0 }

// open returns σ'(z) as a truth value.
func open(z *big.Rat) bool { return z.Sign() > 0 && belowOne(z) }

// PreActivations returns zᵢ at centred bits (length D). Neighbours that share their row of V share its inner product.
func (n Exact) PreActivations(centred []*big.Rat) []*big.Rat {
	out := make([]*big.Rat, len(n.V))
	var product *big.Rat
	for i, v := range n.V {
		if len(v) != len(centred) {
			panic("truncated: another number of weights than of hidden bits")
		}
		if i == 0 || len(v) == 0 || &v[0] != &n.V[i-1][0] {
			product = inner(v, centred)
		}
		out[i] = new(big.Rat).Add(product, n.B[i])
	}
	return out
}

// inner returns Σⱼ vⱼcⱼ.
func inner(v, c []*big.Rat) *big.Rat {
	var sum total
	for j := range v {
		if v[j].Sign() != 0 {
			sum.addProduct(v[j], c[j])
		}
	}
	return sum.rat()
}

// total adds up products of rationals over a common denominator. It is reduced at the end alone.
type total struct{ num, den, n, d, factor, rest big.Int }

func (t *total) addProduct(x, y *big.Rat) {
	t.n.Mul(x.Num(), y.Num())
	t.d.Mul(x.Denom(), y.Denom())
	if t.den.Sign() == 0 {
		t.num.Set(&t.n)
		t.den.Set(&t.d)
		return
	}
	if t.factor.QuoRem(&t.den, &t.d, &t.rest); t.rest.Sign() != 0 { // the common denominator grows
		t.factor.Quo(&t.d, t.rest.GCD(nil, nil, &t.den, &t.d))
		t.num.Mul(&t.num, &t.factor)
		t.den.Mul(&t.den, &t.factor)
		t.factor.Quo(&t.den, &t.d)
	}
	t.num.Add(&t.num, t.n.Mul(&t.n, &t.factor))
}

// rat returns the sum.
func (t *total) rat() *big.Rat {
	if t.den.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(&t.num, &t.den)
}

// Output returns g at centred bits (length D).
func (n Exact) Output(centred []*big.Rat) *big.Rat { return n.ReadOut(n.PreActivations(centred)) }

// ReadOut returns Σᵢ aᵢ σ(zᵢ).
func (n Exact) ReadOut(z []*big.Rat) *big.Rat {
	var g total
	for i, zi := range z {
		if active := clip(zi); active.Sign() != 0 {
			g.addProduct(n.A[i], active)
		}
	}
	return g.rat()
}

// Landscape is the network at every state of the hidden bits.
type Landscape struct {
	Pre    [][]*big.Rat // 2^D×n, zᵢ
	Margin []*big.Rat   // 2^D, y g
}

// Over evaluates the network at every state. The pre-activation of a state is the pre-activation of the state without
// its lowest one, plus one weight.
func (n Exact) Over(h data.Hidden) Landscape {
	mean := h.Mean()
	l := Landscape{make([][]*big.Rat, len(h.Weight)), make([]*big.Rat, len(h.Weight))}
	same := n.same()
	for s := range h.Weight {
		z := make([]*big.Rat, len(n.V))
		for i, v := range n.V {
			if same[i] < i {
				z[i] = z[same[i]]
				continue
			}
			if s == 0 {
				z[i] = new(big.Rat).Sub(n.B[i], inner(v, mean))
				continue
			}
			lowest := 0
			for s>>lowest&1 == 0 {
				lowest++
			}
			z[i] = new(big.Rat).Add(l.Pre[s&(s-1)][i], v[lowest])
		}
		l.Pre[s] = z
		l.Margin[s] = n.ReadOut(z)
		if h.Label(s) < 0 {
			l.Margin[s].Neg(l.Margin[s])
		}
	}
	return l
}

// same returns for every neuron the first one with its row of V and its bias, which mirrors share.
func (n Exact) same() []int {
	out := make([]int, len(n.V))
	for i := range out {
		for out[i] < i && (len(n.V[i]) == 0 || &n.V[out[i]][0] != &n.V[i][0] || n.B[out[i]] != n.B[i]) {
			out[i]++
		}
	}
	return out
}

// HingeLoss returns E max(0, 1 − y g).
func (n Exact) HingeLoss(h data.Hidden) *big.Rat {
	loss := new(big.Rat)
	var term big.Rat
	for s, margin := range n.Over(h).Margin {
		if term.Sub(one, margin).Sign() > 0 {
			loss.Add(loss, term.Mul(&term, big.NewRat(h.Weight[s], 1)))
		}
	}
	return loss.Mul(loss, big.NewRat(1, h.Total()))
}

// HingeGradient returns the derivative of the hinge loss in V, n×D:
// −aᵢ E[y 1{y g < 1} 1{0 < zᵢ < 1} (φ̃ⱼ − E φ̃ⱼ)].
func (n Exact) HingeGradient(h data.Hidden) [][]*big.Rat {
	land, mean, total := n.Over(h), h.Mean(), h.Total()
	grad := make([][]*big.Rat, len(n.V))
	for i := range n.V {
		all, ones := int64(0), make([]int64, h.Dim) // sums of y·weight over the open gates: in all, and where bit j is one
		for s, w := range h.Weight {
			if w == 0 || !open(land.Pre[s][i]) || !belowOne(land.Margin[s]) {
				continue
			}
			w *= int64(h.Label(s))
			all += w
			for j := range ones {
				ones[j] += w * int64(s>>j&1)
			}
		}
		grad[i] = make([]*big.Rat, h.Dim)
		for j := range grad[i] {
			t := big.NewRat(all, total)
			t.Sub(t.Mul(t, mean[j]), big.NewRat(ones[j], total))
			grad[i][j] = t.Mul(t, n.A[i])
		}
	}
	return grad
}
