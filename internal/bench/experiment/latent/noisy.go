package latent

import (
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// noisy is the paper's own setting.
var noisy = compared{
	About: experiment.About{Name: "latent/noisy", Title: "One gradient step against four kernels, with noise",
		Source: source + ", the experiment at d = 10 and p = 4", Cost: "3 min", Claims: []experiment.Claim{
			{ID: falls, Title: "The network falls below ½", Sentence: "With at least 10d² samples the error of Algorithm 1 " +
				"is at most ½: it has learnt more than a part of degree two.", Quantity: "mean squared error"},
			{ID: plateau, Title: "Kernels rest at ½", Sentence: "Between d² and d⁴ samples no tuned kernel has an error " +
				"below ½.", Quantity: "mean squared error"},
			networkIsBetter,
		}},
	problem: func(e props.Effort) problem {
		p := problem{Degree: 4, Noise: 1, Width: 1000, Validation: 2000, Nodes: 48, Copies: 20, MaxKernel: 2000}
		switch e {
		case props.Quick:
			p.Width, p.Validation, p.Copies, p.MaxKernel = 40, 200, 3, 100
		case props.Deep:
			p.MaxKernel = 3162
		}
		return p
	},
	sizes: map[props.Effort][]sizes{
		props.Quick:    {{10, []int{32, 100, 200}}},
		props.Standard: {{10, []int{100, 316, 1000, 2000, 10000}}},
		props.Deep:     {{10, []int{100, 316, 1000, 3162, 10000, 100000}}},
	},
	runs:    map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10},
	methods: allMethods,
	run:     problem.run,
	setup:   problem.setup,
	findings: func(p problem, all []sizes, g group) (out []experiment.Finding) {
		squares := g.Samples / (g.Dim * g.Dim)
		if squares >= 10 || g.Samples == all[0].Samples[len(all[0].Samples)-1] {
			out = append(out, g.below(falls, network, half))
		}
		if squares < 1 || g.Samples > p.MaxKernel {
			return out
		}
		for _, k := range kernelNames {
			out = append(out, g.above(plateau, k, half), g.ahead(better, k, network, k))
		}
		return out
	},
}

// half is the error of a method that has learnt the part of degree two and not the other.
const half = 0.5
