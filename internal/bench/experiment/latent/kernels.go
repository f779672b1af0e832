package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// kernels compares a network with kernels in growing dimension.
var kernels = compared{
	About: experiment.About{Name: "latent/kernels", Title: "One gradient step against four kernels",
		Source: source + ", section on experiments, without noise", Cost: "3 min", Claims: kernelsClaims},
	problem: kernelsProblem,
	// ½, 1, 2 and 4 times d² samples, as far as kernel matrices of these sizes are soon factorised
	sizes: map[props.Effort][]sizes{
		props.Quick:    {{8, []int{32, 64}}, {10, []int{50, 100}}},
		props.Standard: {{20, []int{200, 400, 800, 1600}}, {30, []int{450, 900, 1800, 3600}}, {50, []int{1250, 2500}}},
		props.Deep: {{20, []int{200, 400, 800, 1600, 3200}}, {30, []int{450, 900, 1800, 3600}},
			{50, []int{1250, 2500, 5000}}},
	},
	runs:     map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10},
	methods:  allMethods,
	run:      problem.run,
	setup:    problem.setup,
	findings: againstKernels,
	cover:    network,
}

// quartic is kernels for a target of degree 4, which kernels learn from more samples still.
var quartic = compared{
	About: experiment.About{Name: "latent/quartic", Title: "One gradient step against four kernels, degree 4",
		Source: source + ", section on experiments, without noise", Cost: "3 min", Claims: kernelsClaims},
	problem: func(e props.Effort) problem {
		p := kernelsProblem(e)
		p.Degree = 4
		return p
	},
	sizes: map[props.Effort][]sizes{
		props.Quick:    {{8, []int{32, 64}}, {10, []int{50, 100}}},
		props.Standard: {{30, []int{900, 3600}}, {50, []int{2500}}},
		props.Deep:     {{30, []int{900, 3600, 5400}}, {50, []int{2500, 5000}}},
	},
	runs:     map[props.Effort]int{props.Quick: 3, props.Standard: 3, props.Deep: 10},
	methods:  allMethods,
	run:      problem.run,
	setup:    problem.setup,
	findings: againstKernels,
	cover:    network,
}

func kernelsProblem(e props.Effort) problem {
	p := problem{Degree: 3, Width: 500, Validation: 2000, Nodes: 48, Copies: 20, MaxKernel: 5000}
	if e == props.Quick {
		p.Width, p.Validation, p.Copies = 40, 200, 3
	}
	return p
}

// The claims of both experiments.
const (
	below   = "below-bound"
	above   = "kernels-above"
	better  = "better"
	falls   = "falls"
	plateau = "plateau"
)

var kernelsClaims = []experiment.Claim{
	{ID: below, Title: "The network falls below every kernel", Sentence: "From d² samples on the error of Algorithm 1 " +
		"is below what any kernel method reaches, by latent/kernelbound.", Quantity: "mean squared error"},
	{ID: above, Title: "Tuned kernels stay above", Sentence: "No tuned kernel has an error below the bound of " +
		"latent/kernelbound.", Quantity: "mean squared error"},
	networkIsBetter,
}

var networkIsBetter = experiment.Claim{ID: better, Title: "The network is better", Sentence: "From d² samples on " +
	"Algorithm 1 has a smaller error than the tuned kernel on the same data.",
	Quantity: "error of the kernel less that of the network"}

func againstKernels(p problem, _ []sizes, g group) (out []experiment.Finding) {
	bound, enough := p.bound(g.Dim, g.Samples), g.Samples >= g.Dim*g.Dim
	if enough {
		out = append(out, g.below(below, network, bound))
	}
	for _, k := range kernelNames {
		out = append(out, g.above(above, k, bound))
		if enough {
			out = append(out, g.ahead(better, k, network, k))
		}
	}
	return out
}

// targetText says what is learnt.
func (p problem) targetText() string {
	text := fmt.Sprintf("The target is ½He₂(x₁) + He_%d(x₁)/√(2·%d!), of mean square 1, at standard normal inputs. ",
		p.Degree, p.Degree)
	if p.Noise == 0 {
		return text + "Labels have no noise."
	}
	return text + fmt.Sprintf("Labels have the noise ±%g with equal chances; errors are against the target without it.",
		p.Noise)
}

// errorsText says how errors are computed.
func (p problem) errorsText() string {
	return fmt.Sprintf("Errors are by quadrature with %d nodes along x₁ and %d random completions.", p.Nodes, p.Copies)
}

// setup says what the problem is.
func (p problem) setup() []string {
	return []string{p.targetText(),
		fmt.Sprintf("Algorithm 1 has m = %d neurons: a linear part, one step that forgets the initial weights, with rows "+
			"of root mean square length 1, biases N(0, 1), and ridge regression. The kernels are ridge regression with the "+
			"neural tangent and the random-feature kernel of a ReLU network with biases, (1 + x·z/d)^%d and a Gaussian of "+
			"width √d. All penalties are chosen on %d fresh samples.", p.Width, p.Degree, p.Validation),
		p.errorsText(), overRuns}
}
