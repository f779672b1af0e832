package latent

import (
	"fmt"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// transfer freezes a first layer that has learned one target, and fits another.
var transfer = props.Spec{
	Statement: &theory.Transfer,
	Checks: []props.Check{props.Grid[int, transferRun, transferClaim]{
		Name:     "errors after transfer",
		Cells:    runs(176, 176),
		Measure:  measureTransfer,
		Claim:    theory.TransferBound,
		Conclude: concludeTransfer,
		Controls: []props.WrongCell[int, transferRun, transferClaim]{
			{Name: "a first layer that has not learned, n = 0", Assumption: "pretrained", Criterion: "error at d = 32",
				Alter: func(_ int, run *transferRun) { run.Large = run.Untrained }},
			{Name: "first target along another direction", Assumption: "shared", Criterion: "error at d = 16",
				Measure: measureAnotherDirection, On: props.First(controlRuns)},
			{Name: "below a fifth of the bound", Criterion: "error at d = 16",
				Instead: func(d int, n float64) float64 { return theory.TransferBound(d, n) / 5 }},
			{Name: "grows as d", Criterion: "error at d = 32 over that at d = 16",
				Alter: func(_ int, run *transferRun) { run.Large = run.Untrained }},
			{Name: "a first layer that has learned", Criterion: "error without learning",
				Alter: func(_ int, run *transferRun) { run.Untrained = run.Large }},
			{Name: "a kernel that has learned", Criterion: "error of a kernel",
				Alter: func(_ int, run *transferRun) { run.Kernel = run.Large }},
		},
		Replicates: 1,
		Chosen: map[string][]string{"sizes and the 2 % of an effect": {"error at d = 16", "error at d = 32",
			"error at d = 32 over that at d = 16", "error without learning", "error of a kernel"}},
	}},
	Try: &props.Simulation{Run: tryTransfer, Draw: drawTransfer, Params: []statement.Param{{Name: "m", Symbol: "m",
		Meaning: "neurons", Domain: statement.IntegerBetween(2, 2000), Default: "200"}}},
}.Claim()

const (
	transferM   = 160
	transferN   = 300 // samples of the second target
	controlRuns = 48  // for controls that are far off, see [plainRuns]
)

// transferRun holds errors after transfer at d = 16 and 32, at 32 without learning and, in the first runs, of a kernel.
// An error that is not measured is zero.
type transferRun struct{ Small, Large, Untrained, Kernel float64 }

func measureTransfer(t *props.Trial, index int) (out transferRun) {
	var q problem
	out.Small, _ = transferred(t.Rand, 16, 1024, transferN, transferM)
	out.Large, q = transferred(t.Rand, 32, 4096, transferN, transferM)
	out.Untrained, _ = transferred(t.Rand, 32, 0, transferN, transferM)
	if index < plainRuns {
		out.Kernel = q.regress(kernels(32)["polynomial"], latent.WithBias)
	}
	return out
}

// measureAnotherDirection learns its first target along the last axis.
func measureAnotherDirection(t *props.Trial, _ int) (out transferRun) {
	const d = 16
	net, q := pretrained(t.Rand, d, 1024, transferM), newProblem(t.Rand, target.Pure(3), transferN, d, 800)
	for j := range transferM {
		row := net.W.RawRowView(j)
		row[0], row[d-1] = row[d-1], row[0]
	}
	out.Small = q.fitHead(net)
	return out
}

// transferred learns ½He₂ + He₃/√12 from n samples and then He₃/√6 from another count, and returns the error.
func transferred(r *rand.Rand, d, n, second, m int) (float64, problem) {
	net, q := pretrained(r, d, n, m), newProblem(r, target.Pure(3), second, d, 800).finely(r)
	return q.fitHead(net), q
}

// pretrained returns a first layer that has learned from n samples; with n = 0 it is as drawn.
func pretrained(r *rand.Rand, d, n, m int) latent.Network {
	if n == 0 {
		net := latent.Independent(r, m, d).Redraw(r)
		net.Normalise(1)
		return net
	}
	f := target.Mixed(3)
	net, _, _ := problem{Train: latent.Sample(r, n, d, f.Latent, f.At)}.step(r, m, "")
	return net
}

// fitHead fits only the head, and returns the error.
func (p problem) fitHead(net latent.Network) float64 {
	_, d := p.Train.X.Dims()
	return p.head(net, latent.Linear{Weights: make([]float64, d)}, p.Train.Y)
}

// transferClaim bounds the error at a dimension after transfer with n samples.
type transferClaim func(d int, n float64) float64

func concludeTransfer(r *props.Record, _ []int, all []transferRun, claim transferClaim) {
	column := func(of func(transferRun) float64) (out []float64) {
		for _, run := range all {
			if value := of(run); value > 0 {
				out = append(out, value)
			}
		}
		return out
	}
	small, large := column(func(e transferRun) float64 { return e.Small }), column(func(e transferRun) float64 {
		return e.Large
	})
	untrained, kernel := column(func(e transferRun) float64 { return e.Untrained }), column(func(e transferRun) float64 {
		return e.Kernel
	})
	low, high := claim(16, transferN), claim(32, transferN)
	r.MeasuredBelow("median error at d = 16", stat.Median(small, stat.CriterionAlpha), low)
	below(r, "error at d = 16", small, low)
	if len(large) == 0 {
		return
	}
	var quotients []float64
	for i, e := range large {
		quotients = append(quotients, e/small[i])
	}
	r.MeasuredBelow("median error at d = 32", stat.Median(large, stat.CriterionAlpha), high)
	r.MeasuredBelow("median quotient of the errors", stat.Median(quotients, stat.CriterionAlpha), 2)
	r.MeasuredAbove("median error without learning", stat.Median(untrained, stat.CriterionAlpha), high)
	r.MeasuredAbove("median error of the polynomial kernel", stat.Median(kernel, stat.CriterionAlpha), high)
	below(r, "error at d = 32", large, high)
	below(r, "error at d = 32 over that at d = 16", quotients, 2)
	above(r, "error without learning", untrained, high)
	above(r, "error of a kernel", kernel, high)
}

func tryTransfer(t *props.Trial, v statement.Values) (map[string]float64, error) {
	m := v.Int("m")
	e, _ := transferred(t.Rand, v.Int("d"), v.Int("n"), v.Int("N"), m+m%2)
	return map[string]float64{"error": e}, nil
}

// drawTransfer plots the error against N, up to the user's N, with the frozen layer as drawn and after learning.
func drawTransfer(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, m := v.Int("d"), v.Int("m")
	curves := []props.Curve{{Name: "after transfer", Style: props.Points},
		{Name: "first layer as drawn", Style: props.Points},
		{Name: "kernels on N samples", Style: props.Dashed}}
	for _, count := range halvings(v.Int("N"), 5) {
		learned, _ := transferred(t.Rand, d, v.Int("n"), count, m+m%2)
		plain, _ := transferred(t.Rand, d, 0, count, m+m%2)
		for i, y := range []float64{learned, plain, theory.TransferBound(d, float64(count))} {
			curves[i].Add(float64(count), y)
		}
	}
	return []props.Figure{{ID: "transfer", Title: "Error for He₃ after transfer",
		Caption: fmt.Sprintf("Squared error against the samples N of the second target at d = %d, a run for each point: "+
			"with a first layer that learned from n = %d samples of the first target, and with one as drawn. The dashed "+
			"line is the lower bound for every kernel method.", d, v.Int("n")),
		X: props.Axis{Label: "samples N", Log: true}, Y: props.Axis{Label: "squared error"}, Curves: curves}}, nil
}
