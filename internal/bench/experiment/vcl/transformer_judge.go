package vcl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// The claims about transformers.
const (
	Learns      = "learns"
	LikeSGD     = "like-sgd"
	LikeAdam    = "like-adam"
	PairsFaster = "pairs"
	LikeOnGrid  = "grid"
)

var transformerClaims = []experiment.Claim{
	{ID: Learns, Title: "It learns", Sentence: "With the rule the transformer ends above 99 % test accuracy.",
		Quantity: "test accuracy at the end"},
	{ID: LikeSGD, Title: "As fast as SGD", Sentence: "At its best step size, the rule's test loss averaged over " +
		"training is at most SGD's.", Quantity: "difference of the average losses, as shares of the loss of guessing"},
	{ID: LikeAdam, Title: "As fast as Adam", Sentence: "At its best step size, the rule's test loss averaged over " +
		"training is at most Adam's.", Quantity: "difference of the average losses, as shares of the loss of guessing"},
	{ID: PairsFaster, Title: "Pairs are faster", Sentence: "Whitening is faster where attention takes SGD's step, " +
		"which is the whitened step of queries and keys as a pair, than where it whitens each alone.",
		Quantity: "average loss with SGD for attention minus that of whitening all, as shares of the loss of guessing"},
	{ID: LikeOnGrid, Title: "Robust over step sizes", Sentence: "Averaged over training and over the grid of step " +
		"sizes, the rule's test loss is at most SGD's.",
		Quantity: "difference of the average losses, as shares of the loss of guessing"},
}

// ruleRuns are the runs of a rule on a task.
type ruleRuns struct {
	rule   Rule
	gammas []float64
	best   int                // of the step sizes, by the average loss of the runs for tuning
	judged [][]TransformerRun // the others, for each step size
}

// newRuleRuns chooses the step size by the runs that are for it.
func newRuleRuns(e props.Effort, task string, rule Rule,
	runs []experiment.Run[TransformerCell, TransformerRun]) ruleRuns {
	out := ruleRuns{rule: rule, gammas: transformerGammas(e, rule)}
	var tuned []float64
	for _, gamma := range out.gammas {
		among := func(choose bool) []TransformerRun {
			return experiment.Among(runs, func(c TransformerCell) bool {
				return c == TransformerCell{task, rule, gamma, c.Seed} && c.Seed < choosing[e] == choose
			})
		}
		sum := 0.0
		for _, r := range among(true) {
			sum += r.mean()
		}
		tuned, out.judged = append(tuned, sum), append(out.judged, among(false))
	}
	out.best = slices.Index(tuned, slices.Min(tuned))
	return out
}

// chosen are the judged runs at the chosen step size.
func (r ruleRuns) chosen() []TransformerRun { return r.judged[r.best] }

// overGrid are the average losses over all step sizes, by run; only of runs that there are at all of them.
func (r ruleRuns) overGrid() (out []float64) {
	for i := range slices.MinFunc(r.judged, func(a, b []TransformerRun) int { return len(a) - len(b) }) {
		sum := 0.0
		for _, runs := range r.judged {
			sum += runs[i].mean()
		}
		out = append(out, sum/float64(len(r.judged)))
	}
	return out
}

func judgeTransformer(set experiment.Setting, s TransformerSizes,
	runs []experiment.Run[TransformerCell, TransformerRun]) experiment.Judgement {
	out := experiment.Judgement{Setup: transformerSetup(set.Effort, s)}
	table := &experiment.Table{Columns: []string{"", "rule", "step size", "average loss", "range", "end above 99 %",
		"average loss at the smallest step size", "broke down, of all judged runs"}}
	loss := experiment.Section{Title: "Step sizes", Text: "Averages over training and over the judged runs; those that " +
		"broke down count as guessing from there on.", Table: table}
	for _, task := range transformerTasks {
		rules := list.Map(transformerRules, func(r Rule) ruleRuns { return newRuleRuns(set.Effort, task, r, runs) })
		out.Findings = append(out.Findings, judgeTask(task, rules, set.Runs-choosing[set.Effort])...)
		f := learningCurves(task, rules)
		if task == copying {
			out.Cover = f
		} else {
			out.Sections = append(out.Sections, experiment.Section{Title: "Modular " + task, Figures: []figure.Figure{f}})
		}
		loss.Figures = append(loss.Figures, overRates(task, rules))
		for _, r := range rules {
			table.Rows = append(table.Rows, r.row(task)...)
		}
	}
	out.Sections = append(out.Sections, loss)
	return out
}

