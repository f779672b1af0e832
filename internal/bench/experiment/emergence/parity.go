package emergence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// paritySpec is figure 4 of the slides.
var paritySpec = experiment.Spec[ParitySizes, ParityCell, Curve]{
	About: experiment.About{Name: "emergence/parity", Title: "Parities of hidden bits, with structure and without",
		Source: source + ", figure 1; figure 4 of the slides", Cost: "6 min", Claims: parityClaims},
	Version: 1,
	Sizes: map[props.Effort]ParitySizes{
		props.Quick:    {Dim: 12, Count: 3, Neurons: 16, Samples: 2000, Steps: 40, Batch: 50, Rate: 0.1, Tests: 500},
		props.Standard: {Dim: 100, Count: 5, Neurons: 300, Samples: 10000, Steps: 800, Batch: 200, Rate: 0.1, Tests: 2000},
		props.Deep: {Dim: 100, Count: 5, Neurons: 300, Samples: 50000, Steps: 1500, Batch: 1000, Rate: 0.05,
			Tests: 20000},
	},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10},
	Cells: func(_ props.Effort, run int, _ string) (out []ParityCell) {
		for _, inputs := range []string{structured, uniform} {
			for _, m := range methods {
				out = append(out, ParityCell{inputs, m, run})
			}
		}
		return out
	},
	Train: func(ctx context.Context, env *experiment.Env, s ParitySizes, c ParityCell) (Curve, error) {
		return c.train(ctx, streams.New(env.Seed, "experiment", "emergence/parity", c.Inputs, strconv.Itoa(c.Run)), s)
	},
	Judge: judgeParity,
}

// ParitySizes holds the sizes of the networks and of their training.
type ParitySizes struct {
	Dim     int     `json:"dim"`     // D, hidden bits
	Count   int     `json:"count"`   // k, bits that the label is the parity of
	Neurons int     `json:"neurons"` // m; with their mirrors twice as many
	Samples int     `json:"samples"` // in each of the two steps
	Steps   int     `json:"steps"`   // of Adam that follow
	Batch   int     `json:"batch"`   // fresh samples in each of them
	Rate    float64 `json:"rate"`
	Tests   int     `json:"tests"`
}

// The laws of the inputs.
const (
	structured = "structured" // with probability ½ all relevant bits are equal, else all bits are fair coins
	uniform    = "uniform"    // all bits are fair coins
)

// The methods.
const (
	network = "network"
	tangent = "neural tangent kernel"
	random  = "random features"
)

var methods = []string{network, tangent, random}

// ParityCell is one run. Runs of one number and law have the same start and the same relevant bits.
type ParityCell struct {
	Inputs string `json:"inputs"`
	Method string `json:"method"`
	Run    int    `json:"run"`
}

// String names the cell.
func (c ParityCell) String() string {
	return fmt.Sprintf("%s, %s inputs, run %d", c.Method, c.Inputs, c.Run)
}

// Point is how a predictor does on the test set.
type Point struct {
	Step     int     `json:"step"`
	Accuracy float64 `json:"accuracy"`
	Loss     float64 `json:"loss"` // hinge
}

// Curve is a training run.
type Curve struct {
	Points []Point `json:"points"`
	Sum    float64 `json:"sum,omitempty"` // accuracy of the sign of the sum of the relevant bits ±1, against a network
	Cosine float64 `json:"cosine"`        // median over neurons of |cos| with the sum of the relevant directions
}

// watched are the steps after which a run is tested: some at the start, then evenly.
func watched(s ParitySizes) map[int]bool {
	out := map[int]bool{s.Steps: true}
	for i := 1; i <= 20; i++ {
		out[max(1, s.Steps*i/20)] = true
		out[max(1, s.Steps*i/200)] = true
	}
	return out
}

// train runs the cell.
func (c ParityCell) train(ctx context.Context, r *rand.Rand, s ParitySizes) (Curve, error) {
	law, start := begin(r, s, c.Inputs == uniform)
	test := law.Draw(r, s.Tests)
	batch := law.Draw(r, s.Batch)
	fresh := func() data.Sample {
		law.DrawInto(r, batch)
		return batch
	}
	if c.Method == tangent {
		return tangentCurve(start, s, fresh, test), ctx.Err()
	}
	net := start
	if c.Method == network {
		net = twoSteps(r, start, law, s)
	}
	out := Curve{Cosine: cosine(net, law)}
	if c.Method == network && c.Inputs == structured {
		out.Sum = signOfSum(test, law.Support)
	}
	at := watched(s)
	net.Fit(truncated.Head{Steps: s.Steps, Rate: s.Rate, Watch: func(step int, net truncated.Net) {
		if at[step] {
			wrong, loss := net.Score(test)
			out.Points = append(out.Points, Point{step, 1 - float64(wrong)/float64(s.Tests), loss})
		}
	}}, fresh)
	return out, ctx.Err()
}

// begin draws the relevant bits and the network of the paper at the start, in the coordinates of the hidden bits: with
// inputs Mφ for a dictionary of orthonormal columns, only Mᵀw matters, and it has the same law.
func begin(r *rand.Rand, s ParitySizes, uniform bool) (data.Wide, truncated.Net) {
	share := 0.5
	if uniform {
		share = 1
	}
	k := float64(s.Count)
	law := data.Wide{Dim: s.Dim, Support: subset(r, s.Dim, s.Count), Accept: data.Parity(s.Count),
		Pattern: data.Uniform(s.Count, share), Background: 0.5}
	const gamma = 0.25 // E[yφ̃ᵢ] − E[y]E[φ̃ᵢ] of structured inputs
	scale := func(z float64) float64 { return z * law.Deviation() * law.Deviation() / (gamma * k * k) }
	return law, truncated.Start(r, s.Neurons, s.Dim, k, scale)
}

// twoSteps takes the two steps of the paper, each on fresh samples: both forget the weights.
func twoSteps(r *rand.Rand, net truncated.Net, law data.Wide, s ParitySizes) truncated.Net {
	step := truncated.Step{Noise: truncated.Smooth(math.Pow(float64(s.Count), -1.5)), KeepA: 1}
	for _, step.Rate = range []float64{1e-3, 1} {
		net, _ = net.Descend(law.Draw(r, s.Samples), step)
	}
	return net
}

// subset draws so many of the numbers below n, ascending.
func subset(r *rand.Rand, n, count int) (out []int) {
	for i := range n {
		if r.IntN(n-i) < count-len(out) {
			out = append(out, i)
		}
	}
	return out
}

// cosine is the median over neurons of |cos| with the sum of the relevant directions.
func cosine(net truncated.Net, law data.Wide) float64 {
	direction := mat.NewVecDense(law.Dim, nil)
	for _, j := range law.Support {
		direction.SetVec(j, 1/math.Sqrt(float64(len(law.Support))))
	}
	return medianCosine(net.W, direction)
}

// signOfSum is the accuracy of the sign of the sum of the relevant bits, each as ±1. The bits are centred fair coins.
func signOfSum(s data.Sample, support []int) float64 {
	right := 0.0
	for i, y := range s.Y {
		sum := 0.0
		for _, j := range support {
			sum += math.Copysign(1, s.X.At(i, j))
		}
		if y*sum > 0 {
			right += s.P[i]
		}
	}
	return right
}
