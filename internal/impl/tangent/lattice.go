package tangent

// Lattice is a penalty on the stretches rᵏ, k = −n, …, n, of a base r: entry n+k is what rᵏ costs. With integer values
// everything below is exact.
type Lattice []float64

// At returns the cost of rᵏ.
func (p Lattice) At(k int) float64 { return p[len(p)/2+k] }

// Reach returns the largest exponent, n.
func (p Lattice) Reach() int { return len(p) / 2 }

// Convolve returns the product infimal convolution, min over i+j = k of p(rⁱ) + q(rʲ), for all |k| up to the sum of
// both reaches. Factors with |i| beyond a penalty's reach are not allowed.
func (p Lattice) Convolve(q Lattice) Lattice {
	return p.combine(q, func(k int) (from, to int) { return -p.Reach(), p.Reach() })
}

// ConvolveBetween is [Lattice.Convolve] with both factors between 1 and their product.
func (p Lattice) ConvolveBetween(q Lattice) Lattice {
	return p.combine(q, func(k int) (from, to int) { return min(0, k), max(0, k) })
}

func (p Lattice) combine(q Lattice, first func(k int) (from, to int)) Lattice {
	reach := p.Reach() + q.Reach()
	out := make(Lattice, 2*reach+1)
	for k := -reach; k <= reach; k++ {
		best, found := 0.0, false
		from, to := first(k)
		for i := max(from, -p.Reach(), k-q.Reach()); i <= min(to, p.Reach(), k+q.Reach()); i++ {
			if sum := p.At(i) + q.At(k-i); !found || sum < best {
				best, found = sum, true
			}
		}
		out[reach+k] = best
	}
	return out
}

// Minimum returns the minimum over k ≥ 0 of p(rᵏ) + scale·r^(−2k) for r = 2, and the first k that attains it.
func (p Lattice) Minimum(scale float64) (k int, value float64) {
	value = p.At(0) + scale
	weight := 1.0
	for i := 1; i <= p.Reach(); i++ {
		weight /= 4
		if cost := p.At(i) + scale*weight; cost < value {
			k, value = i, cost
		}
	}
	return k, value
}