// judgeTask returns the findings on a task, with so many runs planned.
func judgeTask(task string, rules []ruleRuns, planned int) (out []experiment.Finding) {
	means := func(r Rule) []float64 {
		i := slices.IndexFunc(rules, func(of ruleRuns) bool { return of.rule == r })
		return experiment.Each(rules[i].chosen(), TransformerRun.mean)
	}
	for _, r := range rules {
		f := experiment.Finding{Row: task, Column: r.rule.Title(), Slack: Margin, Note: "γ = " +
			draw.Number(r.gammas[r.best])}
		atMost := func(claim string, a, b []float64) {
			f.Claim = claim
			n := min(len(a), len(b))
			out = append(out, f.AtMost(0, stat.Paired(a[:n], b[:n], experiment.Alpha), n >= planned))
		}
		f.Claim = Learns
		accuracy := experiment.Mean(r.chosen(), func(run TransformerRun) float64 { return run.Accuracy })
		out = append(out, f.AtLeast(0.99, accuracy, len(r.chosen()) >= planned))
		if r.rule != SGD {
			atMost(LikeSGD, means(r.rule), means(SGD))
		}
		if r.rule != Adam {
			atMost(LikeAdam, means(r.rule), means(Adam))
		}
		if r.rule == Pairs {
			atMost(PairsFaster, means(Pairs), means(Whitening))
		}
		if f.Note = ""; r.rule != SGD && r.rule != Adam { // whose grid has another unit
			atMost(LikeOnGrid, r.overGrid(), rules[0].overGrid())
		}
	}
	return out
}

// learningCurves draws the test loss over training at the chosen step sizes.
func learningCurves(task string, rules []ruleRuns) figure.Figure {
	f := figure.Figure{ID: "learning-" + task, Title: "Test loss, " + task,
		X: figure.Axis{Label: "share of training"}, Y: figure.Axis{Label: "test loss, share of guessing"}}
	at := list.Map(experiment.Numbers(looks+1), func(i float64) float64 { return i / looks })
	var chosen []string
	judged := len(rules[0].chosen())
	for _, r := range rules {
		curves := experiment.MeanAndRange(r.rule.Title(), at, r.chosen(),
			func(run TransformerRun, i int) float64 { return run.Losses[i] })
		f.Curves = append(f.Curves, curves[:min(1, len(curves))]...) // ranges with a run that broke down hide the rest
		chosen = append(chosen, draw.Number(r.gammas[r.best])+" for "+r.rule.Title())
	}
	f.Caption = fmt.Sprintf("Test loss on the task of %s as a share of that of guessing, over training: mean of "+
		"the runs, at the step size that other runs chose: γ = %s. One of %d runs that breaks down lifts the mean to "+
		"%.2f.", task, strings.Join(chosen, "; "),
		judged, 1/float64(max(1, judged)))
	return f
}

// overRates draws the average loss over step sizes.
func overRates(task string, rules []ruleRuns) figure.Figure {
	f := figure.Figure{ID: "rates-" + task, Title: "Step sizes, " + task,
		Caption: fmt.Sprintf("Test loss on the task of %s, averaged over training, as a share of that of guessing, over the "+
			"step sizes of each rule: mean and range of the runs. The grid of Adam lies elsewhere.", task),
		X: figure.Axis{Label: "step size γ", Log: true}, Y: figure.Axis{Label: "average test loss, share of guessing"}}
	for _, r := range rules {
		if len(slices.MinFunc(r.judged, func(a, b []TransformerRun) int { return len(a) - len(b) })) == 0 {
			continue
		}
		line := figure.Curve{Name: r.rule.Title(), Style: figure.Line, X: r.gammas}
		points := figure.Curve{Name: line.Name, Style: figure.Points, X: r.gammas}
		for _, runs := range r.judged {
			mean, lo, hi := experiment.Spread(runs, TransformerRun.mean)
			line.Y, points.Y = append(line.Y, mean), append(points.Y, mean)
			points.Lo, points.Hi = append(points.Lo, lo), append(points.Hi, hi)
		}
		f.Curves = append(f.Curves, line, points)
	}
	return f
}

