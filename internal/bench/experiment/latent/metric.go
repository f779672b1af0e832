package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// metricSpec puts the metric of the first step into kernels.
var metricSpec = experiment.Spec[Cell, Errors]{
	About: experiment.About{Name: "latent/metric", Title: "Kernels with the metric of one gradient step",
		Source: source + ", and the closing question of the companion slides", Cost: "1 min", Claims: metricClaims},
	Version: 1,
	Sizes:   func(e props.Effort) any { return kernelsProblem(e) },
	Plan:    func(e props.Effort, _ []string) []Cell { return plan(metricSizes[e], metricRuns[e]) },
	Train:   train("latent/metric", kernelsProblem, problem.runMetric),
	Judge:   judgeMetric,
}

var metricSizes = map[props.Effort][]sizes{
	props.Quick:    {{8, []int{64, 128}}},
	props.Standard: {{20, []int{400, 800}}, {30, []int{900, 1800}}},
	props.Deep:     {{20, []int{400, 800, 1600}}, {30, []int{900, 1800, 3600}}},
}

var metricRuns = map[props.Effort]int{props.Quick: 3, props.Standard: 6, props.Deep: 20}

var metricClaims = []experiment.Claim{
	{ID: below, Title: "A learned metric falls below every kernel", Sentence: "The mean squared error of a kernel with " +
		"the metric of the step is below what any kernel method with a fixed metric reaches, by latent/kernelbound.",
		Quantity: "mean squared error"},
	{ID: above, Title: "The plain kernel stays above", Sentence: "The mean squared error of the tuned neural tangent " +
		"kernel is not below the bound of latent/kernelbound.", Quantity: "mean squared error"},
	{ID: better, Title: "The metric helps the neural tangent kernel", Sentence: "On the same data the neural tangent " +
		"kernel has a smaller mean squared error with the metric of the step than without it.",
		Quantity: "error of the plain kernel less that with the metric"},
}

func judgeMetric(set experiment.Setting, runs []experiment.Run[Cell, Errors]) experiment.Judgement {
	p, all := kernelsProblem(set.Effort), metricSizes[set.Effort]
	sorted, methods := groups(all, metricRuns[set.Effort], runs), append([]string{tangent}, learnedNames...)
	out := experiment.Judgement{Setup: []string{
		fmt.Sprintf("The target is ½He₂(x₁) + He_%d(x₁)/√(2·%d!), of mean square 1, at standard normal inputs. Labels have "+
			"no noise.", p.Degree, p.Degree),
		fmt.Sprintf("W is the first step of Algorithm 1 with %d neurons, and M = WᵀW/‖W‖_F². Kernel ridge regression with "+
			"k(M^½x, M^½z), a constant coordinate 1 appended, for the neural tangent and the random-feature kernel of a "+
			"ReLU network and a Gaussian of width 1; and with the plain neural tangent kernel, √d appended. All penalties "+
			"are chosen on %d fresh samples.", p.Width, p.Validation),
		fmt.Sprintf("Errors are by quadrature with %d nodes along x₁ and %d random completions.", p.Nodes, p.Copies),
		overRuns,
	}}
	for _, g := range sorted {
		bound := p.bound(g.Dim, g.Samples)
		f := experiment.Finding{Row: g.row(), Claim: above, Column: tangent}
		out.Findings = append(out.Findings, f.AtLeast(bound, g.interval(tangent), g.Complete))
		for _, k := range learnedNames {
			f.Claim, f.Column = below, k
			out.Findings = append(out.Findings, f.AtMost(bound, g.interval(k), g.Complete))
		}
		f.Claim, f.Column = better, learnedTangent
		out.Findings = append(out.Findings, f.AtLeast(0, g.aheadOf(tangent, learnedTangent), g.Complete))
	}
	out.Cover = collapse(p, learnedTangent, all, sorted)
	out.Sections = p.sections(methods, all, sorted)
	return out
}
