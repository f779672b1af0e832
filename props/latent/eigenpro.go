package latent

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// eigenPro runs the preconditioned iteration on matrices made from their eigenvalues, and counts on the test bed.
var eigenPro = props.Spec{
	Statement: &theory.EigenPro,
	Along: &props.Along{
		Param: "q", From: 1, To: 32, Of: []string{"steps"}, Y: "steps on the test bed", Points: "counted",
		Places: 6, Reps: 1,
	},
	Try: &props.Simulation{Run: tryEigenPro},
	Checks: []props.Check{
		props.Drawn[outcome, filterClaim]{
			Name:    "preconditioned iterates",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   12,
			Regimes: []string{"no eigenvector", "some", "repeated eigenvalues at q"},
			Draw:    drawPreconditioned,
			Claim: filterClaim{
				filter:  func(o outcome) theory.Filter { return theory.Filter{Eta: 1 / o.Lambda[o.Q], Steps: o.Steps} },
				leading: func(o outcome, i int) (solution, left float64) { return 1 / o.Lambda[i], 0 }},
			Judge: judgePreconditioned,
			// A residual that has converged leaves nothing to compare: 45 % of 2900 cases, with at most 30 steps.
			Declined: map[string]float64{"y − Kα_t": 0.85},
			Controls: []props.Wrong[outcome, filterClaim]{
				{Name: "eigenvectors of K + 10⁻³ yyᵀ", Assumption: "exact", Draw: drawInexact},
				{Name: "step 1/λ_q", Assumption: "step", Instead: filterClaim{filter: func(o outcome) theory.Filter {
					return theory.Filter{Eta: 1 / o.Lambda[max(0, o.Q-1)], Steps: o.Steps}
				}}},
				{Name: "leading part left in the residual", Criterion: "y − Kα_t",
					Instead: filterClaim{leading: func(outcome, int) (float64, float64) { return 0, 1 }}},
				{Name: "one step less", Criterion: "α_t", Instead: filterClaim{filter: func(o outcome) theory.Filter {
					return theory.Filter{Eta: 1 / o.Lambda[o.Q], Steps: o.Steps - 1}
				}}},
				{Name: "limit P K⁻¹y", Criterion: "α_t",
					Instead: filterClaim{leading: func(o outcome, i int) (float64, float64) {
						return o.Lambda[o.Q] / (o.Lambda[i] * o.Lambda[i]), 0
					}}},
			},
		},
		props.Grid[int, int, countClaim]{
			Name:    "steps by eigenvectors divided out",
			Cells:   func(props.Effort) []int { return []int{2, 4, 8, 16, 32, 63} },
			Measure: func(_ *props.Trial, q int) int { return stepsOnBed(q) },
			Claim:   countClaim{factor: preconditioned, bound: theory.PlainSteps},
			Judge:   judgePreconditionedSteps,
			Controls: []props.WrongCell[int, int, countClaim]{
				{Name: "one vector less", Criterion: "steps",
					Measure: func(_ *props.Trial, q int) int { return stepsOnBed(q - 1) }},
				{Name: "no speed-up", Criterion: "steps",
					Instead: countClaim{factor: func(_, k int) float64 { return preconditioned(0, k) }}},
				{Name: "bound with a quarter of λ_{q+1}/λ_n", Criterion: "steps against the bound",
					Instead: countClaim{bound: func(kappa, residual float64) float64 {
						return theory.PlainSteps(max(1, kappa/4), residual)
					}}},
			},
			Coarse: map[string]string{"steps against the bound": "the right-hand side of the test bed is not the one " +
				"that converges last; with q = n−1 the first step ends it"},
			Replicates: 1, // nothing is random
		},
	},
}.Claim()

const bedOrder = 64

// stepsOnBed counts the steps on the test bed with q eigenvectors divided out.
func stepsOnBed(q int) int {
	k, y := newBed(bedOrder)
	got := must.Get(ridge.EigenPro(k, y, q, ridge.Stop{Iterations: 100000, Tolerance: bedResidual}))
	return got.Iterations
}

func drawPreconditioned(t *props.T) outcome {
	s := drawLeading(t)
	return s.precondition(s.K)
}

