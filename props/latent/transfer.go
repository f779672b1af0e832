package latent

import (
	"math/rand/v2"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// transfer freezes a first layer that has learned one target, and fits another.
var transfer = props.Spec{
	Statement: &theory.Transfer,
	Checks: []props.Check{props.Sweep[int, map[string]float64]{
		Name:     "errors after transfer",
		Cells:    runs(176, 176),
		Measure:  measureTransfer,
		Conclude: concludeTransfer,
		Controls: []props.Control{
			{Name: "a first layer that has not learned, n = 0", Assumption: "pretrained", Criterion: "error at d = 32",
				Claimed: "untrained"},
			{Name: "first target along another direction", Assumption: "shared", Criterion: "error at d = 16",
				Done: "another direction"},
			{Name: "below a fifth of the bound", Criterion: "error at d = 16", Claimed: "a fifth"},
			{Name: "grows as d", Criterion: "error at d = 32 over that at d = 16", Claimed: "untrained"},
			{Name: "a first layer that has learned", Criterion: "error without learning", Claimed: "learned"},
			{Name: "a kernel that has learned", Criterion: "error of a kernel", Claimed: "learned"},
		},
		Replicates: 1,
		Coarse: map[string]string{"error at d = 16": transferRoom, "error at d = 32": transferRoom,
			"error at d = 32 over that at d = 16": transferRoom, "error without learning": transferRoom,
			"error of a kernel": transferRoom},
	}},
	Try: &props.Simulation{Run: tryTransfer, Draw: drawTransfer, Params: []statement.Param{{Name: "m", Symbol: "m",
		Meaning: "neurons", Domain: statement.IntegerBetween(2, 2000), Default: "200"}}},
}.Claim()

const (
	transferRoom = "a median of few runs against a bound with room"
	transferM    = 160
	transferN    = 300 // samples of the second target
	controlRuns  = 48  // of a control that is far off, see [plainRuns]
)

func measureTransfer(t *props.Trial, index int, done string) map[string]float64 {
	if done != "" && index >= controlRuns {
		return nil
	}
	out := map[string]float64{}
	out["16"], _ = transferred(t.Rand, 16, 1024, transferN, transferM, done)
	if done != "" {
		return out
	}
	var q problem
	out["32"], q = transferred(t.Rand, 32, 4096, transferN, transferM, "")
	out["untrained"], _ = transferred(t.Rand, 32, 0, transferN, transferM, "")
	if index < plainRuns {
		out["kernel"] = q.regress(kernels(32)["polynomial"], withBias)
	}
	return out
}

// transferred learns ½He₂ + He₃/√12 from n samples and then He₃/√6 from another count, and returns the error. With n =
// 0 the first layer is as drawn.
func transferred(r *rand.Rand, d, n, second, m int, done string) (float64, problem) {
	var net latent.Network
	if n == 0 {
		net = latent.Independent(r, m, d).Redraw(r)
		net.Normalise(1)
	} else {
		f := target.Mixed(3)
		net, _, _ = problem{Train: latent.Sample(r, n, d, f.Latent, f.At)}.step(r, m, "")
	}
	q := newProblem(r, target.Pure(3), second, d, 800)
	if done == "another direction" { // the frozen layer knows the last axis
		for j := range m {
			row := net.W.RawRowView(j)
			row[0], row[d-1] = row[d-1], row[0]
		}
	}
	return q.head(net, latent.Linear{Weights: make([]float64, d)}, q.Train.Y), q // nothing but the head is fitted
}

func concludeTransfer(r *props.Record, _ []int, all []map[string]float64, claimed string) {
	small, large := column(all, "16"), column(all, "32")
	untrained, kernel := column(all, "untrained"), column(all, "kernel")
	share := 1.
	switch claimed {
	case "untrained":
		large = untrained
	case "learned":
		untrained, kernel = large, large
	case "a fifth":
		share = 0.2
	}
	measured := func(what string, draws []float64, bound float64, beside func(string, stat.Interval, float64)) {
		if claimed == "" {
			beside(what, stat.Median(draws, stat.CriterionAlpha), bound)
		}
	}
	low, high := theory.TransferBound(16, transferN), theory.TransferBound(32, transferN)
	measured("median error at d = 16", small, low, r.MeasuredBelow)
	below(r, "error at d = 16", small, share*low)
	if len(large) == 0 {
		return
	}
	var quotients []float64
	for i, e := range large {
		quotients = append(quotients, e/small[i])
	}
	measured("median error at d = 32", large, high, r.MeasuredBelow)
	measured("median quotient of the errors", quotients, 2, r.MeasuredBelow)
	measured("median error without learning", untrained, high, r.MeasuredAbove)
	measured("median error of the polynomial kernel", kernel, high, r.MeasuredAbove)
	below(r, "error at d = 32", large, share*high)
	below(r, "error at d = 32 over that at d = 16", quotients, 2)
	above(r, "error without learning", untrained, high)
	above(r, "error of a kernel", kernel, high)
}
