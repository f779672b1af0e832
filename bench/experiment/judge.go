package experiment

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
)

// Alpha is the level of every interval: of twenty verdicts whose truth lies on the boundary one is expected to be
// wrong.
const Alpha = 0.05

// Margin is the accuracy that does not count: half a percentage point.
const Margin = 0.005

// minCorrelation is from where on the increment of the Gram matrix counts as the virtual covariance.
const minCorrelation = 0.99

// keepTolerance bounds the relative change of a Gram matrix over steps that must not change it. The exact polar factor
// leaves 30 steps × 32√n·u ≈ 2e-12 for n = 256, the printed figures speak of per cents.
const keepTolerance = 1e-9

// Finding is one claim with its evidence: an interval for a quantity, and where that must lie.
type Finding struct {
	Claim    string        `json:"claim"` // one of Claims
	Dataset  string        `json:"dataset"`
	Network  Network       `json:"network,omitempty"`
	Rule     Rule          `json:"rule,omitempty"`
	Verdict  props.Verdict `json:"verdict"`
	Estimate props.Number  `json:"estimate"`
	Lo       props.Number  `json:"lo"`
	Hi       props.Number  `json:"hi"`
	Gamma    float64       `json:"gamma,omitempty"`  // the chosen step size of the rule
	Epochs   []int         `json:"epochs,omitempty"` // efficient: the first epoch at SGD's best, by seed; -1 for never
}

// Claim is what is judged of every data set, network and rule.
type Claim struct {
	ID       string
	Title    string
	Sentence string
	Quantity string
}

// The claims.
const (
	Correlates  = "diagonals"
	Increments  = "increment"
	Keeps       = "gram-kept"
	Efficient   = "efficient"
	RobustSeeds = "robust-seeds"
	RobustRates = "robust-rates"
	NoOverfit   = "non-overfitting"
)

// Claims lists them in the order of the report; add here.
var Claims = []Claim{
	{Correlates, "Closer than AGOP", "The diagonal of WᵀW correlates better with that of the accumulated virtual " +
		"covariance than with that of AGOP (printed for CIFAR-10: 0.9854 against 0.7167).",
		"difference of the two correlations"},
	{Increments, "The increment is the virtual covariance", "All entries of WᵀW − W₀ᵀW₀ correlate with those of the " +
		"accumulated virtual covariance at 0.99 or more.",
		"correlation"},
	{Keeps, "Ten Newton–Schulz steps keep the Gram matrix", "Thirty whitening steps with zero gradient leave the " +
		"Gram matrix of a square hidden layer as it was, up to 10⁻⁹.",
		"relative change"},
	{Efficient, "Efficient", "In one or two epochs the rule reaches the best test accuracy that SGD ever has, up to " +
		"half a point.",
		"accuracy after at most two epochs minus SGD's best"},
	{RobustSeeds, "Robust over runs", "The final accuracy varies no more from run to run than SGD's.",
		"ratio of standard deviations, rule over SGD"},
	{RobustRates, "Robust over step sizes", "Averaged over the grid of step sizes, the final accuracy is at least " +
		"SGD's, up to half a point.",
		"difference of the averages"},
	{NoOverfit, "Non-overfitting", "The final accuracy is within half a point of the best one: more epochs do no harm.",
		"best minus final accuracy"},
}

// FindClaim returns the claim of that name.
func FindClaim(id string) Claim {
	for _, c := range Claims {
		if c.ID == id {
			return c
		}
	}
	panic("experiment: no claim " + id)
}

// challengers are the rules for which the claims are made, and before them a control: gradient descent with the last
// stage frozen. What the control achieves too is a merit of the protocol and not of the rules.
var challengers = []Rule{SGDFrozen, VCL, Whitening, Algorithm1, Cumulative}

