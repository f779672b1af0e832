package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// metric puts the metric of the first step into kernels.
var metric = compared{
	About: experiment.About{Name: "latent/metric", Title: "Kernels with the metric of one gradient step",
		Source: source + ", and the closing question of the companion slides", Cost: "1 min", Claims: []experiment.Claim{
			{ID: below, Title: "A learned metric falls below every kernel", Sentence: "The mean squared error of a kernel " +
				"with the metric of the step is below what any kernel method with a fixed metric reaches, by " +
				"latent/kernelbound.", Quantity: "mean squared error"},
			{ID: above, Title: "The plain kernel stays above", Sentence: "The mean squared error of the tuned neural " +
				"tangent kernel is not below the bound of latent/kernelbound.", Quantity: "mean squared error"},
			{ID: better, Title: "The metric helps the neural tangent kernel", Sentence: "On the same data the neural " +
				"tangent kernel has a smaller mean squared error with the metric of the step than without it.",
				Quantity: "error of the plain kernel less that with the metric"},
		}},
	problem: kernelsProblem,
	sizes: map[props.Effort][]sizes{
		props.Quick:    {{8, []int{64, 128}}},
		props.Standard: {{20, []int{400, 800}}, {30, []int{900, 1800}}},
		props.Deep:     {{20, []int{400, 800, 1600}}, {30, []int{900, 1800, 3600}}},
	},
	runs:    map[props.Effort]int{props.Quick: 3, props.Standard: 6, props.Deep: 20},
	methods: append([]string{tangent}, learnedNames...),
	run:     problem.runMetric,
	setup: func(p problem) []string {
		return []string{p.targetText(),
			fmt.Sprintf("W is the first step of Algorithm 1 with %d neurons, and M = WᵀW/‖W‖_F². Kernel ridge regression "+
				"with k(M^½x, M^½z), a constant coordinate 1 appended, for the neural tangent and the random-feature kernel "+
				"of a ReLU network and a Gaussian of width 1; and with the plain neural tangent kernel, √d appended. All "+
				"penalties are chosen on %d fresh samples.", p.Width, p.Validation),
			p.errorsText(), overRuns}
	},
	findings: func(p problem, _ []sizes, g group) []experiment.Finding {
		bound := p.bound(g.Dim, g.Samples)
		out := []experiment.Finding{g.above(above, tangent, bound)}
		for _, k := range learnedNames {
			out = append(out, g.below(below, k, bound))
		}
		return append(out, g.ahead(better, learnedTangent, learnedTangent, tangent))
	},
	cover: learnedTangent,
}
