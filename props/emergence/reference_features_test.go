package emergence

import (
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/hinge"
	"github.com/thm-suite/thm/internal/impl/truncated"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// tenBits returns features on all states of ten bits, with k = 3.
func tenBits(background float64, columns []func(z []float64) float64) features {
	in := features{Dim: 10, Count: 3, Background: background, psi: mat.NewDense(1<<10, len(columns), nil)}
	z := make([]float64, 10)
	for s := range 1 << 10 {
		for j := range z {
			z[j] = float64(2*(s>>j&1) - 1)
		}
		for i, f := range columns {
			in.psi.Set(s, i, f(z))
		}
	}
	return in
}

// monomials returns the monomials in the signs with degrees in a range.
func monomials(from, to int) []func(z []float64) float64 {
	var out []func(z []float64) float64
	for mask := range 1 << 10 {
		if n := bits.OnesCount(uint(mask)); n < from || n > to {
			continue
		}
		out = append(out, func(z []float64) float64 {
			product := 1.0
			for j, x := range z {
				if mask>>j&1 == 1 {
					product *= x
				}
			}
			return product
		})
	}
	return out
}

// clipped returns 40 neurons whose weights are cosines and whose biases are sines.
func clipped() []func(z []float64) float64 {
	var out []func(z []float64) float64
	for i := range 40 {
		out = append(out, func(z []float64) float64 {
			sum := math.Sin(1.7*float64(i)) / 9
			for j, x := range z {
				sum += math.Cos(1+float64(j)+2.3*float64(i)) / 3 * x / (2 * math.Sqrt(10./4))
			}
			return min(1, max(0, sum))
		})
	}
	return out
}

// Theorem 2: the mean over all A of ‖E_A[yΨ]‖ on the part with uniform bits on A.
func TestReferenceFeatures(t *testing.T) {
	for _, c := range []struct {
		what       string
		columns    []func(z []float64) float64
		n          int
		fair, less float64 // p_o = 1/2, 3/10
		within     float64 // rounding: sums of 1024 products
	}{
		{"signs", monomials(1, 1), 10, 0, 0, 1e-15}, {"degree at most 2", monomials(0, 2), 56, 0, 0, 1e-14},
		{"degree at most 3", monomials(0, 3), 176, 1, 1, 2e-13}, {"parities of three", monomials(3, 3), 120, 1, 1, 2e-13},
		{"clipped", clipped(), 40, 0.006515, 0.009424, 5e-7},
	} {
		for background, want := range map[float64]float64{0.5: c.fair, 0.3: c.less} {
			in := tenBits(background, c.columns)
			f := theory.Fixed{Law: theory.Mixture{Dim: 10, Count: 3, Background: background, Uniform: 0.5},
				Features: len(c.columns), Radius: 1}
			mean, sets := 0.0, in.sets()
			for _, mask := range sets {
				weights := in.law(mask, 1)
				for s := range weights {
					weights[s] *= parityOf(s & mask)
				}
				var v mat.VecDense
				v.MulVec(in.psi.T(), mat.NewVecDense(len(weights), weights))
				mean += mat.Norm(&v, 2) / float64(len(sets))
			}
			compare(t, []reference{{c.what, mean, want, c.within}, {"number of features", float64(len(c.columns)),
				float64(c.n), 0}})
			if mean > f.Cap()*(1+1e-14) {
				t.Errorf("%s at p_o = %v: %v exceeds the cap %v", c.what, background, mean, f.Cap())
			}
		}
	}
}

// The smallest losses over ‖w‖ ≤ B on D_A(λ). The references are closed forms or were certified to 1e-3; ours are
// certified to the gap, which is added to the tolerance.
func TestReferenceSmallestLosses(t *testing.T) {
	const gap = 1e-3
	for _, c := range []struct {
		what           string
		columns        []func(z []float64) float64
		mask           int
		lambda, radius float64
		want           float64
	}{
		{"signs", monomials(1, 1), 7, 0.5, 0.25, 0.783494}, {"signs", monomials(1, 1), 7, 0.5, 1, 0.5},
		{"signs", monomials(1, 1), 7, 0.3, 0.25, 0.696891}, {"signs", monomials(1, 1), 7, 0.3, 1, 0.3},
		{"degree at most 3", monomials(0, 3), 7, 0.5, 0.25, 0.669281},
		{"degree at most 3", monomials(0, 3), 7, 0.5, 1, 0},
		{"clipped", clipped(), 1 | 1<<3 | 1<<6, 0.5, 0.25, 0.962688},
		{"clipped", clipped(), 1 | 1<<3 | 1<<6, 0.5, 1, 0.854573},
		{"clipped", clipped(), 1 | 1<<3 | 1<<6, 0.5, 4, 0.79951},
		{"clipped", clipped(), 1 | 1<<3 | 1<<6, 0.5, 16, 0.73817},
	} {
		in := tenBits(0.5, c.columns)
		p := hinge.Problem{Features: in.psi, P: in.law(c.mask, c.lambda)}
		mean := make([]float64, len(c.columns)) // E[yΨ]
		for s := range p.P {
			p.Y = append(p.Y, parityOf(s&c.mask))
			floats.AddScaled(mean, p.P[s]*p.Y[s], in.psi.RawRowView(s))
		}
		found, err := p.InBall(c.radius, gap, 20000)
		if err != nil {
			t.Errorf("%s, B = %v: %v: %v to %v", c.what, c.radius, err, found.Lower, found.Loss)
		}
		compare(t, []reference{{c.what, found.Loss, c.want, gap + 1e-3}})
		if linear := 1 - c.radius*floats.Norm(mean, 2); c.radius == 0.25 { // |h| ≤ 1 for the best h: 1 − B‖E yΨ‖
			compare(t, []reference{{c.what + " in closed form", linear, c.want, 5e-7}})
		}
	}
}

// Theorem 3 for gradients: Σ_A T_j² on uniform inputs is at most E[φ_j²ψ²], and T is far smaller than with structure.
// With structure the reference equals γE ψ/σ̃ to its last digit; it is said to be the root mean square of T on A, but
// that is 0.0921.
func TestReferenceGradientsAreQueries(t *testing.T) {
	total, open, sets := 0.0, 0.0, (features{Dim: 10, Count: 3}).sets()
	sums, structured := make([]float64, 10), 0.0
	for _, mask := range sets {
		var support []int
		for j := range 10 {
			if mask>>j&1 == 1 {
				support = append(support, j)
			}
		}
		for _, share := range []float64{1, 0.5} {
			law := data.Wide{Dim: 10, Support: support, Accept: data.Parity(3), Pattern: data.Uniform(3, share),
				Background: 0.5}
			moments, gate := momentsOfCosines(law)
			if share == 1 {
				open = gate
				for j, x := range moments {
					sums[j] += x * x
					total += x * x
				}
				continue
			}
			for _, j := range support {
				structured += moments[j] * moments[j]
			}
		}
	}
	n := float64(len(sets))
	compare(t, []reference{{"largest Σ_A T²", floats.Max(sums), 9.77e-4, 5e-7},
		{"E[φ²ψ²]", open / 10, 0.0580, 5e-5}, // φ² = 1/10
		{"root mean square of T", math.Sqrt(total / (10 * n)), 0.00255, 5e-6},
		{"γE ψ/σ̃", open / 4 / math.Sqrt(2.5), 0.0917, 5e-5},
		{"root mean square of T on A with structure", math.Sqrt(structured / (3 * n)), 0.0917, 5e-4}})
}

// momentsOfCosines returns T and E ψ of the neuron q_l = cos(l+1)/3, b = 0.05, without noise.
func momentsOfCosines(law data.Wide) (moments []float64, open float64) {
	w := mat.NewDense(1, law.Dim, nil)
	for l := range law.Dim {
		w.Set(0, l, math.Cos(float64(l+1))/3)
	}
	s := listInputs(law, func(_ int, p float64) float64 { return p })
	net := truncated.Paired(w, []float64{0.05}, []float64{-1})
	moments = net.Gradient(s, 0).W.RawRowView(0)
	for i := range s.Y {
		s.Y[i] = 1
	}
	return moments, net.Gradient(s, 0).B[0]
}

// Features of the total count s, alone and times one bit, correct a stray one outside A for every law of the family:
// their weights are y(i) on 1{s = i} and y(i−1) − y(i) on 1{s = i}φ̃ⱼ. For small p_o they refute the printed bound of
// Theorem 2, whose hypotheses do not bound p_o from below.
func TestReferenceStrayPatterns(t *testing.T) {
	const background = 1e-6
	for _, c := range []struct {
		k, dim, n             int
		loss, anyLaw, printed float64 // in units of p_o
	}{{15, 240, 3857, 0.063, 0.152, 0.678}, {21, 336, 7415, 0.124, 0.298, 0.990}} {
		n := c.k + 2 + (c.k+1)*c.dim
		norm := math.Sqrt(float64(c.k + 2 + 4*(c.k+1)*(c.dim-c.k)))
		f := theory.Fixed{Law: theory.Mixture{Dim: c.dim, Count: c.k, Background: background, Uniform: background},
			Features: n, Radius: norm}
		stray := float64(c.dim - c.k)
		compare(t, []reference{{"number of features", float64(n), float64(c.n), 0},
			{"loss", correctedLoss(f.Law) / background, c.loss, 5e-4},
			{"bound for any law", 3 * stray * stray * background, c.anyLaw, 5e-4},
			{"printed bound", f.Printed() / background, c.printed, 5e-4}})
		if c.k == 15 {
			compare(t, []reference{{"B", norm, 120.07, 5e-3}})
		}
	}
}

// correctedLoss returns the hinge loss of those features, summed over the counts of ones on A and outside.
func correctedLoss(m theory.Mixture) float64 {
	label := func(count int) float64 { return float64(2*(count%2) - 1) }
	onA := make([]float64, m.Count+1)
	for s := range onA {
		onA[s] = m.Uniform * theory.Binomial(m.Count, s) * math.Exp2(-float64(m.Count))
	}
	onA[0] += (1 - m.Uniform) / 2
	onA[m.Count] += (1 - m.Uniform) / 2
	loss, stray := 0.0, math.Pow(1-m.Background, float64(m.Dim-m.Count))
	for extra := range 8 { // nine stray ones have probability below 10⁻³⁰
		for s, p := range onA {
			total, h := s+extra, 0.0
			if total <= m.Count+1 {
				h = label(total)
				if total > 0 {
					h += float64(extra) * (label(total-1) - label(total))
				}
			}
			loss += p * stray * max(0, 1-label(s)*h)
		}
		stray *= m.Background / (1 - m.Background) * float64(m.Dim-m.Count-extra) / float64(extra+1)
	}
	return loss
}
