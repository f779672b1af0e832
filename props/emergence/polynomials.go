package emergence

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/hinge"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// polynomials pairs the exact optimum with linear programmes, and with the weights that prove it from below.
var polynomials = props.Spec{
	Statement: &theory.Polynomials,
	Checks: []props.Check{
		props.Drawn[programme, programmeClaim]{
			Name:       "the linear programme",
			Cases:      props.Scale{Quick: 100, Standard: 200, Deep: 2000},
			Replicates: 2,
			Regimes: []string{"constants", "degree below k", "degree below k ≥ 5", "degree k or more",
				"background bits"},
			Draw: func(t *props.T) programme {
				in := drawProgramme(t)
				return in.solved(in.problem(in.pattern()))
			},
			Claim: programmeClaim{optimum: theory.PolynomialOptimum},
			Judge: judgeProgramme,
			Controls: []props.Wrong[programme, programmeClaim]{
				{Name: "even k", Assumption: "odd", Criterion: "optimum", Draw: func(t *props.T) programme {
					in := drawProgramme(t).plain(0) // for degree at least 1, even k has the optimum of odd k
					in.Count, in.Dim = in.Count+1, max(in.Dim, in.Count+1)
					in = in.solved(in.problem(in.pattern()))
					in.Count, in.Dim = in.Count+1, in.Dim+1 // the claim with the next odd k
					return in
				}},
				// A constant cannot tell the majority from the parity, and degree k fits every label.
				{Name: "the label of the majority", Assumption: "parity", Criterion: "optimum",
					Draw: func(t *props.T) programme {
						in := drawProgramme(t).plain(1)
						p := in.problem(in.pattern())
						for i := range p.Y {
							p.Y[i] = math.Copysign(1, p.Features.At(i, 0)-0.5)
						}
						return in.solved(p)
					}},
				{Name: "half of the equal bits are one short", Assumption: "mixture", Criterion: "optimum",
					Draw: func(t *props.T) programme {
						in := drawProgramme(t).plain(0) // a high degree would fit the bits that are one short
						pattern := in.pattern()
						full := len(pattern) - 1
						pattern[full-1] += pattern[full] / 2
						pattern[full] /= 2
						return in.solved(in.problem(pattern))
					}},
				{Name: "a background bit that is the label", Assumption: "independent-background", Criterion: "optimum",
					Draw: func(t *props.T) programme {
						in := drawProgramme(t).plain(1)
						in.InCount, in.Count, in.Dim, in.Background = false, 3, 4, 0.5
						p := in.problem(in.pattern())
						for s, y := range p.Y {
							p.P[s] *= 1 + y*parityOf(s>>in.Count)
						}
						return in.solved(p)
					}},
				{Name: "λ for constants", Criterion: "optimum",
					Instead: programmeClaim{optimum: func(k, degree int, uniform float64) float64 {
						return theory.PolynomialOptimum(k, max(1, min(degree, k-1)), uniform)
					}}},
				{Name: "optimum 1 below k", Criterion: "optimum",
					Instead: programmeClaim{optimum: func(k, degree int, uniform float64) float64 {
						if degree < k {
							degree = 0
						}
						return theory.PolynomialOptimum(k, degree, uniform)
					}}},
				{Name: "degree k − 1 suffices", Criterion: "optimum",
					Instead: programmeClaim{optimum: func(k, degree int, uniform float64) float64 {
						return theory.PolynomialOptimum(k, degree+1, uniform)
					}}},
			},
			Coarse: map[string]string{"optimum": "0 is claimed for degree k and more, of which an error relative to " +
				"1 is taken"},
		},
		props.Drawn[int, monomialClaim]{
			Name:  "the parity and every monomial of lower degree",
			Cases: props.Scale{Quick: 10, Standard: 40, Deep: 100},
			Draw:  func(t *props.T) int { return 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1 },
			Claim: monomialClaim{degree: func(k int) int { return k - 1 }},
			Judge: judgeMonomials,
			Controls: []props.Wrong[int, monomialClaim]{
				{Name: "of degree k as well", Criterion: "sum over all patterns",
					Instead: monomialClaim{degree: func(k int) int { return k }}},
			},
		},
	},
	Along: &props.Along{
		Param: "degree", To: 9, Y: "smallest loss of polynomials of degree r", Of: []string{"optimum"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"3", "5", "7", "9"}}, Places: 10, Reps: 1,
	},
	Try: &props.Simulation{Run: solveProgramme},
}.Claim()

// programme holds the smallest hinge loss of polynomials in all bits, or in the count alone.
type programme struct {
	Dim, Count int
	Degree     int
	Uniform    float64
	Background float64
	InCount    bool
	Optimum    float64
}

// programmeClaim holds the claimed smallest loss.
type programmeClaim struct {
	optimum func(k, degree int, uniform float64) float64
}

// monomialClaim holds the degree up to which monomials are claimed to be orthogonal to the parity of k bits.
type monomialClaim struct{ degree func(k int) int }

