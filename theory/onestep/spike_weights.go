package onestep

import "math"

// WeightSpike is a matrix W₀ + θ u vᵀ with unit vectors u, v that are independent of W₀, which is N×d with independent
// entries of variance 1/d, in the limit d/N → ψ.
//
// Source: Benaych-Georges and Nadakuditi, J. Multivariate Anal. 111 (2012) 120, section 3.1, with c = 1/ψ.
type WeightSpike struct {
	Strength float64 // θ
	Psi      float64 // d/N
}

// aspect is c = 1/ψ = N/d; NaN outside the hypotheses.
func (w WeightSpike) aspect() float64 {
	if !(w.Psi > 0) || !(w.Strength >= 0) {
		return math.NaN()
	}
	return 1 / w.Psi
}

// Edge returns 1 + √c, the largest singular value of the bulk.
func (w WeightSpike) Edge() float64 { return 1 + math.Sqrt(w.aspect()) }

// Visible reports whether θ > c^(1/4), so that a singular value leaves the bulk.
func (w WeightSpike) Visible() bool { return math.Pow(w.Strength, 4) > w.aspect() }

// Location returns √((1+θ²)(c+θ²))/θ, the singular value that leaves the bulk, and NaN when none does.
func (w WeightSpike) Location() float64 {
	if !w.Visible() {
		return math.NaN()
	}
	c, t := w.aspect(), w.Strength*w.Strength
	return math.Sqrt((1+t)*(c+t)) / w.Strength
}

// Largest returns the largest singular value: the outlier where there is one, and the edge of the bulk otherwise.
func (w WeightSpike) Largest() float64 {
	if w.Visible() {
		return w.Location()
	}
	return w.Edge()
}

// Right returns the squared cosine of the outlier's right singular vector with v, 1 − (c+θ²)/(θ²(θ²+1)); 0 when nothing
// leaves the bulk.
func (w WeightSpike) Right() float64 { return w.overlap(w.aspect(), 1) }

// Left returns the squared cosine of its left singular vector with u, 1 − c(1+θ²)/(θ²(θ²+c)).
func (w WeightSpike) Left() float64 { return w.overlap(1, w.aspect()) }

// overlap is 1 − k(p+θ²)/(θ²(θ²+k)) with pk = c: the same for both sides, up to exchanging 1 and c.
func (w WeightSpike) overlap(p, k float64) float64 {
	t := w.Strength * w.Strength
	if math.IsNaN(w.aspect()) {
		return math.NaN()
	}
	if !w.Visible() {
		return 0
	}
	return 1 - k*(p+t)/(t*(t+k))
}

// Density returns the density of the bulk at the singular value x, as a fraction of the d right directions: the
// Marchenko-Pastur law √((x₊²−x²)(x²−x₋²))/(πx) between x₋ = |√c − 1| and x₊ = √c + 1.
func (w WeightSpike) Density(x float64) float64 {
	root := math.Sqrt(w.aspect())
	hi, lo := (root+1)*(root+1)-x*x, x*x-(root-1)*(root-1)
	if math.IsNaN(root) || math.IsNaN(x) {
		return math.NaN()
	}
	if !(x > 0 && hi > 0 && lo > 0) {
		return 0
	}
	return math.Sqrt(hi*lo) / (math.Pi * x)
}
