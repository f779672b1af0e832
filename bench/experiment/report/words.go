package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/internal/figure"
	"github.com/thm-suite/thm/props"
)

// verdictView is a verdict as a reader meets it.
type verdictView struct{ Word, Sign, Class string }

var verdicts = map[props.Verdict]verdictView{
	props.Holds:      {"holds", "✓", "holds"},
	props.Refuted:    {"refuted", "✗", "refuted"},
	props.Undecided:  {"undecided", "?", "undecided"},
	props.Incomplete: {"incomplete", "…", "incomplete"},
	props.Error:      {"error", "!", "error"},
}

// titles are the names of data sets for a reader.
var titles = map[string]string{"mnist": "MNIST", "fashion-mnist": "Fashion-MNIST", "synthetic": "Synthetic strokes"}

func title(dataset string) string {
	if t, ok := titles[dataset]; ok {
		return t
	}
	return dataset
}

// evidence is a finding's interval in words: accuracies in percentage points, the rest as it is.
func evidence(f experiment.Finding) string {
	lo, hi, at := float64(f.Lo), float64(f.Hi), float64(f.Estimate)
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return "no interval"
	}
	switch f.Claim {
	case experiment.Efficient, experiment.RobustRates:
		return fmt.Sprintf("%s [%s, %s]", points(at), points(lo), points(hi))
	case experiment.NoOverfit:
		return fmt.Sprintf("%s [%s, %s]", decline(at), decline(lo), decline(hi))
	}
	return fmt.Sprintf("%s [%s, %s]", figure.Number(at), figure.Number(lo), figure.Number(hi))
}

// points writes a difference of accuracies in percentage points, with its sign.
func points(x float64) string { return minus(fmt.Sprintf("%+.1f", tenths(x))) }

// decline is points without the sign of a positive number.
func decline(x float64) string { return minus(fmt.Sprintf("%.1f", tenths(x))) }

// tenths is a part of one in percent, rounded to tenths; no zero is negative.
func tenths(x float64) float64 {
	if r := math.Round(1000*x) / 10; r != 0 {
		return r
	}
	return 0
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// note is what else there is to say about a finding.
func note(f experiment.Finding) string {
	var out []string
	if f.Gamma != 0 {
		out = append(out, "γ = "+figure.Number(f.Gamma))
	}
	if len(f.Epochs) > 0 {
		out = append(out, "there after "+epochs(f.Epochs))
	}
	return strings.Join(out, "; ")
}

// epochs writes when runs arrived, in order.
func epochs(first []int) string {
	sorted := slices.Clone(first)
	slices.SortFunc(sorted, func(a, b int) int { return rank(a) - rank(b) })
	words := make([]string, len(sorted))
	for i, e := range sorted {
		words[i] = strconv.Itoa(e)
		if e < 0 {
			words[i] = "never"
		}
	}
	if words[0] == words[len(words)-1] {
		if words[0] == "never" {
			return "no epoch"
		}
		return words[0] + " epochs"
	}
	return words[0] + "…" + words[len(words)-1] + " epochs"
}

// rank puts never last.
func rank(epoch int) int {
	if epoch < 0 {
		return math.MaxInt32
	}
	return epoch
}

// command is how to make the results again.
func command(r *experiment.Result) string {
	words := []string{"go run ./cmd/thm experiment"}
	if !slices.Equal(r.Run.Experiments, experiment.Names) {
		words = append(words, r.Run.Experiments...)
	}
	return fmt.Sprintf("%s --effort %s --seed %d --data %s", strings.Join(words, " "), r.Run.Effort, r.Run.Seed,
		strings.Join(r.Run.Datasets, ","))
}

// count writes how often each verdict occurs.
func count(findings []experiment.Finding) string {
	n := map[props.Verdict]int{}
	for _, f := range findings {
		n[f.Verdict]++
	}
	var out []string
	for _, v := range props.Verdicts {
		if n[v] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[v],
				map[bool]string{true: "hold", false: verdicts[v].Word}[v == props.Holds && n[v] > 1]))
		}
	}
	return strings.Join(out, ", ")
}

// scope says what the headlines are about.
const scope = "The two-layer network, for all data sets of this run together: one data set refutes a claim. The " +
	"control is gradient descent with the last stage frozen like that of the rules; what it achieves too is no merit " +
	"of the rules."

// setup says in sentences what was run.
func setup(r *experiment.Result) []string {
	s := r.Run.Sizes
	grid := make([]string, len(s.Gammas))
	for i, g := range s.Gammas {
		grid[i] = figure.Number(g)
	}
	out := []string{
		fmt.Sprintf("Each data set is cut down to %d training, %d validation and %d test pictures, one split for all "+
			"runs; for training, squares of %d×%d pixels are averaged into one input in [0, 1].",
			s.Train, s.Validation, s.Test, s.Cell, s.Cell),
		fmt.Sprintf("Hidden layers have %d units and GELU; the convolutional net has two 3×3 convolutions of stride "+
			"2 with 4 and 8 channels. Batches of %d, the mean loss, %d epochs, biases, no "+
			"momentum.", s.Hidden, s.Batch, s.Epochs),
		fmt.Sprintf("An epoch is %d steps here; the paper does not state its batch size, and 60000 pictures in "+
			"batches of 64 make 938. “One or two epochs” is judged at this smaller "+
			"scale.", (s.Train+s.Batch-1)/s.Batch),
		fmt.Sprintf("The grid of step sizes is the same for every rule: %s. Every rule runs %d times at each; runs "+
			"of one number start from the same weights and see the same batches. A rule's step size is the one with "+
			"the best validation accuracy on average; figures and verdicts use test "+
			"accuracy.", strings.Join(grid, ", "), s.Seeds),
		fmt.Sprintf("After %d epoch of warm-up of the last stage (γ = 0.5) it stays frozen, as Algorithm 1 is "+
			"printed; only the rule SGD trains all stages. A run whose weights stop being finite, or whose rule has "+
			"no next step (a power of a negative eigenvalue), counts as accuracy 0 from there on.", s.WarmUp),
		fmt.Sprintf("Intervals are Student's over runs at level %g each, for the spread over runs Pitman and "+
			"Morgan's for correlated variances. A claim holds when the whole interval is on its side of the "+
			"boundary, is refuted when all of it is on the other side, and is undecided otherwise.", r.Run.Alpha),
	}
	if s.Train >= 60000 {
		out = slices.Delete(out, 2, 3)
	}
	if s.Validation == 0 {
		out[0] = strings.Replace(out[0], ", 0 validation and", " and", 1) + " Without a validation set the step size " +
			"is chosen by test accuracy, as in the paper."
	}
	return append(out, r.Skipped...)
}
