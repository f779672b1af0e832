package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// noisySpec is the paper's own setting.
var noisySpec = experiment.Spec[Cell, Errors]{
	About: experiment.About{Name: "latent/noisy", Title: "One gradient step against four kernels, with noise",
		Source: source + ", the experiment at d = 10 and p = 4", Cost: "3 min", Claims: noisyClaims},
	Version: 1,
	Sizes:   func(e props.Effort) any { return noisyProblem(e) },
	Plan:    func(e props.Effort, _ []string) []Cell { return plan(noisySizes[e], noisyRuns[e]) },
	Train:   train("latent/noisy", noisyProblem, problem.run),
	Judge:   judgeNoisy,
}

func noisyProblem(e props.Effort) problem {
	p := problem{Degree: 4, Noise: 1, Width: 1000, Validation: 2000, Nodes: 48, Copies: 20, MaxKernel: 2000}
	if e == props.Quick {
		p.Width, p.Validation, p.Copies, p.MaxKernel = 40, 200, 3, 100
	}
	if e == props.Deep {
		p.MaxKernel = 3162
	}
	return p
}

var noisySizes = map[props.Effort][]sizes{
	props.Quick:    {{10, []int{32, 100, 200}}},
	props.Standard: {{10, []int{100, 316, 1000, 2000, 10000}}},
	props.Deep:     {{10, []int{100, 316, 1000, 3162, 10000, 100000}}},
}

var noisyRuns = map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10}

// half is the error of a method that has learnt the part of degree two and not the other.
const half = 0.5

var noisyClaims = []experiment.Claim{
	{ID: falls, Title: "The network falls below ½", Sentence: "With at least 10d² samples the error of Algorithm 1 is " +
		"at most ½: it has learnt more than a part of degree two.", Quantity: "mean squared error"},
	{ID: plateau, Title: "Kernels rest at ½", Sentence: "Between d² and d⁴ samples no tuned kernel has an error below " +
		"½.",
		Quantity: "mean squared error"},
	{ID: better, Title: "The network is better", Sentence: "From d² samples on Algorithm 1 has a smaller error than " +
		"the tuned kernel on the same data.", Quantity: "error of the kernel less that of the network"},
}

func judgeNoisy(set experiment.Setting, runs []experiment.Run[Cell, Errors]) experiment.Judgement {
	p, all := noisyProblem(set.Effort), noisySizes[set.Effort]
	sorted := groups(all, noisyRuns[set.Effort], runs)
	out := experiment.Judgement{Setup: p.setup()}
	for _, g := range sorted {
		squares := g.Samples / (g.Dim * g.Dim)
		f := experiment.Finding{Row: g.row()}
		if squares >= 10 || g.Samples == all[0].Samples[len(all[0].Samples)-1] {
			f.Claim, f.Column = falls, network
			out.Findings = append(out.Findings, f.AtMost(half, g.interval(network), g.Complete))
		}
		if squares < 1 || g.Samples > p.MaxKernel {
			continue
		}
		for _, k := range kernelNames {
			f.Claim, f.Column = plateau, k
			out.Findings = append(out.Findings, f.AtLeast(half, g.interval(k), g.Complete))
			f.Claim = better
			out.Findings = append(out.Findings, f.AtLeast(0, g.ahead(k), g.Complete))
		}
	}
	cover := byMethod(p, allMethods, all[0], sorted)
	out.Cover = &cover
	out.Sections = []experiment.Section{{Title: "Mean squared errors", Text: "The bound is without noise.",
		Table: table(allMethods, sorted, func(c Cell) string { return fmt.Sprintf("%.3f", p.bound(c.Dim, c.Samples)) })}}
	return out
}