// drawInexact takes the leading vectors of another matrix, for the same system.
func drawInexact(t *props.T) outcome {
	s := drawLeading(t)
	if s.Q == 0 {
		s.Q = len(s.Y) - 1
	}
	k := mat.NewSymDense(len(s.Y), nil)
	k.SymRankOne(s.K, 1e-3, mat.NewVecDense(len(s.Y), s.Y))
	return s.precondition(k)
}

func drawLeading(t *props.T) spectral {
	s := drawSpectral(t, 2, false)
	s.Q = rapid.IntRange(0, len(s.Y)-1).Draw(t.T, "q")
	s.Steps = 1 + s.Steps%30
	return s
}

// precondition runs the iteration on k.
func (s spectral) precondition(k *mat.SymDense) outcome {
	s.Eta = 1 / s.Lambda[s.Q]
	got := must.Get(ridge.EigenPro(k, s.Y, s.Q, ridge.Stop{Iterations: s.Steps, Tolerance: -1}))
	return outcome{s, got.Alpha, got.Residual}
}

// filterClaim holds the filter of the components that are not divided out, and the factors of a leading component in
// the solution and in the residual.
type filterClaim struct {
	filter  func(outcome) theory.Filter
	leading func(o outcome, i int) (solution, left float64)
}

func judgePreconditioned(r *props.Record, o outcome, claim filterClaim) {
	tail, top := o.Lambda[o.Q], o.Lambda[0]
	r.RegimeOf(o.Q > 0, o.Q > 0 && o.Lambda[max(o.Q, 1)-1] == tail)
	f := claim.filter(o)
	alpha, _ := o.combine(func(i int) float64 {
		if i < o.Q {
			solution, _ := claim.leading(o, i)
			return solution
		}
		return f.Solution(o.Lambda[i])
	}, r.Unit())
	residual, _ := o.combine(func(i int) float64 {
		if i < o.Q {
			_, left := claim.leading(o, i)
			return left
		}
		return f.Residual(o.Lambda[i])
	}, r.Unit())
	// Factors lie between 0 and 1, so that the errors of all steps add up to at most their number times the largest
	// one; ‖α‖ ≤ ‖y‖/λ_n. The claimed values err by much less, see [spectral.combine].
	size := floats.Norm(o.Y, 2)
	length := size / o.Lambda[len(o.Lambda)-1]
	step := 40 * float64(len(o.Y)+10) * r.Unit() * (top / tail) * (length + (size+top*length)/tail)
	error := float64(o.Steps) * step
	r.WithinVector("α_t", o.Alpha, alpha, error)
	if !r.Declines("y − Kα_t", floats.Norm(residual, 2), 1e3*top*error) { // α_t covers what has converged
		r.WithinVector("y − Kα_t", o.Residual, residual, top*error)
	}
}

// countClaim holds the factor of a component in a step with q eigenvectors divided out, and the bound on the steps.
type countClaim struct {
	factor func(q, k int) float64
	bound  func(kappa, residual float64) float64
}

var bedSpectrum = theory.Brownian{N: bedOrder}

// preconditioned returns 0 for the leading components, and 1 − λ_k/λ_{q+1} for the others.
func preconditioned(q, k int) float64 {
	if k < q {
		return 0
	}
	return 1 - bedSpectrum.Eigenvalue(k+1)/bedSpectrum.Eigenvalue(q+1)
}

func judgePreconditionedSteps(r *props.Record, q, steps int, claim countClaim) {
	_, y := newBed(bedOrder)
	factors := list.Fill(bedOrder, func(k int) float64 { return claim.factor(q, k) })
	bound := claim.bound(bedSpectrum.Eigenvalue(q+1)/bedSpectrum.Eigenvalue(bedOrder), bedResidual)
	r.Within("steps", float64(steps), float64(theory.Steps(factors, bedSpectrum.Coefficients(y), bedResidual)), 1)
	r.AtMost("steps against the bound", float64(steps), bound, 1e-9*bound)
}

// tryEigenPro counts the steps on the test bed.
func tryEigenPro(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, y, stop := userBed(t, v)
	got, err := ridge.EigenPro(k, y, v.Int("q"), stop)
	return map[string]float64{"steps": float64(got.Iterations)}, err
}
