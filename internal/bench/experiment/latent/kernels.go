package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
)

// kernelsSpec compares a network with kernels in growing dimension.
var kernelsSpec = experiment.Spec[Cell, Errors]{
	About: experiment.About{Name: "latent/kernels", Title: "One gradient step against four kernels",
		Source: source + ", section on experiments, without noise", Cost: "3 min", Claims: kernelsClaims},
	Version: 1,
	Sizes:   func(e props.Effort) any { return kernelsProblem(e) },
	Plan:    func(e props.Effort, _ []string) []Cell { return plan(kernelsSizes[e], kernelsRuns[e]) },
	Train:   train("latent/kernels", kernelsProblem, problem.run),
	Judge: func(set experiment.Setting, runs []experiment.Run[Cell, Errors]) experiment.Judgement {
		return judgeKernels(kernelsProblem(set.Effort), kernelsSizes[set.Effort], kernelsRuns[set.Effort], runs)
	},
}

// quarticSpec is kernelsSpec for a target of degree 4, which kernels learn from more samples still.
var quarticSpec = experiment.Spec[Cell, Errors]{
	About: experiment.About{Name: "latent/quartic", Title: "One gradient step against four kernels, degree 4",
		Source: source + ", section on experiments, without noise", Cost: "3 min", Claims: kernelsClaims},
	Version: 1,
	Sizes:   func(e props.Effort) any { return quarticProblem(e) },
	Plan:    func(e props.Effort, _ []string) []Cell { return plan(quarticSizes[e], quarticRuns[e]) },
	Train:   train("latent/quartic", quarticProblem, problem.run),
	Judge: func(set experiment.Setting, runs []experiment.Run[Cell, Errors]) experiment.Judgement {
		return judgeKernels(quarticProblem(set.Effort), quarticSizes[set.Effort], quarticRuns[set.Effort], runs)
	},
}

func quarticProblem(e props.Effort) problem {
	p := kernelsProblem(e)
	p.Degree = 4
	return p
}

var quarticSizes = map[props.Effort][]sizes{
	props.Quick:    {{8, []int{32, 64}}, {10, []int{50, 100}}},
	props.Standard: {{30, []int{900, 3600}}, {50, []int{2500}}},
	props.Deep:     {{30, []int{900, 3600, 5400}}, {50, []int{2500, 5000}}},
}

var quarticRuns = map[props.Effort]int{props.Quick: 3, props.Standard: 3, props.Deep: 10}

func kernelsProblem(e props.Effort) problem {
	p := problem{Degree: 3, Width: 500, Validation: 2000, Nodes: 48, Copies: 20, MaxKernel: 5000}
	if e == props.Quick {
		p.Width, p.Validation, p.Copies = 40, 200, 3
	}
	return p
}

// kernelsSizes are ½, 1, 2 and 4 times d² samples, as far as kernel matrices of these sizes are soon factorised.
var kernelsSizes = map[props.Effort][]sizes{
	props.Quick:    {{8, []int{32, 64}}, {10, []int{50, 100}}},
	props.Standard: {{20, []int{200, 400, 800, 1600}}, {30, []int{450, 900, 1800, 3600}}, {50, []int{1250, 2500}}},
	props.Deep: {{20, []int{200, 400, 800, 1600, 3200}}, {30, []int{450, 900, 1800, 3600}},
		{50, []int{1250, 2500, 5000}}},
}

var kernelsRuns = map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10}

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
	{ID: better, Title: "The network is better", Sentence: "From d² samples on Algorithm 1 has a smaller error than " +
		"the tuned kernel on the same data.", Quantity: "error of the kernel less that of the network"},
}

func judgeKernels(p problem, all []sizes, planned int,
	runs []experiment.Run[Cell, Errors]) experiment.Judgement {
	sorted := groups(all, planned, runs)
	out := experiment.Judgement{Setup: p.setup()}
	for _, g := range sorted {
		bound := p.bound(g.Dim, g.Samples)
		f := experiment.Finding{Row: g.row()}
		if g.Samples >= g.Dim*g.Dim {
			f.Claim, f.Column = below, network
			out.Findings = append(out.Findings, f.AtMost(bound, g.interval(network), g.Complete))
		}
		for _, k := range kernelNames {
			f.Claim, f.Column = above, k
			out.Findings = append(out.Findings, f.AtLeast(bound, g.interval(k), g.Complete))
			if g.Samples >= g.Dim*g.Dim {
				f.Claim = better
				out.Findings = append(out.Findings, f.AtLeast(0, g.ahead(k), g.Complete))
			}
		}
	}
	out.Cover = collapse(p, network, all, sorted)
	out.Sections = p.sections(allMethods, all, sorted)
	return out
}

