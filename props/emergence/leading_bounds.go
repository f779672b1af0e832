package emergence

import (
	"math"
	"math/cmplx"

	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/roundoff"
)

// estimates holds extrapolated limits, and bounds on their errors.
type estimates struct{ limit, err []float64 }

// limits extrapolates from the values at all sizes, and bounds the error.
//
// The value F(h) of a neuron whose unit is h is a mean over the law of the bits. With ψ as an integral of
// e^{it(z−y)}e^{−σ_ξ²t²/2} over 0 < y < 1 and all t,
//
//	F(h) = (1/2π) ∫ c(t)G_t(h) dt,  |c(t)| = e^{−σ_ξ²t²/2}|sin(t/2)/(t/2)|,
//
// where G_t(h) is made of characteristic functions of the bits, and its limit as h → 0 is known, see [growing.apart].
// The extrapolation with weights wᵢ errs by at most (1/π)∫|f| over t > 0, f = c·(Σ wᵢG_t(hᵢ) − G_t(0)). Neither the
// bias nor what was measured enters. By Carlson's inequality
//
//	(1/π) ∫|f| ≤ (∫|f|² · ∫t²|f|²)^¼/√π.
//
// Let F be the function whose Fourier transform is f. By Poisson's summation formula the trapezoidal rule with step δ
// misses of these two integrals the values, at multiples of 2π/δ, of the autocorrelation of F and of its second
// derivative. There one factor of either has an argument of size at least π/δ. It is an average over a cut in [0, 1];
// the bits on A and one bit outside, which move it by at most h times their steps; the noise; and the other bits. The
// last two have tails below those of a normal variable of variance V = σ_ξ² + Σ(sh)²/4 (Hoeffding), and π/δ leaves them
// 25√V: e^{−312}. The part beyond σ_ξt = 10 is left out; it is below e^{−50} times the terms from which the rounding is
// computed.
func (in growing) limits() (on, outside estimates) {
	entries := len(in.On) + len(in.Off)
	weights, plain, square := in.weights(), make([]float64, entries), make([]float64, entries)
	step := in.step()
	for t := 0.0; in.Noise*t <= 10; t += step {
		gate := math.Exp(-in.Noise * in.Noise * t * t / 2)
		if t == 0 {
			gate = math.Sqrt2 / 2 // at an end of the range the square counts half
		} else {
			gate *= math.Abs(math.Sin(t/2) / (t / 2))
		}
		for j, f := range in.apart(t, weights) {
			f *= gate
			plain[j], square[j] = plain[j]+f*f*step, square[j]+t*t*f*f*step
		}
	}
	for j := range entries {
		missed := math.Pow(plain[j]*square[j], 0.25) / math.Sqrt(math.Pi)
		if j < len(in.On) {
			on.add(weights, in.on, in.roundOn, j, missed)
		} else {
			outside.add(weights, in.outside, in.roundOutside, j-len(in.On), missed)
		}
	}
	return on, outside
}

// add appends the extrapolated value of one entry. The weights and the sum have at most 4 roundings for each size.
func (e *estimates) add(weights []float64, values, rounding [][]float64, j int, missed float64) {
	limit, err := 0.0, missed
	for i, w := range weights {
		limit += w * values[i][j]
		err += math.Abs(w) * (rounding[i][j] + 4*float64(len(weights))*roundoff.Unit*math.Abs(values[i][j]))
	}
	e.limit, e.err = append(e.limit, limit), append(e.err, err)
}

// weights returns the weights that extrapolate the polynomial through values at xᵢ = 1, 1/2, 1/4, … to 0, Π xₗ/(xₗ −
// xᵢ) over l ≠ i. Up to a factor, xᵢ is 1/n or, for any law, 1/√n.
func (in growing) weights() []float64 {
	weights := make([]float64, in.sizes())
	for i := range weights {
		weights[i] = 1
		for l := range weights {
			if l != i {
				weights[i] /= 1 - math.Ldexp(1, l-i)
			}
		}
	}
	return weights
}

