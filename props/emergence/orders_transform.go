package emergence

import "math"

// transform averages over all weights and inputs. The characteristic function c of z − b is the product of the
// characteristic functions of its independent terms. It is real because the weights are symmetric, and
//
//	Pr[0 < z < 1] = 1/(2π) ∫ c(t) cos(t(b − 1/2)) sin(t/2)/(t/2) dt.
//
// The trapezoidal rule with step h = 2π/P gives the probability of the union of (0, 1) and its translates by multiples
// of P (Poisson's summation formula). The translates lie beyond |z − b| = L for P = L + 1/2 + |b − 1/2|. A double sum
// gives the probability that two gates are both open.
type transform struct {
	*startSums
	weight weight
	twins  bool      // the first two bits outside A are equal
	n      int       // bits outside A
	mean   []float64 // of the bits on A
	unit   float64   // s/σ̃
	h      float64
	sines  []float64 // sin(t/2)/(t/2) at t = 0, h, …
}

// unseen is the value of c at which the sums end. A characteristic function c is a mixture of functions e^(−vt²/2), so
// its integral beyond T is at most c(T)/(vT) for the smallest v; here vT > 10⁻⁴.
const unseen = 1e-18

// average fills in the averages.
func (in *startSums) average(w weight, twins bool) {
	law := in.law()
	f := &transform{startSums: in, weight: w, twins: twins, n: in.D - len(law.Support),
		mean: law.Mean()[:len(law.Support)], unit: in.Scale / law.Deviation(), sines: []float64{1}}
	f.h = 2 * math.Pi / (f.reach() + 0.5 + math.Abs(in.Bias-0.5))
	known := map[float64]float64{}
	onA := func(t float64) float64 {
		value, found := known[t]
		if !found {
			value = f.onA(t * t)
			known[t] = value
		}
		return value
	}
	outside := func(t float64) float64 { return f.outside(t*t, f.n) }
	others := func(t float64) float64 { return f.outside(t*t, f.n-1) * onA(t) }
	one := func(t float64) float64 { return w(t * t * f.unit * f.unit) }
	in.gate = f.open(outside)
	in.onA, in.one = f.changes(outside, onA, 0), f.changes(others, one, in.Background)
}

// outside returns the characteristic function of the noise and n bits outside A, at a squared frequency.
func (f *transform) outside(square float64, n int) float64 {
	p, unit := f.Background, square*f.unit*f.unit
	zero, one, two := f.weight(unit*p*p), f.weight(unit*(1-p)*(1-p)), 1.0
	if f.twins {
		n, two = n-2, (1-p)*zero*zero+p*one*one
	}
	return two * math.Pow((1-p)*zero+p*one, float64(n)) * math.Exp(-square*f.Noise*f.Noise/2)
}

// onA returns the characteristic function of the bits on A, at a squared frequency.
func (f *transform) onA(square float64) float64 {
	sum := 0.0
	for pattern, p := range f.Pattern {
		for i, mean := range f.mean {
			phi := (float64(pattern>>i&1) - mean) * f.unit
			p *= f.weight(square * phi * phi)
		}
		sum += p
	}
	return sum
}

// reach returns an L for which Pr[|z − b| > L] < 2e^(−36), by Chernoff's bound with the moment generating function
// c(iλ). Given a bit of probability 0.02 it is below 100e^(−36), and the four probabilities of a change err by 10⁻¹²
// together.
func (f *transform) reach() float64 {
	reach, lambda := math.Inf(1), 9/math.Hypot(f.Scale, f.Noise)
	for range 12 {
		reach = min(reach, (36+math.Log(f.outside(-lambda*lambda, f.n)*f.onA(-lambda*lambda)))/lambda)
		lambda /= 1.3
	}
	return reach
}

// samples lists a characteristic function at 0, h, ….
func (f *transform) samples(c func(t float64) float64) (values []float64) {
	for value := 1.0; value > unseen; value = c(float64(len(values)) * f.h) {
		values = append(values, value)
	}
	return values
}

// sine returns sin(t/2)/(t/2) at t = ih.
func (f *transform) sine(i int) float64 {
	for len(f.sines) <= max(i, -i) {
		x := float64(len(f.sines)) * f.h / 2
		f.sines = append(f.sines, math.Sin(x)/x)
	}
	return f.sines[max(i, -i)]
}

// open returns the probability that the gate is open if z − b has the characteristic function c.
func (f *transform) open(c func(t float64) float64) float64 {
	sum := 0.5
	for m, value := range f.samples(c)[1:] {
		sum += value * math.Cos(float64(m+1)*f.h*(f.Bias-0.5)) * f.sine(m+1)
	}
	return sum * f.h / math.Pi
}

// changes returns the probability that exactly one of the gates at x − pv and x + (1−p)v is open, where x and v are
// independent and have the characteristic functions c and of: the sum of both probabilities less twice the joint one.
func (f *transform) changes(c, of func(t float64) float64, p float64) float64 {
	both, density, longest := 0.0, -0.5, 0
	values := f.samples(c)
	for m, value := range values {
		row, terms := 0.0, 0
		term := func(n int) bool {
			seen := of((float64(n) - p*float64(m)) * f.h)
			row += seen * f.sine(n) * f.sine(m-n)
			terms++
			return seen > unseen
		}
		middle := int(p * float64(m))
		for n := middle; term(n); n-- {
		}
		for n := middle + 1; term(n); n++ {
		}
		if m == 0 {
			row /= 2
		}
		both += value * math.Cos(float64(m)*f.h*(f.Bias-0.5)) * row
		density, longest = density+value, max(longest, terms)
	}
	f.rounding = max(f.rounding, 4*density*f.h/math.Pi*float64(longest+len(values)+4*f.D+200))
	first := f.open(func(t float64) float64 { return c(t) * of(p*t) })
	second := f.open(func(t float64) float64 { return c(t) * of((1-p)*t) })
	return first + second - both*f.h*f.h/(math.Pi*math.Pi)
}
