package emergence

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// learning trains small networks, and second layers on their initial neurons.
var learning = props.Spec{
	Statement: &theory.Learning,
	Checks: []props.Check{props.Sweep[training, trained]{
		Name: "trained networks",
		Cells: func(e props.Effort) []training {
			var out []training
			for seed := range (props.Scale{Quick: 1, Standard: 2, Deep: 10}).At(e) {
				out = append(out, training{"structured", seed}, training{"uniform", seed})
			}
			return out
		},
		Regimes:    []string{"structured", "uniform"},
		Replicates: 1,
		Measure: func(t *props.Trial, cell training, done string) trained {
			if done != "" && cell.Inputs == "uniform" { // the controls are about structured inputs
				return trained{}
			}
			uniform := 0.5
			if cell.Inputs == "uniform" || done == "uniform" {
				uniform = 1
			}
			return train(t.Rand, netSizes{fair(30, 3, uniform), 64, 8000}, done)
		},
		Judge: judgeTrained,
		Controls: []props.Control{
			{Name: "uniform inputs in place of structured ones", Assumption: "structured", Criterion: networkError,
				Done: "uniform"},
			{Name: "one step", Assumption: "second-step", Criterion: networkError, Done: "one step"},
			{Name: "initial weights kept", Assumption: "forgetting", Criterion: networkError, Done: "kept"},
			{Name: "random features are right less than 60 % of the time", Criterion: randomAccuracy,
				Claimed: "random worse"},
			{Name: "random features have a loss above 3/4", Criterion: randomLoss, Claimed: "random worse"},
			{Name: "the network learns uniform inputs", Criterion: "accuracy on uniform inputs", Claimed: "uniform learned"},
			{Name: "error at most a third of the loss", Criterion: "error and loss", Claimed: "third"},
		},
		Coarse: map[string]string{networkError: "a finding with a margin of 0.01",
			"accuracy on uniform inputs": "a finding with a margin of 0.03, and the width of its interval"},
	}},
	Try: &props.Simulation{Run: trainOnce},
}.Claim()

const (
	networkError   = "error of the network"
	randomAccuracy = "accuracy of random features"
	randomLoss     = "loss of random features"
)

// training is one run.
type training struct {
	Inputs string
	Seed   int
}

// trained is what a network, and random features, got wrong of so many test inputs, and their losses.
type trained struct {
	Tests                   int
	Wrong, RandomWrong      int
	HingeLoss, RandomLosses float64
}

// firstRate is η₁.
const firstRate = 1e-3

// netSizes are those of a network and its training.
type netSizes struct {
	law              theory.Mixture
	neurons, samples int // neurons, with as many mirrors; samples in each step
}

// fair is the mixture with fair bits outside A.
func fair(dim, count int, uniform float64) theory.Mixture {
	return theory.Mixture{Dim: dim, Count: count, Background: 0.5, Uniform: uniform}
}

func train(r *rand.Rand, size netSizes, done string) trained {
	law, nets := descendTwice(r, size, done)
	start, net := nets[0], nets[len(nets)-1]
	head := truncated.Head{Steps: 1000, Rate: 0.1}
	batch := law.Draw(r, 250)
	fresh := func() data.Sample {
		law.DrawInto(r, batch)
		return batch
	}
	test := law.Draw(r, size.samples)
	found := trained{Tests: size.samples}
	found.Wrong, found.HingeLoss = net.Fit(head, fresh).Score(test)
	if done == "" {
		found.RandomWrong, found.RandomLosses = start.Fit(head, fresh).Score(test)
	}
	return found
}