// step returns δ of [growing.limits].
func (in growing) step() float64 {
	largest := 0
	for _, s := range in.Off {
		largest = max(largest, s, -s)
	}
	variance := in.Noise*in.Noise + in.Deviation*in.Deviation/(4*in.Background*(1-in.Background))
	return math.Pi / (1 + in.unit(0)*float64(in.reach()+largest) + 25*math.Sqrt(variance))
}

// apart returns |Σ wᵢG_t(hᵢ) − G_t(0)| and a bound on its rounding, for the bits on A and then for those outside. A bit
// outside, of step s, has the characteristic function χ(sx), χ(x) = (1−p)e^{−ipx} + pe^{i(1−p)x}, x = ht. With Π =
// Πχ(sx)ⁿ over the four of which n copies are taken, W = Σ_A s(φ̃ − E φ̃) and v = Var Z, as h → 0
//
//	on A:    G = E[y(φ̃ⱼ − E φ̃ⱼ)e^{ixW}]·Π → γe^{−vt²/2},
//	outside: G = E[y(e^{ixW} − 1)]·(e^{i(1−p)sx} − e^{−ipsx})·Π/(χ(sx)h²s) → −t²E[yW]e^{−vt²/2}.
//
// The term −1 contributes −E y, which the statement assumes to be 0; with it the bound is small also for a law that
// violates this. n times log|χ| and n times an angle of up to |sx| are known to 8u of themselves each, unless χ and
// with it Π vanishes. Σ over patterns and the rest have 2ᵏ+30 roundings.
func (in growing) apart(t float64, weights []float64) []float64 {
	p, on := in.Background, len(in.On)
	total, bound := make([]complex128, on+len(in.Off)), make([]float64, on+len(in.Off)) // rounding, in units of u
	roundings := float64(len(in.Pattern)) + 30
	rest := in.patterns(0)
	normal := math.Exp(-in.Deviation * in.Deviation * t * t / 2)
	inLimit := (roundings + 4*in.Deviation*in.Deviation*t*t) * normal
	for j := range total {
		if j < on {
			total[j], bound[j] = -rest.on[j]*complex(normal, 0), inLimit
		} else {
			total[j], bound[j] = rest.slope*complex(t*t*normal, 0), inLimit*t*t*rest.reach
		}
	}
	for i, w := range weights {
		h, copies := in.unit(i), float64(in.copies(i))
		x := h * t
		logs, angles := make([]float64, len(in.Off)), make([]float64, len(in.Off))
		log, angle, phases := 0.0, 0.0, 0.0
		for j, s := range in.Off {
			logs[j], angles[j] = characteristic(p, float64(s)*x)
			log, angle = log+copies*logs[j], angle+copies*angles[j]
			phases += copies * math.Abs(float64(s)*x)
		}
		if !(log > -700) { // Π is below 10⁻³⁰⁰
			continue
		}
		known, at := 8*(phases-log)+roundings, in.patterns(x)
		product := cmplx.Rect(w*math.Exp(log), angle)
		for j := range on {
			total[j] += at.on[j] * product
			bound[j] += known * cmplx.Abs(product)
		}
		for j, s := range in.Off {
			sx := float64(s) * x
			own := cmplx.Rect(2*math.Sin(sx/2)/(h*h*float64(s)), math.Pi/2+(0.5-p)*sx)
			own *= product / cmplx.Rect(math.Exp(logs[j]), angles[j])
			total[on+j] += own * at.slope
			bound[on+j] += known * cmplx.Abs(own) * at.reach
		}
	}
	for j := range bound {
		bound[j] = cmplx.Abs(total[j]) + bound[j]*roundoff.Unit
	}
	return bound
}