// row sums the judged runs up; none of no runs.
func (r ruleRuns) row(task string) [][]string {
	runs := r.chosen()
	if len(runs) == 0 || len(r.judged[0]) == 0 {
		return nil
	}
	mean, lo, hi := experiment.Spread(runs, TransformerRun.mean)
	small, _, _ := experiment.Spread(r.judged[0], TransformerRun.mean)
	stopped, all := 0, 0
	good := len(list.Where(runs, func(run TransformerRun) bool { return run.Accuracy > 0.99 }))
	for _, at := range r.judged {
		all += len(at)
		stopped += len(list.Where(at, func(run TransformerRun) bool { return run.Accuracy == 0 }))
	}
	return [][]string{{task, r.rule.Title(), draw.Number(r.gammas[r.best]), fmt.Sprintf("%.3f", mean),
		fmt.Sprintf("%.3f … %.3f", lo, hi), fmt.Sprintf("%d of %d", good, len(runs)),
		fmt.Sprintf("%.3f", small), fmt.Sprintf("%d of %d", stopped, all)}}
}

// transformerSetup says in sentences what was run.
func transformerSetup(e props.Effort, s TransformerSizes) []string {
	grid := func(r Rule) string { return strings.Join(list.Map(transformerGammas(e, r), draw.Number), ", ") }
	return []string{
		fmt.Sprintf("Copying: %d tokens, drawn evenly from %d words, are to be given back in reverse order; %d steps. "+
			"Addition: each of %d tokens and the next one, around the end, are to be added modulo %d; %d steps. Every batch "+
			"is %d fresh sequences, and the tests are %d others.", s.Copying.Length, s.Copying.Words, s.Copying.Steps,
			s.Addition.Length, s.Addition.Words, s.Addition.Steps, s.Batch, s.Tests),
		fmt.Sprintf("The transformer adds embeddings of tokens and positions of width %d; in each of two blocks one head of "+
			"self-attention without mask and a hidden layer of %d units with GELU, both around skip connections; then a "+
			"readout. There are no biases and no normalisation: all parameters are 14 matrices.", s.Width, 2*s.Width),
		"Every rule trains every matrix through what it is applied to and the gradients behind it: no stage is warmed up " +
			"or frozen. Whitening takes the nearest weights with the Gram matrix of SGD's step, VCL those with the Gram " +
			"matrix of the virtual covariance, negative eigenvalues dropped. In the last rule queries, keys, values and " +
			"outputs take SGD's step, which for step sizes below a known limit is the whitened step of queries with " +
			"keys, and of values with outputs (vcl/querykey); the embeddings, the hidden layers and the readout are " +
			"whitened.",
		fmt.Sprintf("Step sizes: %s; of Adam, which has the usual constants 0.9, 0.999 and 10⁻⁸, %s. Every rule runs at "+
			"each. Runs of one number start from the same weights and see the same batches. The first %d choose the step "+
			"size, by the test loss averaged over training; only the others are judged. Sizes and grids come from pilots with "+
			"other random numbers.", grid(SGD), grid(Adam), choosing[e]),
		"Losses are test losses after each twentieth of training as shares of that of guessing, and 1 at most; a run whose " +
			"weights stop being finite counts as guessing from there on, with accuracy 0 at the end.",
		fmt.Sprintf("Intervals are Student's over runs at level %g each. A claim holds when the whole interval is on its "+
			"side of the boundary, is refuted when all of it is on the other side, and is undecided otherwise. "+
			"A run that breaks down widens an interval.", experiment.Alpha),
	}
}
