package props

import "math"

// The search for a resolution runs over powers of ten between these exponents, to within resolveStep.
const (
	finestDose   = -17.0
	coarsestDose = 1.0
	resolveStep  = 0.05
)

// ulp is the smallest relative change of a float64.
const ulp = 0x1p-52

// doses is how often a dose is tried. It exceeds replicates because a resolution is the place where rejections
// begin, and is known no better than the fraction of rejections is.
var doses = Scale{Quick: 9, Standard: 9, Deep: 15}

// resolve finds the smallest dose that the check rejects with probability at least one half. To be on the safe side
// of that, a dose counts as rejected when three quarters of its replicates are. The result was itself tried and
// rejected. It is +Inf when no dose is rejected: such a check notices nothing.
func (s *session) resolve(r Resolution) ResolutionResult {
	result := ResolutionResult{Of: r.Of, Unit: r.Unit}
	if r.Unit == Exact {
		if !s.rejects(r.Check(ulp)) {
			result.Value = Number(math.Inf(1))
		}
		return s.unlessStopped(result)
	}
	lo, hi := finestDose, coarsestDose
	if !s.rejects(r.Check(math.Pow(10, hi))) {
		result.Value = Number(math.Inf(1))
		return s.unlessStopped(result)
	}
	for hi-lo > resolveStep {
		mid := (lo + hi) / 2
		if s.rejects(r.Check(math.Pow(10, mid))) {
			hi = mid
		} else {
			lo = mid
		}
	}
	result.Value = Number(math.Pow(10, hi))
	return s.unlessStopped(result)
}

// unlessStopped withdraws a resolution whose search was cut short.
func (s *session) unlessStopped(r ResolutionResult) ResolutionResult {
	if s.ctx.Err() != nil {
		r.Value = Number(math.NaN())
	}
	return r
}

// rejects reports whether a check is refuted on three quarters of its replicates. It stops when that is settled.
func (s *session) rejects(c LegacyCheck) bool {
	n := s.times(c, doses)
	need := (3*n + 3) / 4
	rejected, accepted := 0, 0
	for replicate := 0; rejected < need && accepted <= n-need; replicate++ {
		if s.execute(c, replicate).verdict == Refuted {
			rejected++
		} else {
			accepted++
		}
	}
	return rejected >= need
}

// noticed reports whether the claim made wrong by dose is rejected on at least half of fresh replicates, which
// resolve has not used. It lets a test ask whether a printed resolution is honest.
func (s *session) noticed(resolution Resolution, dose float64, fresh int) bool {
	rejected := 0
	for i := range fresh {
		if s.execute(resolution.Check(dose), doses.At(s.Effort)+i).verdict == Refuted {
			rejected++
		}
	}
	return 2*rejected >= fresh
}
