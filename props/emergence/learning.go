package emergence

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// learning trains small networks, and second layers on their initial neurons.
var learning = props.Spec{
	Statement: &theory.Learning,
	Checks: []props.Check{props.Grid[training, trained, trainedClaim]{
		Name:       "trained networks",
		Cells:      trainings,
		Regimes:    []string{"structured", "uniform"},
		Replicates: 1,
		Cost:       training.cost,
		Measure:    trainedBy(asStated, true),
		Claim: trainedClaim{uniform: 0.5, share: 1, loss: theory.PolynomialOptimum(3, 2, 0.5),
			right: func(k int) float64 { return rational.Float(theory.BestAccuracy(k, 1, big.NewRat(1, 2))) }},
		Judge: judgeTrained,
		Controls: []props.WrongCell[training, trained, trainedClaim]{
			{Name: "uniform inputs in place of structured ones", Assumption: "structured", Criterion: networkError,
				Measure: func(t *props.Trial, cell training) trained {
					cell.Inputs = "uniform"
					return trainedBy(asStated, false)(t, cell)
				}, On: structured},
			{Name: "one step", Assumption: "second-step", Criterion: networkError,
				Measure: trainedBy(oneStep, false), On: structured},
			{Name: "initial weights kept", Assumption: "forgetting", Criterion: networkError,
				Measure: trainedBy(keepWeights, false), On: structured},
			{Name: worse, Criterion: randomAccuracy,
				Instead: trainedClaim{right: func(int) float64 { return 0.6 }, loss: 0.75}},
			{Name: "random features have a loss above 3/4", Criterion: randomLoss, As: worse},
			{Name: "the network learns uniform inputs", Criterion: "accuracy on uniform inputs",
				Claim: func(c *trainedClaim) { c.uniform = 0 }},
			{Name: "error at most a third of the loss", Criterion: "error and loss",
				Instead: trainedClaim{share: 1. / 3}},
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

const worse = "random features are right less than 60 % of the time"

// trainedClaim holds the claimed error on uniform inputs, the largest share that an error is of the loss, and, on
// structured inputs, the smallest loss of random features and their largest accuracy.
type trainedClaim struct {
	uniform, share, loss float64
	right                func(k int) float64
}

// training describes one run: M neurons with mirrors take two steps over Sample samples each, and the second layer
// takes Fit steps of Adam.
type training struct {
	Inputs               string
	D, K, M, Sample, Fit int
	Seed                 int
}

// trainings returns runs of three settings at quick effort, and of six at higher effort.
func trainings(e props.Effort) (out []training) {
	sizes := []training{{"structured", 20, 3, 64, 8000, 600, 0}, {"structured", 60, 3, 64, 8000, 600, 0},
		{"uniform", 30, 3, 64, 8000, 600, 0}}
	if e != props.Quick {
		sizes = append(sizes, training{"structured", 30, 3, 64, 8000, 600, 0},
			training{"structured", 30, 5, 128, 8000, 1000, 0}, training{"uniform", 30, 5, 128, 8000, 1000, 0})
	}
	for seed := range (props.Scale{Quick: 1, Standard: 2, Deep: 10}).At(e) {
		for _, run := range sizes {
			run.Seed = seed
			out = append(out, run)
		}
	}
	return out
}

// cost returns the cost relative to a small run.
func (run training) cost() float64 { return float64(run.Fit*run.M) / 20000 }

// law returns the law of the inputs of a run.
func (run training) law() theory.Mixture {
	if run.Inputs == "uniform" {
		return fair(run.D, run.K, 1)
	}
	return fair(run.D, run.K, 0.5)
}

// trained counts the test inputs that a network and random features got wrong, and holds their losses.
type trained struct {
	Tests                   int
	Wrong, RandomWrong      int
	HingeLoss, RandomLosses float64
}

// testsEach is the number of test inputs for each sample of a step.
const testsEach = 3

// firstRate is η₁.
const firstRate = 1e-3

// netSizes holds the law of the inputs, and the sizes of a network and its samples.
type netSizes struct {
	law              theory.Mixture
	neurons, samples int // neurons, with as many mirrors; samples in each step
}

// fair returns the mixture with fair bits outside A.
func fair(dim, count int, uniform float64) theory.Mixture {
	return theory.Mixture{Dim: dim, Count: count, Background: 0.5, Uniform: uniform}
}

// structured selects the cells on which the controls for structured inputs are tried.
func structured(cell training) bool { return cell.Inputs == "structured" && cell.D == 20 }

// train fits second layers to a trained network and to its initial neurons.
func train(r *rand.Rand, size netSizes, steps int) trained {
	nets, fit := trainedNets(r, size, steps, asStated)
	found := trained{Tests: testsEach * size.samples}
	found.Wrong, found.HingeLoss = fit(nets[len(nets)-1])
	found.RandomWrong, found.RandomLosses = fit(nets[0])
	return found
}

// trainedBy fits a second layer after a changed course of training. If random is set, it trains by the source's course,
// and also fits the initial neurons.
func trainedBy(change func(*course), random bool) func(*props.Trial, training) trained {
	return func(t *props.Trial, run training) trained {
		size := netSizes{run.law(), run.M, run.Sample}
		if random {
			return train(t.Rand, size, run.Fit)
		}
		nets, fit := trainedNets(t.Rand, size, run.Fit, change)
		found := trained{Tests: testsEach * size.samples}
		found.Wrong, found.HingeLoss = fit(nets[len(nets)-1])
		return found
	}
}

// trainedNets returns the networks before, between and after the steps, and a function that fits a second layer and
// counts its errors.
func trainedNets(r *rand.Rand, size netSizes, steps int, change func(*course)) (nets []truncated.Net,
	fit func(truncated.Net) (wrong int, loss float64)) {
	law, nets := descendTwice(r, size, change)
	head := truncated.Head{Steps: steps, Rate: 0.3}
	batch := law.Draw(r, 250)
	fresh := func() data.Sample {
		law.DrawInto(r, batch)
		return batch
	}
	test := law.Draw(r, testsEach*size.samples)
	return nets, func(net truncated.Net) (int, float64) { return net.Fit(head, fresh).Score(test) }
}

// course holds a law, a network, and the steps that the network takes, each on a number of fresh samples.
type course struct {
	law     data.Wide
	net     truncated.Net
	step    truncated.Step
	rates   []float64
	samples int
}

// The functions below change a course; asStated keeps the source's.
func asStated(*course) {}

// keepWeights takes two small steps, because a step of 1 would swamp the kept weights.
func keepWeights(c *course) { c.step.KeepW, c.rates = 1, []float64{firstRate, firstRate} }

func oneStep(c *course) { c.rates = c.rates[:1] }

func withoutNoise(c *course) { c.step.Noise = 0 }

func withoutMirrors(c *course) {
	m, d := c.net.W.Dims()
	m /= 2
	c.net = truncated.Net{W: mat.DenseCopyOf(c.net.W.Slice(0, m, 0, d)), B: c.net.B[:m], A: c.net.A[:m]}
}

func uniformInputs(c *course) { c.law.Pattern = data.Uniform(len(c.law.Support), 1) }

// descend returns the network before, between and after the steps.
func (c course) descend(r *rand.Rand) []truncated.Net {
	nets, s := []truncated.Net{c.net}, c.law.Draw(r, c.samples)
	for i, rate := range c.rates {
		if i > 0 { // fresh samples in the same place
			c.law.DrawInto(r, s)
		}
		c.step.Rate = rate
		net, _ := nets[i].Descend(s, c.step)
		nets = append(nets, net)
	}
	return nets
}

// descendTwice draws a law and a network at the source's initial scales, changes the course, and takes its steps.
func descendTwice(r *rand.Rand, size netSizes, change func(*course)) (data.Wide, []truncated.Net) {
	m, k := size.law, float64(size.law.Count)
	law := wide(m, rational.Subset(r, m.Dim, m.Count))
	gamma := m.Covariance()
	if !(gamma > 0) { // uniform inputs or even k: the scale that the structured law would give
		gamma = 0.25
	}
	scale := func(z float64) float64 { return z * law.Deviation() * law.Deviation() / (gamma * k * k) }
	c := course{law: law, net: truncated.Start(r, size.neurons, m.Dim, k, scale),
		step:  truncated.Step{Noise: truncated.Smooth(math.Pow(k, -1.5)), KeepA: 1},
		rates: []float64{firstRate, 1}, samples: size.samples}
	change(&c)
	return c.law, c.descend(r)
}

func judgeTrained(r *props.Record, cell training, m trained, claim trainedClaim) {
	r.Regime(cell.Inputs)
	share := func(wrong int) stat.Interval { return stat.Proportion(wrong, m.Tests, stat.CriterionAlpha) }
	r.AtMost("error and loss", float64(m.Wrong)/float64(m.Tests), m.HingeLoss*claim.share, 1e-12)
	r.AtMost("error and loss", float64(m.RandomWrong)/float64(m.Tests), m.RandomLosses*claim.share, 1e-12)
	if cell.Inputs == "uniform" {
		margin := 0.03 + stat.ProportionMargin(0.5, m.Tests, stat.CriterionAlpha, stat.CriterionUndecided)
		r.EqualsAbsolutely("accuracy on uniform inputs", share(m.Wrong), claim.uniform, margin)
		r.EqualsAbsolutely("accuracy on uniform inputs", share(m.RandomWrong), claim.uniform, margin)
		return
	}
	r.EqualsAbsolutely(networkError, share(m.Wrong), 0, 0.01)
	r.AtLeast(randomAccuracy, share(m.RandomWrong).Lo, 1-claim.right(cell.K), 1e-12)
	r.AtLeast(randomLoss, m.RandomLosses, claim.loss, 1e-12)
	size := fmt.Sprintf(", D = %d, k = %d, m = %d", cell.D, cell.K, cell.M)
	r.Measured("error of random features"+size, share(m.RandomWrong), 0.3)
	asked, err := theory.Learning.Evaluate(map[string]string{"D": fmt.Sprint(cell.D), "k": fmt.Sprint(cell.K),
		"m": fmt.Sprint(cell.M), "epsilon": "0.01"})
	if err != nil {
		panic(err)
	}
	has := map[string]float64{"order-k": float64(cell.K), "order-m": float64(cell.M), "order-p": 0.5}
	for _, q := range asked {
		if x, ok := has[q.Name]; ok {
			r.MeasuredValue(strings.TrimPrefix(q.Name, "order-")+", where Theorem 1 asks for the order of "+q.Symbol+size, x,
				q.Value)
		}
	}
}

// trainOnce trains at a user's sizes.
func trainOnce(t *props.Trial, v statement.Values) (map[string]float64, error) {
	size := netSizes{fair(v.Int("D"), v.Int("k"), v.Float("uniform")), v.Int("m"), 20000}
	t.Need(size.law.Dim*size.neurons <= 50000 && size.law.Count <= size.law.Dim,
		"the sizes D=%d, k=%d, m=%d cannot be simulated: k ≤ D, and D·m is at most 50000", size.law.Dim, size.law.Count,
		size.neurons)
	m := train(t.Rand, size, 1000)
	n := float64(m.Tests)
	return map[string]float64{"network": 1 - float64(m.Wrong)/n, "random": 1 - float64(m.RandomWrong)/n}, nil
}
