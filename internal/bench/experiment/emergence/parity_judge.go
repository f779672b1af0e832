package emergence

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props/figure"
)

// The claims about parities.
const (
	learns    = "learns"
	aligned   = "aligned"
	plateau   = "plateau"
	stuck     = "fixed-accuracy"
	stuckLoss = "fixed-loss"
	guessing  = "guessing"
)

// threshold is the accuracy of the best threshold on the count of ones among the five relevant bits, 27/32, and of a
// sign of their sum; uniformShare is the least hinge loss of polynomials of a lower degree than five, the weight of the
// uniform half of the structured law.
const (
	threshold    = 27. / 32
	uniformShare = 0.5
)

var parityClaims = []experiment.Claim{
	{ID: learns, Title: "The network learns", Sentence: "On structured inputs the network ends above 99 % test " +
		"accuracy.",
		Quantity: "test accuracy at the end"},
	{ID: aligned, Title: "Its features emerge", Sentence: "After two steps the median neuron has a cosine above 0.99 " +
		"with the sum of the relevant directions.", Quantity: "median |cos|"},
	{ID: plateau, Title: "It rests at 27/32", Sentence: "A tenth of the way the network is no more accurate than the " +
		"sign of the sum of the relevant bits ±1 on the same tests, which is right with probability 27/32 = 0.844.",
		Quantity: "accuracy of the network less that of the sign", Points: true},
	{ID: stuck, Title: "Fixed features rest there", Sentence: "On structured inputs fixed features end no more " +
		"accurate than the best threshold on the number of ones, 27/32 = 0.844.", Quantity: "test accuracy at the end"},
	{ID: stuckLoss, Title: "Fixed features keep a loss of ½", Sentence: "On structured inputs fixed features keep a " +
		"hinge loss of at least ½, the least of polynomials of a degree below five.", Quantity: "test hinge loss at " +
		"the end"},
	{ID: guessing, Title: "Without structure all guess", Sentence: "On uniform inputs no method ends above 53 % test " +
		"accuracy.", Quantity: "test accuracy at the end"},
}

func judgeParity(set experiment.Setting, s ParitySizes, runs []experiment.Run[ParityCell, Curve]) experiment.Judgement {
	of := func(inputs, method string) []Curve {
		return experiment.Among(runs, func(c ParityCell) bool { return c.Inputs == inputs && c.Method == method })
	}
	complete := func(curves []Curve) bool { return len(curves) >= set.Runs }
	rounding := 0.5 / float64(s.Tests) // accuracies on these tests that differ do so by twice that
	trained := of(structured, network)
	out := experiment.Judgement{Setup: paritySetup(s), Findings: []experiment.Finding{
		experiment.Finding{Claim: learns, Column: network}.AtLeast(0.99, experiment.Mean(trained, Curve.accuracy),
			complete(trained)),
		experiment.Finding{Claim: aligned, Column: network}.AtLeast(0.99,
			experiment.Mean(trained, func(c Curve) float64 { return c.Cosine }), complete(trained)),
		experiment.Finding{Claim: plateau, Column: network}.AtMost(rounding,
			experiment.Mean(trained, func(c Curve) float64 { return c.early(s) - c.Sum }), complete(trained))}}
	for _, m := range methods[1:] {
		fixed := of(structured, m)
		out.Findings = append(out.Findings,
			experiment.Finding{Claim: stuck, Column: m}.AtMost(threshold, experiment.Mean(fixed, Curve.accuracy),
				complete(fixed)),
			experiment.Finding{Claim: stuckLoss, Column: m}.AtLeast(uniformShare, experiment.Mean(fixed, Curve.loss),
				complete(fixed)))
	}
	for _, m := range methods {
		curves := of(uniform, m)
		out.Findings = append(out.Findings, experiment.Finding{Claim: guessing, Column: m}.AtMost(0.53,
			experiment.Mean(curves, Curve.accuracy), complete(curves)))
	}
	out.Cover = trainingCurves(s, structured, of)
	out.Sections = []experiment.Section{
		{Title: "Without structure", Figures: []figure.Figure{trainingCurves(s, uniform, of)}},
		{Title: "Accuracy against hinge loss", Text: "Fixed features can be right four times of five and keep a loss " +
			"of ½: the claim that they cannot learn is one about the loss.", Figures: []figure.Figure{against(of)},
			Table: ends(of)}}
	return out
}

// accuracy and loss return the values at the end.
func (c Curve) accuracy() float64 { return c.last().Accuracy }
func (c Curve) loss() float64     { return c.last().Loss }

