package latent

import (
	"math/rand/v2"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// transfer freezes a first layer that has learned one target, and fits another.
var transfer = props.Spec{
	Statement: &theory.Transfer,
	Checks: []props.Check{props.Sweep[int, map[string]float64]{
		Name:     "errors after transfer",
		Cells:    runs(64, 96),
		Measure:  measureTransfer,
		Conclude: concludeTransfer,
		Controls: []props.Control{
			{Name: "a first layer that has not learned", Assumption: "pretrained", Criterion: "error at d = 20",
				Claimed: "untrained"},
			{Name: "first target along another direction", Assumption: "shared", Criterion: "error at d = 10",
				Done: "another direction"},
			{Name: "below 1/10", Criterion: "error at d = 10", Claimed: "1/10"},
			{Name: "d² as from the start", Criterion: "error at d = 20 over that at d = 10", Claimed: "untrained"},
			{Name: "untrained below 0.9", Criterion: "error without learning", Claimed: "learned"},
			{Name: "kernel below 0.9", Criterion: "error of a kernel", Claimed: "learned"},
		},
		Replicates: 1,
		Coarse: map[string]string{"error at d = 10": transferRoom, "error at d = 20": transferRoom,
			"error at d = 20 over that at d = 10": transferRoom, "error without learning": transferRoom,
			"error of a kernel": transferRoom},
	}},
	Try: &props.Simulation{Run: tryTransfer, Params: []statement.Param{{Name: "m", Symbol: "m", Meaning: "neurons",
		Domain: statement.IntegerBetween(2, 2000), Default: "200"}}},
}.Claim()

const (
	transferRoom = "a median of few runs against a round number"
	transferM    = 200
	transferN    = 400
)

func measureTransfer(t *props.Trial, _ int, done string) map[string]float64 {
	out := map[string]float64{}
	out["10"], _ = transferred(t.Rand, 10, 400, transferN, transferM, done)
	if done != "" {
		return out
	}
	var q problem
	out["20"], q = transferred(t.Rand, 20, 1600, transferN, transferM, "")
	net := latent.Independent(t.Rand, transferM, 20).Redraw(t.Rand)
	net.Normalise(1)
	linear, rest := latent.Preprocess(q.Train.X, q.Train.Y)
	out["untrained"] = q.head(net, linear, rest)
	out["kernel"] = q.regress(kernels(20)["polynomial"], withBias)
	return out
}

// transferred learns ½He₂ + He₃/√12 from n samples and then He₃/√6 from another count, and returns the error.
func transferred(r *rand.Rand, d, n, second, m int, done string) (float64, problem) {
	p := newProblem(r, target.Mixed(3), n, d, 1500)
	_, net := p.learn(r, m, "")
	q := newProblem(r, target.Pure(3), second, d, 800)
	if done == "another direction" { // the frozen layer knows the last axis
		for j := range m {
			row := net.W.RawRowView(j)
			row[0], row[d-1] = row[d-1], row[0]
		}
	}
	linear, rest := latent.Preprocess(q.Train.X, q.Train.Y)
	return q.head(net, linear, rest), q
}

func concludeTransfer(r *props.Record, _ []int, all []map[string]float64, claimed string) {
	limit := 0.5
	if claimed == "1/10" {
		limit = 0.1
	}
	ten := stat.Median(column(all, "10"), stat.CriterionAlpha)
	r.Measured("median error at d = 10; claimed below ½", ten, limit)
	r.AtMost("error at d = 10", ten.Hi, limit, 1e-12)
	if _, whole := all[0]["20"]; !whole {
		return
	}
	trained, untrained, kernel := column(all, "20"), column(all, "untrained"), column(all, "kernel")
	switch claimed {
	case "untrained":
		trained = untrained
	case "learned":
		untrained, kernel = trained, trained
	}
	twenty := stat.Median(trained, stat.CriterionAlpha)
	r.Measured("median error at d = 20; claimed below ½", twenty, limit)
	r.AtMost("error at d = 20", twenty.Hi, limit, 1e-12)
	var quotients []float64
	for i, e := range trained {
		quotients = append(quotients, e/all[i]["10"])
	}
	r.AtMost("error at d = 20 over that at d = 10", stat.Median(quotients, stat.CriterionAlpha).Hi, 3, 1e-12)
	r.AtLeast("error without learning", stat.Median(untrained, stat.CriterionAlpha).Lo, 0.9, 1e-12)
	r.AtLeast("error of a kernel", stat.Median(kernel, stat.CriterionAlpha).Lo, 0.9, 1e-12)
}

func tryTransfer(t *props.Trial, v statement.Values) (map[string]float64, error) {
	m := v.Int("m")
	e, _ := transferred(t.Rand, v.Int("d"), v.Int("n"), v.Int("N"), m+m%2, "")
	return map[string]float64{"error": e}, nil
}
