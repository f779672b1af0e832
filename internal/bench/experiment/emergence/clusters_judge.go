package emergence

import (
	"fmt"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// The claims about zeros and ones.
const (
	scattered = "scattered"
	lines     = "line"
	sides     = "sides"
	classMean = "class-means"
	dies      = "noise"
	beats     = "better"
)

var clustersClaims = []experiment.Claim{
	{ID: scattered, Title: "Neurons begin scattered", Sentence: "Before training the mean |cos| of pairs of neurons " +
		"is at most 0.1.", Quantity: "mean |cos| of pairs"},
	{ID: lines, Title: "They end on a line", Sentence: "After the second step the mean |cos| of pairs of neurons is " +
		"at least 0.99.", Quantity: "mean |cos| of pairs"},
	{ID: sides, Title: "In two clusters", Sentence: "After the second step every neuron lies on the side of the sign " +
		"of its output weight.", Quantity: "share of neurons"},
	{ID: classMean, Title: "The line is that of the class means", Sentence: "After the second step the median neuron " +
		"has a cosine of at least 0.99 with E[yx], which one pass over the data finds without a network.",
		Quantity: "median |cos|"},
	{ID: dies, Title: "Without noise neurons die", Sentence: "Without injected noise at least a quarter of the " +
		"neurons have no gradient in the second step.", Quantity: "share of neurons"},
	{ID: beats, Title: "The network is better than class means", Sentence: "After further steps the test accuracy is " +
		"at least that of the nearer class mean.", Quantity: "difference of the accuracies", Points: true},
}

func judgeClusters(set experiment.Setting, s ClustersSizes,
	runs []experiment.Run[ClustersCell, Clusters]) experiment.Judgement {
	out := experiment.Judgement{Setup: []string{fmt.Sprintf("All zeros (−1) and ones (+1), pixels in [0, 1] less the "+
		"mean of the training pictures, scaled to mean squared length 1. m = %d neurons and their mirrors start at the "+
		"paper's scales for k = 5 with output weights N(0, 1), take the two steps that forget the weights, η = 10⁻² and "+
		"1 with noise k^(−3/2), and then %d plain steps of gradient descent on all parameters, η = 0.5. Gradients are "+
		"those of all training pictures.", s.Neurons, s.Steps),
		"All runs are on the same pictures and differ in the start of the network: what other pictures would give is " +
			"not in the intervals." + overRuns}}
	for _, d := range set.Datasets {
		of := experiment.Among(runs, func(c ClustersCell) bool { return c.Dataset == d })
		complete := len(of) >= set.Runs
		f := func(id string) experiment.Finding { return experiment.Finding{Claim: id, Row: experiment.Title(d)} }
		mean := func(q func(Clusters) float64) stat.Interval { return experiment.Mean(of, q) }
		out.Findings = append(out.Findings,
			f(scattered).AtMost(0.1, mean(func(c Clusters) float64 { return c.Pairs[0] }), complete),
			f(lines).AtLeast(0.99, mean(func(c Clusters) float64 { return c.Pairs[2] }), complete),
			f(sides).AtLeast(1, mean(func(c Clusters) float64 { return c.Sides }), complete),
			f(classMean).AtLeast(0.99, mean(func(c Clusters) float64 { return c.Mean[2] }), complete),
			f(dies).AtLeast(0.25, mean(func(c Clusters) float64 { return c.Dead }), complete),
			f(beats).AtLeast(0, mean(func(c Clusters) float64 { return c.end() - c.Nearest }), complete))
		if len(of) > 0 {
			out.Sections = append(out.Sections, planes(d, of[0]), clustersTable(d, of))
			if out.Cover.ID == "" && len(of[0].Planes) > 0 {
				out.Cover = plane(d, 2, of[0].Planes[2])
			}
		}
	}
	return out
}

// end is the accuracy after the last step.
func (c Clusters) end() float64 { return c.Accuracy[len(c.Accuracy)-1] }

var when = []string{"before training", "after the first step", "after the second step"}

// planes are the pictures of the first run.
func planes(dataset string, c Clusters) experiment.Section {
	s := experiment.Section{Title: "Neurons of the first run on " + experiment.Title(dataset)}
	for i, p := range c.Planes {
		s.Figures = append(s.Figures, plane(dataset, i, p))
	}
	return s
}

func plane(dataset string, i int, p Plane) figure.Figure {
	positive := figure.Curve{Name: "a > 0", Style: figure.Points}
	negative := figure.Curve{Name: "a < 0", Style: figure.Points}
	for j, sign := range p.Sign {
		side := &positive
		if sign < 0 {
			side = &negative
		}
		side.Add(p.X[j], p.Y[j])
	}
	return figure.Figure{ID: fmt.Sprintf("plane-%s-%d", dataset, i),
		Title: experiment.Title(dataset) + ": neurons " + when[i],
		Caption: "Neurons " + when[i] + ", by classical scaling of the dissimilarities 1 − cos. Two clusters are one " +
			"line, in its two directions.",
		X: figure.Axis{Label: "first coordinate"}, Y: figure.Axis{Label: "second coordinate"},
		Curves: []figure.Curve{positive, negative}}
}

// clustersTable lists the runs.
func clustersTable(dataset string, runs []Clusters) experiment.Section {
	t := &experiment.Table{Columns: []string{"", "mean |cos| of pairs: start, step 1, step 2",
		"median |cos| with E[yx]", "dead without noise", "accuracy after step 2", "at the end", "nearer class mean"}}
	three := func(x []float64) string { return fmt.Sprintf("%.3f, %.4f, %.5f", x[0], x[1], x[2]) }
	for i, c := range runs {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("run %d", i+1), three(c.Pairs), three(c.Mean),
			fmt.Sprintf("%.2f", c.Dead), fmt.Sprintf("%.4f", c.Accuracy[0]), fmt.Sprintf("%.4f", c.end()),
			fmt.Sprintf("%.4f", c.Nearest)})
	}
	return experiment.Section{Title: "All runs on " + experiment.Title(dataset), Table: t}
}