// descendTwice draws a law and a network in the source's initial scales, and returns the network before, between and
// after two steps; or what a variant of that makes of it.
func descendTwice(r *rand.Rand, size netSizes, done string) (data.Wide, []truncated.Net) {
	m, k := size.law, float64(size.law.Count)
	law := data.Wide{Dim: m.Dim, Support: rational.Subset(r, m.Dim, m.Count), Accept: data.Parity(m.Count),
		Pattern: data.Uniform(m.Count, m.Uniform), Background: m.Background}
	gamma := m.Covariance()
	if !(gamma > 0) { // that of the law with structure that this one is compared with; even k has none
		gamma = 0.25
	}
	bias, out := make([]float64, size.neurons), make([]float64, size.neurons)
	for i := range bias {
		bias[i], out[i] = r.NormFloat64()/(k*k), r.NormFloat64()*law.Deviation()*law.Deviation()/(gamma*k*k)
	}
	w := gen.Gaussian(r, size.neurons, m.Dim, 1/k)
	net := truncated.Paired(w, bias, out)
	step := truncated.Step{Noise: truncated.Smooth(math.Pow(k, -1.5)), KeepA: 1}
	rates := []float64{firstRate, 1}
	switch done {
	case "kept": // or the kept weights would be swamped by those of a step of 1
		step.KeepW, rates[1] = 1, firstRate
	case "one step":
		rates = rates[:1]
	case "no noise":
		step.Noise = 0
	case "unpaired":
		net = truncated.Net{W: w, B: bias, A: out}
	}
	nets := []truncated.Net{net}
	for _, step.Rate = range rates {
		net, _ = net.Descend(law.Draw(r, size.samples), step)
		nets = append(nets, net)
	}
	return law, nets
}

func judgeTrained(r *props.Record, cell training, m trained, claimed string) {
	if m.Tests == 0 {
		return
	}
	r.Regime(cell.Inputs)
	share := func(wrong int) stat.Interval { return stat.Proportion(wrong, m.Tests, stat.CriterionAlpha) }
	factor := 1.0
	if claimed == "third" {
		factor = 1. / 3
	}
	r.AtMost("error and loss", float64(m.Wrong)/float64(m.Tests), m.HingeLoss*factor, 1e-12)
	r.AtMost("error and loss", float64(m.RandomWrong)/float64(m.Tests), m.RandomLosses*factor, 1e-12)
	if cell.Inputs == "uniform" {
		want := 0.5
		if claimed == "uniform learned" {
			want = 0
		}
		margin := 0.03 + stat.ProportionMargin(0.5, m.Tests, stat.CriterionAlpha, stat.CriterionUndecided)
		r.EqualsAbsolutely("accuracy on uniform inputs", share(m.Wrong), want, margin)
		r.EqualsAbsolutely("accuracy on uniform inputs", share(m.RandomWrong), want, margin)
		return
	}
	r.EqualsAbsolutely(networkError, share(m.Wrong), 0, 0.01)
	if m.RandomLosses == 0 { // not trained
		return
	}
	wrong, loss := 1-rational.Float(theory.BestAccuracy(3, 1, big.NewRat(1, 2))), theory.PolynomialOptimum(3, 2, 0.5)
	if claimed == "random worse" {
		wrong, loss = 0.4, 0.75
	}
	r.AtLeast(randomAccuracy, share(m.RandomWrong).Lo, wrong, 1e-12)
	r.AtLeast(randomLoss, m.RandomLosses, loss, 1e-12)
	r.Measured("error of random features", share(m.RandomWrong), 0.3)
}

// trainOnce trains at a user's sizes.
func trainOnce(t *props.Trial, v values.Values) (map[string]float64, error) {
	size := netSizes{fair(v.Int("D"), v.Int("k"), v.Float("uniform")), v.Int("m"), 20000}
	if size.law.Dim*size.neurons > 50000 || size.law.Count > size.law.Dim {
		return nil, fmt.Errorf("the sizes D=%d, k=%d, m=%d cannot be simulated: k ≤ D, and D·m is at most 50000",
			size.law.Dim, size.law.Count, size.neurons)
	}
	m := train(t.Rand, size, "")
	n := float64(m.Tests)
	return map[string]float64{"network": 1 - float64(m.Wrong)/n, "random": 1 - float64(m.RandomWrong)/n}, nil
}