func drawProgramme(t *props.T) programme {
	in := programme{InCount: rapid.Bool().Draw(t.T, "in the count alone"), Uniform: rapid.Float64Range(0, 1).Draw(t.T,
		"λ"),
		Background: rapid.SampledFrom([]float64{0.5, 0.3, 0.05}).Draw(t.T, "p_o")}
	largest := 1
	if in.InCount {
		largest = 4
	}
	in.Count = 2*rapid.IntRange(0, largest).Draw(t.T, "(k−1)/2") + 1
	in.Dim = in.Count
	if !in.InCount {
		in.Dim += rapid.IntRange(0, 5-in.Count).Draw(t.T, "D−k")
	}
	in.Degree = rapid.IntRange(0, in.Count+1).Draw(t.T, "degree")
	return in
}

// plain takes at least three bits on A, and λ between 0.2 and 0.8.
func (in programme) plain(degree int) programme {
	in.Count, in.Uniform, in.Degree = max(3, in.Count), min(0.8, max(0.2, in.Uniform)), degree
	in.Dim = max(in.Dim, in.Count)
	return in
}

func (in programme) pattern() []float64 { return data.Uniform(in.Count, in.Uniform) }

// problem returns the programme, with the share of ones on A in the first column and the polynomials in the others.
func (in programme) problem(pattern []float64) hinge.Problem {
	if in.InCount {
		return in.overCounts(pattern)
	}
	return in.overStates(pattern)
}

// solved computes the optimum over the polynomials, or NaN if the solver fails.
func (in programme) solved(p hinge.Problem) programme {
	p.Features = p.Features.Slice(0, len(p.Y), 1, p.Features.RawMatrix().Cols).(*mat.Dense)
	var err error
	if in.Optimum, err = p.Unbounded(); err != nil {
		in.Optimum = math.NaN()
	}
	return in
}

// overCounts returns a row for each count on A: the first column is the share of ones, the others are the Chebyshev
// polynomials in 2s/k − 1 up to the degree.
func (in programme) overCounts(pattern []float64) hinge.Problem {
	k := in.Count
	p := hinge.Problem{Features: mat.NewDense(k+1, in.Degree+2, nil), P: make([]float64, k+1)}
	for a, probability := range pattern {
		p.P[ones(a)] += probability
	}
	for s := range k + 1 {
		p.Y = append(p.Y, float64(2*(s%2)-1))
		x := 2*float64(s)/float64(k) - 1
		p.Features.Set(s, 0, float64(s)/float64(k))
		for r := range in.Degree + 1 {
			p.Features.Set(s, r+1, math.Cos(float64(r)*math.Acos(x)))
		}
	}
	return p
}

// overStates returns a row for each state of all bits; the columns after the first are monomials in the signs.
func (in programme) overStates(pattern []float64) hinge.Problem {
	var monomials []int
	for mask := range 1 << in.Dim {
		if ones(mask) <= in.Degree {
			monomials = append(monomials, mask)
		}
	}
	p := hinge.Problem{Features: mat.NewDense(1<<in.Dim, len(monomials)+1, nil)}
	on := 1<<in.Count - 1
	for s := range 1 << in.Dim {
		probability, outside := pattern[s&on], ones(s>>in.Count)
		probability *= math.Pow(in.Background, float64(outside)) * math.Pow(1-in.Background,
			float64(in.Dim-in.Count-outside))
		p.Y, p.P = append(p.Y, parityOf(s&on)), append(p.P, probability)
		p.Features.Set(s, 0, float64(ones(s&on))/float64(in.Count))
		for i, mask := range monomials {
			p.Features.Set(s, i+1, 1-2*float64(bits.OnesCount(uint(^s&mask))%2))
		}
	}
	return p
}

func judgeProgramme(r *props.Record, in programme, claim programmeClaim) {
	below := in.Degree > 0 && in.Degree < in.Count
	r.RegimeOf(below, below && in.Count >= 5, in.Degree > 0 && !below, in.Dim > in.Count)
	r.WithinScale("optimum", in.Optimum, claim.optimum(in.Count, in.Degree, in.Uniform), 1, 1e-9*32)
}

// judgeMonomials sums the parity of k bits times every monomial in them of at most the claimed degree, over all 2^k
// patterns and in integers. Bits outside A factor out.
func judgeMonomials(r *props.Record, k int, claim monomialClaim) {
	var sums []float64
	for mask := range 1 << k {
		if ones(mask) > claim.degree(k) {
			continue
		}
		sum := 0
		for a := range 1 << k {
			sum += 1 - 2*((ones(^a&(1<<k-1))+ones(^a&mask))%2)
		}
		sums = append(sums, float64(sum))
	}
	r.ExactlyVector("sum over all patterns", sums, make([]float64, len(sums)))
}

// solveProgramme solves the programme in the count at a user's parameters.
func solveProgramme(t *props.Trial, v statement.Values) (map[string]float64, error) {
	in := programme{Dim: v.Int("k"), Count: v.Int("k"), Degree: v.Int("degree"), Uniform: v.Float("uniform"),
		InCount: true}
	t.Need(in.Count <= 13, "k=%d cannot be simulated: the programme over the counts is solved for k at most 13", in.Count)
	in.Degree = min(in.Degree, in.Count)
	return map[string]float64{"optimum": in.solved(in.problem(in.pattern())).Optimum}, nil
}
