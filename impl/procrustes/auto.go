package procrustes

import (
	"errors"
	"fmt"
)

// Auto chooses a solver by target, shape, batch and conditioning, and says so in Step.Why.
//
//	SGDGram     Krylov if Gap allows it and four blocks take up at most half of the outputs; where three of them show
//	            that the conditioning is too bad for it, rational blocks, if nine take up at most half; Polar otherwise
//	TrueShift   m ≥ n: Factor, or Krylov as above; where W is rank deficient or the shift infeasible, Full, which drops
//	            what is no Gram matrix. m < n: Reduced
//	with Past   Full
type Auto struct {
	Target    Target
	Gap       float64    // how much the squared distance may exceed the least one, relative to it; 0: only exact solvers
	WarmStart *WarmStart // see [Polar]; nil for no memory
}

// krylovBlocks is the number of blocks from which a subspace is taken to be worth its while: they reduce the excess
// distance to 10⁻⁵ … 10⁻⁸ for the conditioning of a fresh rectangular layer. rationalBlocks do it for a square one.
const krylovBlocks, rationalBlocks = 4, 9

// Solve implements [Solver].
func (s Auto) Solve(p Problem) (Step, error) {
	m, n, batch, err := p.shapes()
	if err != nil {
		return Step{}, err
	}
	switch {
	case p.Past != nil:
		return because(Full{Target: s.Target}, p, "past shifts span all inputs")
	case s.Target == TrueShift && m < n:
		return because(Reduced{Target: TrueShift}, p, "true shift, m < n")
	}
	reason := "exact"
	if s.Gap > 0 {
		step, ok, err := s.subspace(p, m, batch)
		if ok || err != nil {
			return step, err
		}
		reason = step.Why
	}
	if s.Target == SGDGram {
		return because(Polar{WarmStart: s.WarmStart}, p, reason)
	}
	step, err := because(Factor{}, p, reason)
	if errors.Is(err, ErrInfeasible) || errors.Is(err, ErrRankDeficient) {
		return because(Full{Target: TrueShift}, p, err.Error())
	}
	return step, err
}

// subspace tries the two kinds of Krylov spaces. Where neither does, ok is false and Step.Why the reason.
func (s Auto) subspace(p Problem, m, batch int) (step Step, ok bool, err error) {
	step.Why = fmt.Sprintf("batch %d, m = %d: no small subspace", batch, m)
	limit := m / (4 * batch) // blocks that take up half of the outputs
	small := fmt.Sprintf("batch %d is small compared with m = %d", batch, m)
	for _, k := range []struct {
		Krylov
		blocks int
		reason string
	}{
		{Krylov{}, krylovBlocks, small},
		{Krylov{Rational: true}, rationalBlocks, small + ", ill-conditioned"},
	} {
		if limit < k.blocks {
			continue
		}
		k.Target, k.Blocks, k.Gap = s.Target, limit, s.Gap
		step, err = because(k.Krylov, p, k.reason)
		switch {
		case errors.Is(err, ErrInfeasible), errors.Is(err, ErrRankDeficient):
			return Step{Why: err.Error()}, false, nil
		case err != nil || step.Gap <= s.Gap:
			return step, err == nil, err
		}
		step.Why = fmt.Sprintf("ill-conditioned: %d dimensions leave a gap of %.1e", step.Dim, step.Gap)
	}
	return step, false, nil
}

// because runs the solver and puts the reason for it in front of what it says itself.
func because(s Solver, p Problem, reason string) (Step, error) {
	step, err := s.Solve(p)
	step.Why = reason + ": " + step.Why
	return step, err
}