// sections are the table of the errors beside the bound, and a figure for each dimension.
func (p problem) sections(methods []string, all []sizes, sorted []group) []experiment.Section {
	out := []experiment.Section{{Title: "Mean squared errors", Table: table(methods, sorted, func(c Cell) string {
		return fmt.Sprintf("%.3f", p.bound(c.Dim, c.Samples))
	})}}
	for _, s := range all {
		out = append(out, experiment.Section{Title: fmt.Sprintf("d = %d", s.Dim),
			Figures: []figure.Figure{byMethod(p, methods, s, sorted)}})
	}
	return out
}

// setup says what the problem is.
func (p problem) setup() []string {
	noise := "Labels have no noise."
	if p.Noise > 0 {
		noise = fmt.Sprintf("Labels have the noise ±%g with equal chances; errors are against the target without it.",
			p.Noise)
	}
	return []string{
		fmt.Sprintf("The target is ½He₂(x₁) + He_%d(x₁)/√(2·%d!), of mean square 1, at standard normal inputs. %s",
			p.Degree, p.Degree, noise),
		fmt.Sprintf("Algorithm 1 has m = %d neurons: a linear part, one step that forgets the initial weights, with "+
			"rows of root mean square length 1, biases N(0, 1), and ridge regression. The kernels are ridge "+
			"regression "+
			"with the neural tangent and the random-feature kernel of a ReLU network with biases, (1 + x·z/d)^%d and "+
			"a "+
			"Gaussian of width √d. All penalties are chosen on %d fresh samples.", p.Width, p.Degree, p.Validation),
		fmt.Sprintf("Errors are by quadrature with %d nodes along x₁ and %d random completions.", p.Nodes, p.Copies),
		overRuns,
	}
}

// collapse draws a method's error and the bound over n/d².
func collapse(p problem, method string, all []sizes, sorted []group) *figure.Figure {
	f := &figure.Figure{ID: "collapse", Title: "Error and the bound below every kernel: " + method,
		Caption: "Mean squared error of " + method + " over n/d², mean and interval over runs; dashed, what no kernel " +
			"method falls below at the same d and n.",
		X: figure.Axis{Label: "n/d²", Log: true}, Y: figure.Axis{Label: "mean squared error"}}
	unit := func(c Cell) float64 { return float64(c.Samples) / float64(c.Dim*c.Dim) }
	for _, s := range all {
		f.Curves = append(f.Curves, curve(fmt.Sprintf("d = %d", s.Dim), method, within(sorted, s.Dim), unit))
	}
	for _, s := range all {
		dashed := figure.Curve{Name: fmt.Sprintf("no kernel below, d = %d", s.Dim), Style: figure.Dashed}
		for _, n := range s.Samples {
			c := Cell{Dim: s.Dim, Samples: n}
			dashed.X, dashed.Y = append(dashed.X, unit(c)), append(dashed.Y, p.bound(s.Dim, n))
		}
		f.Curves = append(f.Curves, dashed)
	}
	return f
}

// within are the groups of one dimension.
func within(sorted []group, d int) (out []group) {
	for _, g := range sorted {
		if g.Dim == d {
			out = append(out, g)
		}
	}
	return out
}

// byMethod draws the errors of methods in one dimension.
func byMethod(p problem, methods []string, s sizes, sorted []group) figure.Figure {
	f := figure.Figure{ID: fmt.Sprintf("errors-%d", s.Dim), Title: fmt.Sprintf("Errors in d = %d", s.Dim),
		Caption: fmt.Sprintf("Mean squared errors in d = %d over the number of samples, mean and interval over runs; "+
			"dashed, what no kernel method falls below without noise.", s.Dim),
		X: figure.Axis{Label: "samples n", Log: true}, Y: figure.Axis{Label: "mean squared error"}}
	unit := func(c Cell) float64 { return float64(c.Samples) }
	for _, m := range methods {
		f.Curves = append(f.Curves, curve(m, m, within(sorted, s.Dim), unit))
	}
	dashed := figure.Curve{Name: "no kernel below", Style: figure.Dashed}
	for _, n := range s.Samples {
		dashed.X, dashed.Y = append(dashed.X, float64(n)), append(dashed.Y, p.bound(s.Dim, n))
	}
	f.Curves = append(f.Curves, dashed)
	return f
}