// characteristic returns the logarithm of |χ(x)| and the angle of χ(x), from |χ|² = 1 − 4p(1−p)sin²(x/2).
func characteristic(p, x float64) (log, angle float64) {
	sin, cos := math.Sincos(x)
	half := math.Sin(x / 2)
	return math.Log1p(-4*p*(1-p)*half*half) / 2, math.Atan2(p*sin, 1-p+p*cos) - p*x
}

// onSupport holds means over the patterns on A: E[y(φ̃ⱼ − E φ̃ⱼ)e^{ixW}] for each bit, E[y(e^{ixW} − 1)] and a bound on
// its terms; at x = 0 it holds E[yW] and E|W| in place of the last two.
type onSupport struct {
	on    []complex128
	slope complex128
	reach float64
}

func (in growing) patterns(x float64) onSupport {
	out := onSupport{on: make([]complex128, len(in.On))}
	for a, share := range in.Pattern {
		if share == 0 {
			continue
		}
		signed, w := share*float64(2*label(in.Accept, a)-1), 0.0
		for l, s := range in.On {
			w += float64(s) * (float64(a>>l&1) - in.mean)
		}
		sin, cos := math.Sincos(x * w)
		half := math.Sin(x * w / 2)
		for l := range in.On {
			centred := signed * (float64(a>>l&1) - in.mean)
			out.on[l] += complex(centred*cos, centred*sin)
		}
		if x == 0 {
			out.slope, out.reach = out.slope+complex(signed*w, 0), out.reach+share*math.Abs(w)
			continue
		}
		out.slope += complex(-2*signed*half*half, signed*sin)
		out.reach += share * math.Min(2, math.Abs(x*w))
	}
	return out
}

// rounding bounds the rounding errors of the values at one size, with n bits outside A, k on it, and L = Σ|s| outside.
//
// A value of the gate errs by η: 16u for two tables, and sup|ψ′| ≤ 0.4/σ_ξ times the error of its argument, which is 5u
// times the argument plus the unit times the error of the mean of Σsφ̃. That mean has the 2ᵏ roundings of a mean on A;
// the partial sums, which are multiples of 1/8 apart from those, round once in each binade: 2u of the largest.
//
// The law of the sum has two roundings for each bit, relative to each probability that does not underflow. On A, the
// sum of probabilities times the gate rounds at each of 10√(Σs²) terms around the mean, beyond which a mass of e^{−50}
// is left (Hoeffding), and Σ_a Pr[a]|φ̃ⱼ − E φ̃ⱼ| ≤ 1/2.
//
// Outside, dividing the law by that of one bit accumulates errors, of at most 4nu and 2u of the probabilities, along
// steps of s. In Σ p(x)(h(x+s) − h(x)) they multiply the differences of h along the same steps, which add up to at most
// 2, because the gate rises and falls once. h is off by η and 2·2ᵏ+2 roundings, E y = 0 among them, and the partial
// sums are at most 0.4|s|h/σ_ξ.
func (in growing) rounding(l truncated.Lattice, unit float64) (on, outside []float64) {
	const u = roundoff.Unit
	bits, patterns := float64(len(l.Steps)), float64(len(in.Pattern))
	length, square, sum, group := 0.0, 0.0, 0.0, 0.0
	for _, s := range l.Steps[in.Count:] {
		length, square, sum = length+math.Abs(float64(s)), square+float64(s*s), sum+float64(s)
	}
	for _, s := range in.Off {
		group += math.Abs(float64(s))
	}
	reach := float64(in.reach())
	mean := patterns*reach + 2*(reach+in.Background*(math.Abs(sum)+group))
	gate := 20 + (2+0.4*unit*mean)/in.Noise // η/u
	for range in.On {
		on = append(on, u*(bits+5*math.Sqrt(square)+patterns+30+gate/2))
	}
	for _, s := range in.Off {
		step := math.Abs(float64(s))
		partial := math.Min(1, 0.4*step*unit/in.Noise)
		off := 8*bits + 10 + 2*(gate+2*patterns+2) + (length+20)*partial
		outside = append(outside, u*off/(unit*unit*step))
	}
	return on, outside
}
