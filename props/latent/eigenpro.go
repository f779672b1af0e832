package latent

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/iterative"
	"github.com/thm-suite/thm/props"
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
		props.Instances[outcome]{
			Name:    "preconditioned iterates",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: []string{"no eigenvector", "some", "repeated eigenvalues at q"},
			Draw:    drawPreconditioned,
			Judge:   judgePreconditioned,
			// What has converged leaves nothing to compare: 45 % of 2900 cases, of 30 steps at most.
			Declined: map[string]float64{"y − Kα_t": 0.85},
			Controls: []props.Control{
				{Name: "eigenvectors of K + 10⁻³ yyᵀ", Assumption: "exact", Done: "inexact"},
				{Name: "step 1/λ_q", Assumption: "step", Claimed: "1/λ_q"},
				{Name: "leading part left in the residual", Criterion: "y − Kα_t", Claimed: "plain"},
				{Name: "one step less", Criterion: "α_t", Claimed: "t−1"},
				{Name: "limit P K⁻¹y", Criterion: "α_t", Claimed: "another limit"},
			},
		},
		props.Sweep[int, int]{
			Name:  "steps by eigenvectors divided out",
			Cells: func(props.Effort) []int { return []int{2, 4, 8, 16, 32, 63} },
			Measure: func(_ *props.Trial, q int, done string) int {
				k, y := newBed(bedOrder)
				if done == "one vector less" {
					q--
				}
				got, err := iterative.EigenPro(k, y, q, iterative.Stop{Iterations: 100000, Tolerance: bedResidual})
				if err != nil {
					panic(err)
				}
				return got.Iterations
			},
			Judge: judgePreconditionedSteps,
			Controls: []props.Control{
				{Name: "one vector less", Criterion: "steps", Done: "one vector less"},
				{Name: "no speed-up", Criterion: "steps", Claimed: "plain"},
				{Name: "bound with a quarter of λ_{q+1}/λ_n", Criterion: "steps against the bound",
					Claimed: "a quarter"},
			},
			Coarse: map[string]string{"steps against the bound": "the right-hand side of the test bed is not the one " +
				"that converges last; with q = n−1 the first step ends it"},
			Replicates: 1, // nothing is random
		},
	},
}.Claim()

const bedOrder = 64

func drawPreconditioned(t *props.T, done string) outcome {
	s := drawSpectral(t, 2, false)
	s.Q = rapid.IntRange(0, len(s.Y)-1).Draw(t.T, "q")
	s.Steps = 1 + s.Steps%30
	s.Eta = 1 / s.Lambda[s.Q]
	k := s.K
	if done == "inexact" { // the leading vectors of another matrix, for the same system
		if s.Q == 0 {
			s.Q = len(s.Y) - 1
			s.Eta = 1 / s.Lambda[s.Q]
		}
		k = mat.NewSymDense(len(s.Y), nil)
		k.SymRankOne(s.K, 1e-3, mat.NewVecDense(len(s.Y), s.Y))
	}
	got, err := iterative.EigenPro(k, s.Y, s.Q, iterative.Stop{Iterations: s.Steps, Tolerance: -1})
	if err != nil {
		panic(err)
	}
	return outcome{s, got.Alpha, got.Residual}
}

func judgePreconditioned(r *props.Record, o outcome, claimed string) {
	tail, top := o.Lambda[o.Q], o.Lambda[0]
	switch {
	case o.Q == 0:
		r.Regime("no eigenvector")
	case o.Lambda[o.Q-1] == tail:
		r.Regime("repeated eigenvalues at q")
	default:
		r.Regime("some")
	}
	f := theory.Filter{Eta: 1 / tail, Steps: o.Steps}
	switch claimed {
	case "1/λ_q":
		if o.Q > 0 {
			f.Eta = 1 / o.Lambda[o.Q-1]
		}
	case "t−1":
		f.Steps--
	}
	leading := func(i int) bool { return i < o.Q && claimed != "plain" }
	alpha, _ := o.combine(func(i int) float64 {
		if leading(i) {
			if claimed == "another limit" {
				return tail / (o.Lambda[i] * o.Lambda[i])
			}
			return 1 / o.Lambda[i]
		}
		if claimed == "plain" && i < o.Q {
			return 0
		}
		return f.Solution(o.Lambda[i])
	}, r.Unit())
	residual, _ := o.combine(func(i int) float64 {
		if leading(i) {
			return 0
		}
		if i < o.Q { // as if it were still there
			return 1
		}
		return f.Residual(o.Lambda[i])
	}, r.Unit())
	// Factors lie between 0 and 1, so that the errors of all steps add up to at most their number times the largest
	// one; ‖α‖ ≤ ‖y‖/λ_n. What they are compared with errs by much less, see [spectral.combine].
	size := floats.Norm(o.Y, 2)
	length := size / o.Lambda[len(o.Lambda)-1]
	step := 40 * float64(len(o.Y)+10) * r.Unit() * (top / tail) * (length + (size+top*length)/tail)
	error := float64(o.Steps) * step
	r.WithinVector("α_t", o.Alpha, alpha, error)
	if !r.Declines("y − Kα_t", floats.Norm(residual, 2), 1e3*top*error) { // of what has converged α_t speaks
		r.WithinVector("y − Kα_t", o.Residual, residual, top*error)
	}
}

func judgePreconditionedSteps(r *props.Record, q, steps int, claimed string) {
	spectrum := theory.Brownian{N: bedOrder}
	_, y := newBed(bedOrder)
	tail, factors := spectrum.Eigenvalue(q+1), make([]float64, bedOrder)
	for k := range factors {
		if k >= q {
			factors[k] = 1 - spectrum.Eigenvalue(k+1)/tail
		}
		if claimed == "plain" {
			factors[k] = 1 - spectrum.Eigenvalue(k+1)/spectrum.Eigenvalue(1)
		}
	}
	kappa := tail / spectrum.Eigenvalue(bedOrder)
	bound := theory.PlainSteps(kappa, bedResidual)
	if claimed == "a quarter" {
		bound = theory.PlainSteps(max(1, kappa/4), bedResidual)
	}
	r.Within("steps", float64(steps), float64(theory.Steps(factors, spectrum.Coefficients(y), bedResidual)), 1)
	r.AtMost("steps against the bound", float64(steps), bound, 1e-9*bound)
}