// Judge sets findings and headlines from the runs, whatever they were.
func (r *Result) Judge() {
	r.Findings, r.Headlines = []Finding{}, []Finding{}
	for _, c := range r.Covariance {
		r.judgeCovariance(c)
	}
	for _, n := range r.NewtonSchulz {
		r.judgeNewtonSchulz(n)
	}
	for _, g := range r.Training {
		r.judgeGrid(g)
	}
	r.headlines()
}

// add appends a finding. The claim holds when the whole interval is at least least, and is refuted when all of it is
// below; an interval that is not one decides nothing, and one of fewer runs than planned is incomplete.
func (r *Result) add(f Finding, iv stat.Interval, runs int, target float64) {
	f.Estimate, f.Lo, f.Hi = props.Number(iv.Estimate), props.Number(iv.Lo), props.Number(iv.Hi)
	f.Verdict = verdict(iv, target)
	if runs < r.Run.Sizes.Seeds {
		f.Verdict = props.Incomplete
	}
	r.Findings = append(r.Findings, f)
}

func verdict(iv stat.Interval, target float64) props.Verdict {
	switch {
	case !iv.Valid():
		return props.Undecided
	case iv.Lo >= target:
		return props.Holds
	case iv.Hi < target:
		return props.Refuted
	}
	return props.Undecided
}

// atMost adds a finding whose quantity must not exceed limit.
func (r *Result) atMost(f Finding, iv stat.Interval, runs int, limit float64) {
	r.add(f, stat.Interval{Estimate: -iv.Estimate, Lo: -iv.Hi, Hi: -iv.Lo, Alpha: iv.Alpha}, runs, -limit)
	last := &r.Findings[len(r.Findings)-1]
	last.Estimate, last.Lo, last.Hi = -last.Estimate, -last.Hi, -last.Lo
}

func (r *Result) judgeCovariance(c CovarianceResult) {
	var difference, increment []float64
	for _, run := range c.Runs {
		end := run.Epochs[len(run.Epochs)-1]
		difference, increment = append(difference, end.Shift-end.AGOP), append(increment, end.Increment)
	}
	r.add(Finding{Claim: Correlates, Dataset: c.Dataset, Network: TwoLayer}, stat.Mean(difference, Alpha), len(c.Runs),
		0)
	r.add(Finding{Claim: Increments, Dataset: c.Dataset, Network: TwoLayer}, stat.Mean(increment, Alpha), len(c.Runs),
		minCorrelation)
}

func (r *Result) judgeNewtonSchulz(n NewtonSchulzResult) {
	var change []float64
	for _, run := range n.Runs {
		change = append(change, run.Ten[len(run.Ten)-1].Change)
	}
	r.atMost(Finding{Claim: Keeps, Dataset: n.Dataset, Network: ThreeLayer, Rule: Whitening}, stat.Mean(change, Alpha),
		len(n.Runs), keepTolerance)
}

func (r *Result) judgeGrid(g Grid) {
	sgd := g.rule(SGD)
	best1 := each(sgd.Chosen().Runs, func(c Curve) float64 { return best(c.Test) })
	finals := each(sgd.Chosen().Runs, func(c Curve) float64 { return last(c.Test) })
	for _, rc := range g.Rules {
		runs := rc.Chosen().Runs
		f := Finding{Dataset: g.Dataset, Network: g.Network, Rule: rc.Rule, Gamma: rc.Chosen().Gamma}
		decline := each(runs, func(c Curve) float64 { return best(c.Test) - last(c.Test) })
		f.Claim = NoOverfit
		r.atMost(f, stat.Mean(decline, Alpha), len(runs), Margin)
		if rc.Rule == SGD {
			continue
		}
		n := min(len(runs), len(best1))
		soon := each(runs, func(c Curve) float64 { return best(c.Test[min(1, len(c.Test)):min(3, len(c.Test))]) })
		f.Claim, f.Epochs = Efficient, reached(runs[:n], best1[:n])
		r.add(f, stat.Paired(soon[:n], best1[:n], Alpha), n, -Margin)
		f.Claim, f.Epochs = RobustSeeds, nil
		r.atMost(f, spreadRatio(each(runs, func(c Curve) float64 { return last(c.Test) })[:n], finals[:n], Alpha), n, 1)
		f.Claim, f.Gamma = RobustRates, 0
		a, b := overGrid(rc), overGrid(sgd)
		n = min(len(a), len(b))
		r.add(f, stat.Paired(a[:n], b[:n], Alpha), n, -Margin)
	}
}