// last is the end of a curve.
func (c Curve) last() Point { return c.Points[len(c.Points)-1] }

// early is the accuracy after a tenth of the steps.
func (c Curve) early(s ParitySizes) float64 {
	i := slices.IndexFunc(c.Points, func(p Point) bool { return p.Step >= s.Steps/10 })
	return c.Points[i].Accuracy
}

func paritySetup(s ParitySizes) []string {
	return []string{
		fmt.Sprintf("D = %d hidden bits; the label is the parity of k = %d of them, drawn at random. Structured inputs have "+
			"all relevant bits equal with probability ½ and are fair coins otherwise, so that γ = ¼; uniform ones are fair "+
			"coins. Inputs are Mφ with orthonormal columns of M; everything is computed in the %d coordinates Mᵀw, where d "+
			"does not enter.", s.Dim, s.Count, s.Dim),
		fmt.Sprintf("The network has m = %d neurons and their mirrors, with the paper's start. It takes the paper's two "+
			"steps that forget the weights, η = 10⁻³ and 1, on %d fresh samples each; then its second layer is trained on "+
			"the hinge loss. Random features are the neurons of the start with a trained second layer. The tangent kernel is "+
			"the network to first order in all parameters.", s.Neurons, s.Samples),
		fmt.Sprintf("Training is %d steps of Adam at rate %g, for the tangent kernel at %g, on %d fresh samples each; "+
			"testing is on %d samples. The paper's main text states no learning rates and no number of steps; it "+
			"trains all parameters by gradient descent, which rests at 27/32 longer.", s.Steps, s.Rate, tangentRate*s.Rate,
			s.Batch, s.Tests),
		"A run draws the relevant bits, the start of the network and all samples, none of which is trained on twice; " +
			"runs of one number and law have the same bits and start for all methods." + overRuns,
	}
}

// trainingCurves draws accuracy over steps for all methods.
func trainingCurves(s ParitySizes, inputs string, of func(inputs, method string) []Curve) figure.Figure {
	f := figure.Figure{ID: "curves-" + inputs, Title: "Test accuracy on " + inputs + " inputs",
		Caption: fmt.Sprintf("Test accuracy on %s inputs over the steps of training, mean and range of the runs. Dashed: "+
			"27/32, the best threshold on the number of ones under the structured law.", inputs),
		X: figure.Axis{Label: "step"}, Y: figure.Axis{Label: "test accuracy"}}
	for _, m := range methods {
		if curves := of(inputs, m); len(curves) > 0 {
			steps := experiment.Each(curves[0].Points, func(p Point) float64 { return float64(p.Step) })
			f.Curves = append(f.Curves, experiment.MeanAndRange(m, steps, curves, func(c Curve, i int) float64 {
				return c.Points[i].Accuracy
			})...)
		}
	}
	f.Curves = append(f.Curves, figure.Curve{Name: "27/32", Style: figure.Dashed, X: []float64{0, float64(s.Steps)},
		Y: []float64{threshold, threshold}})
	return f
}

// against draws accuracy over hinge loss, a point for every test of every run.
func against(of func(inputs, method string) []Curve) figure.Figure {
	f := figure.Figure{ID: "against", Title: "Accuracy against hinge loss",
		Caption: "Test accuracy over test hinge loss on structured inputs, a point for every test in every run.",
		X:       figure.Axis{Label: "hinge loss"}, Y: figure.Axis{Label: "test accuracy"}}
	for _, m := range methods {
		var tests []Point
		for _, c := range of(structured, m) {
			tests = append(tests, c.Points...)
		}
		f.Curves = append(f.Curves, experiment.Scatter(m, tests, func(p Point) float64 { return p.Loss },
			func(p Point) float64 { return p.Accuracy }))
	}
	return f
}

// ends lists the last tests.
func ends(of func(inputs, method string) []Curve) *experiment.Table {
	t := &experiment.Table{Columns: []string{"", "inputs", "test accuracy", "hinge loss", "median |cos|"}}
	for _, inputs := range []string{structured, uniform} {
		for _, m := range methods {
			for i, c := range of(inputs, m) {
				cosine := ""
				if m != tangent {
					cosine = fmt.Sprintf("%.4f", c.Cosine)
				}
				t.Rows = append(t.Rows, []string{fmt.Sprintf("%s, run %d", m, i+1), inputs,
					fmt.Sprintf("%.4f", c.accuracy()), fmt.Sprintf("%.4f", c.loss()), cosine})
			}
		}
	}
	return t
}
