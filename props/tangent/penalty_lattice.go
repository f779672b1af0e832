package tangent

import (
	"slices"

	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
)

// effectiveOn is the penalty whose effective penalty is that over both factors.
type effectiveOn func(in lattices, sum impl.Lattice) impl.Lattice

// lattices are three penalties with whole numbers as values, on the stretches 2ᵏ.
type lattices struct {
	P, Q, R  impl.Lattice
	Scale    float64                              // v², a multiple of 4ᵏ for all k that matter
	Combined func(p, q impl.Lattice) impl.Lattice `json:"-"`
}

// latticeReach is the reach of each term.
const latticeReach = 6

func drawLattices(t *props.T) lattices {
	flat := rapid.SampledFrom([]string{"strict", "with flat parts", "free around 1"}).Draw(t.T, "kind")
	return lattices{P: drawLattice(t, flat), Q: drawLattice(t, flat), R: drawLattice(t, flat),
		Scale: float64(rapid.IntRange(0, 40).Draw(t.T, "v²/4¹²") << 24), Combined: impl.Lattice.Convolve}
}

// liftTerms makes the terms cost 1 at 1.
func liftTerms(in *lattices) {
	for _, p := range []*impl.Lattice{&in.P, &in.Q, &in.R} {
		*p = slices.Clone(*p)
		for i := range *p {
			(*p)[i]++
		}
	}
}

const twoValleys = "a term with two valleys"

// addValley makes the largest stretch free again.
func addValley(in *lattices) {
	in.P = slices.Clone(in.P)
	top := len(in.P) - 1
	in.P[top] = 0
	in.P[top-1] += 20
}

// drawLattice draws the steps by which a penalty rises away from 1 on either side.
func drawLattice(t *props.T, kind string) impl.Lattice {
	lo, first := 0, 0
	if kind == "strict" {
		lo = 1
	}
	p := make(impl.Lattice, 2*latticeReach+1)
	for k := 1; k <= latticeReach; k++ {
		for _, side := range []int{-k, k} {
			step := rapid.IntRange(lo, 9).Draw(t.T, "step")
			if kind == "free around 1" && k == 1 {
				step = first
			}
			p[latticeReach+side] = p[latticeReach+side-side/k] + float64(step)
		}
	}
	return p
}

// squared is the minimum over rⁱ·r²ʲ = rᵏ, for a control.
func squared(p, q impl.Lattice) impl.Lattice {
	wide := make(impl.Lattice, 4*q.Reach()+1) // q(√z), dear where the root is not on the lattice
	for k := range wide {
		wide[k] = 1e6
	}
	for k := -q.Reach(); k <= q.Reach(); k++ {
		wide[2*q.Reach()+2*k] = q.At(k)
	}
	whole := p.Convolve(wide)
	reach := p.Reach() + q.Reach()
	return whole[whole.Reach()-reach : whole.Reach()+reach+1]
}

// judgeLattices is exact: sums and minima of whole numbers below 2⁵³.
func judgeLattices(r *props.Record, in lattices, of effectiveOn) {
	r.Regime(latticeRegime(in))
	pq := in.Combined(in.P, in.Q)
	r.ExactlyVector("commutative", in.Combined(in.Q, in.P), pq)
	r.ExactlyVector("associative", in.Combined(pq, in.R), in.Combined(in.P, in.Combined(in.Q, in.R)))
	r.ExactlyVector("a minimiser lies between 1 and z", in.P.ConvolveBetween(in.Q)[latticeReach:3*latticeReach+1],
		pq[latticeReach:3*latticeReach+1])
	for k := -latticeReach; k <= latticeReach; k++ {
		wholeAtMost(r, "below its terms", pq.At(k), min(in.P.At(k), in.Q.At(k)))
	}
	wholeAtMost(r, "one valley", pq.At(0), 0)
	for k := range pq.Reach() {
		wholeAtMost(r, "one valley", pq.At(k), pq.At(k+1))
		wholeAtMost(r, "one valley", pq.At(-k), pq.At(-k-1))
	}

	_, effective := of(in, pq).Minimum(in.Scale)
	joint, weight := in.P.At(0)+in.Q.At(0)+in.Scale, 1.0
	for i := range latticeReach + 1 { // over z₁ and z₂ ≥ 1 at once
		inner := weight * in.Scale
		for j := range latticeReach + 1 {
			joint = min(joint, in.P.At(i)+in.Q.At(j)+inner)
			inner /= 4
		}
		weight /= 4
	}
	r.Exactly("effective penalty over both factors", joint, effective)
}

// latticeRegime is by what the terms do next to 1 and elsewhere.
func latticeRegime(in lattices) string {
	all := []impl.Lattice{in.P, in.Q, in.R}
	free := func(p impl.Lattice) bool { return p.At(1) == p.At(0) }
	flat := func(p impl.Lattice) bool {
		for k := range p.Reach() {
			if p.At(k) == p.At(k+1) || p.At(-k) == p.At(-k-1) {
				return true
			}
		}
		return false
	}
	switch {
	case slices.ContainsFunc(all, free):
		return "free around 1"
	case slices.ContainsFunc(all, flat):
		return "with flat parts"
	}
	return "strict"
}