// reached are the first epochs after which a run is at the accuracy wanted, up to the margin.
func reached(runs []Curve, wanted []float64) []int {
	out := make([]int, len(runs))
	for i, c := range runs {
		out[i] = -1
		for epoch := len(c.Test) - 1; epoch >= 0; epoch-- {
			if c.Test[epoch] >= wanted[i]-Margin {
				out[i] = epoch
			}
		}
	}
	return out
}

// overGrid are the final accuracies averaged over the step sizes, by seed; only of seeds that ran at all of them.
func overGrid(rc RuleCurve) []float64 {
	var out []float64
	for seed := 0; ; seed++ {
		sum := 0.0
		for _, g := range rc.Gammas {
			if seed >= len(g.Runs) {
				return out
			}
			sum += last(g.Runs[seed].Test)
		}
		out = append(out, sum/float64(len(rc.Gammas)))
	}
}

// spreadRatio is the interval for the ratio of the standard deviations of two normal quantities measured on the same
// runs, which may be correlated: with w the ratio of the sample variances, r the sample correlation, t Student's
// quantile for n−2 degrees of freedom and K = 1 + 2(1−r²)t²/(n−2), the ratio of the variances lies in w(K ± √(K²−1)).
//
// Source: Pitman, Biometrika 31 (1939) 9; Morgan, ibid. 13.
func spreadRatio(a, b []float64, alpha float64) stat.Interval {
	n := float64(len(a))
	if len(a) < 3 {
		return stat.Interval{Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Alpha: alpha}
	}
	var aa, bb, ab float64
	ma, mb := stat.Mean(a, alpha).Estimate, stat.Mean(b, alpha).Estimate
	for i := range a {
		aa, bb, ab = aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb), ab+(a[i]-ma)*(b[i]-mb)
	}
	w, r2 := aa/bb, ab*ab/(aa*bb)
	t := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(1 - alpha/2)
	k := 1 + 2*(1-r2)*t*t/(n-2)
	root := math.Sqrt(k*k - 1)
	return stat.Interval{Estimate: math.Sqrt(w), Lo: math.Sqrt(w / (k + root)), Hi: math.Sqrt(w * (k + root)),
		Alpha: alpha}
}

// headlines join the findings of all data sets in the setting of the paper: the two-layer network for what it says
// about training. "For all data sets" is refuted by one of them and holds when it holds on each.
func (r *Result) headlines() {
	for _, c := range Claims {
		rules := challengers
		switch c.ID {
		case Correlates, Increments:
			rules = []Rule{""}
		case Keeps:
			rules = []Rule{Whitening}
		}
		for _, rule := range rules {
			var verdicts []props.Verdict
			f := Finding{Claim: c.ID, Dataset: "all", Rule: rule}
			for _, found := range r.Findings {
				if found.Claim == c.ID && found.Rule == rule && (found.Network == TwoLayer || c.ID == Keeps) {
					verdicts, f.Network = append(verdicts, found.Verdict), found.Network
				}
			}
			if len(verdicts) > 0 {
				f.Verdict = all(verdicts)
				r.Headlines = append(r.Headlines, f)
			}
		}
	}
}

// all is the verdict on a conjunction.
func all(verdicts []props.Verdict) props.Verdict {
	for _, v := range []props.Verdict{props.Refuted, props.Incomplete, props.Undecided} {
		for _, w := range verdicts {
			if v == w {
				return v
			}
		}
	}
	return props.Holds
}
