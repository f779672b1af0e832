package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
)

// stepKinks fits neurons with given kinks to samples of a step.
var stepKinks = props.Drawn[kinked, kinkClaim]{
	Name:    "kinks of two neurons that fit",
	Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 30000},
	Tries:   30,
	Regimes: []string{"both in the cell", "one outside", "both outside", "equal"},
	Draw:    func(t *props.T) kinked { return drawKinked(t).fit() },
	Claim:   kinkClaim{reach: 0, misfit: 1 / (4 * math.Sqrt(50))},
	Judge: func(r *props.Record, k kinked, claim kinkClaim) {
		outside := k.outside(0)
		r.RegimeOf(outside == 1, outside > 1, k.Kinks[0] == k.Kinks[1])
		// The misfit comes from a projection on m columns of n entries, by singular vectors; distinct kinks are at
		// least an eighth apart.
		rounding := 1e4 * float64(k.N*(2+len(k.Kinks))) * r.Unit()
		if k.outside(claim.reach) == 0 && k.Kinks[0] != k.Kinks[1] {
			r.WithinScale("misfit of kinks in the cell", k.Misfit, 0, 1, rounding)
		} else {
			r.AtLeast("misfit of other kinks", k.Misfit, claim.misfit, rounding)
		}
	},
	Controls: []props.Wrong[kinked, kinkClaim]{
		{Name: "three neurons, two with kinks in the cell before", Assumption: "two", Criterion: "misfit of other kinks",
			Draw: func(t *props.T) kinked {
				k := drawKinked(t)
				end := 8 * k.Before
				k.Kinks = []int{end - 11, end - 14, end}
				return k.fit()
			}},
		{Name: "two samples before the jump", Assumption: "sides", Criterion: "misfit of other kinks",
			Draw: func(t *props.T) kinked { // here a kink before the second sample is free
				k := drawKinked(t)
				k.N, k.Before, k.Kinks = k.N-k.Before+2, 2, []int{rapid.IntRange(1, 7).Draw(t.T, "first kink"), 16}
				return k.fit()
			}},
		{Name: "kinks in the neighbouring cells", Criterion: "misfit of kinks in the cell",
			Claim: func(c *kinkClaim) { c.reach = 8 }},
		{Name: "misfit of 1", Criterion: "misfit of other kinks", Claim: func(c *kinkClaim) { c.misfit = 1 }},
	},
	Coarse: map[string]string{"misfit of other kinks": "a bound for all kinks on the grid of eighths"},
}

// kinkClaim says how far outside the cell, in eighths, kinks that fit may lie, and holds the smallest misfit of others.
type kinkClaim struct {
	reach  int
	misfit float64
}

// kinked holds neurons on N samples, the first Before of them 0, with kinks in eighths of a cell from the first sample.
type kinked struct {
	N, Before int
	Kinks     []int
	Misfit    float64 // Euclidean norm, with the best output weights, constant and slope
}

// outside counts the kinks that lie outside the cell of the jump by more than reach.
func (k kinked) outside(reach int) (count int) {
	for _, at := range k.Kinks {
		if at < 8*(k.Before-1)-reach || at > 8*k.Before+reach {
			count++
		}
	}
	return count
}

func drawKinked(t *props.T) kinked {
	k := kinked{N: rapid.IntRange(6, 14).Draw(t.T, "n")}
	k.Before = rapid.IntRange(3, k.N-3).Draw(t.T, "samples before the jump")
	left, reach := 8*(k.Before-1), 0
	switch rapid.IntRange(0, 4).Draw(t.T, "kinks") { // in the cell, close to it, anywhere
	case 1, 2:
		reach = 8
	case 3:
		reach = 8 * k.N
	}
	for range 2 {
		k.Kinks = append(k.Kinks, rapid.IntRange(left-reach, left+8+reach).Draw(t.T, "kink"))
	}
	return k
}

// fit finds the best output weights, constant and slope.
func (k kinked) fit() kinked {
	phi, y := mat.NewDense(k.N, 2+len(k.Kinks), nil), mat.NewVecDense(k.N, nil)
	for i := range k.N {
		phi.Set(i, 0, 1)
		phi.Set(i, 1, float64(i))
		for j, kink := range k.Kinks {
			phi.Set(i, 2+j, max(0, float64(i)-float64(kink)/8))
		}
		if i >= k.Before {
			y.SetVec(i, 1)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(phi, mat.SVDThin) {
		panic("latent: singular values of a network's features")
	}
	var u, inner, seen mat.Dense
	svd.UTo(&u)
	basis := u.Slice(0, k.N, 0, svd.Rank(1e-9))
	inner.Mul(basis.T(), y)
	seen.Mul(basis, &inner)
	seen.Sub(y, &seen)
	k.Misfit = mat.Norm(&seen, 2)
	return k
}
