package history

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/figure"
)

// Look holds the parts that a page borrows from the reports: their style sheet, and a function that draws a figure as
// one svg element, with an id that is unique in the page. A figure with places has them on its horizontal axis in place
// of numbers.
type Look struct {
	CSS  string
	Draw func(f figure.Figure, id string, places []Place) string
}

// Place is a run on the horizontal axis of a chart.
type Place struct {
	At    float64
	Label string // the commit, short
	Title string // all there is to say of the run, on one line
}

// Page is the history as one HTML file that needs nothing else and runs no script.
func (h *History) Page(p Policy, allow Allowances, look Look) []byte {
	a, verdict := h.Analyse(p), h.Check(p, allow)
	sentence := fmt.Sprintf("%s over %s: %s", a.benchmarks(), terminal.Plural(len(a.Runs), "run"), a.summary())
	w := &writer{}
	w.put(pageHead, sentence, markup(look.CSS), sentence, verdictClass[verdict.Code], verdict.Name, verdict.Reason)
	w.changes(a)
	w.put(pageReading, fmt.Sprint(p.Alpha), when(p.Block > 1, fmt.Sprintf(", with blocks of %d runs kept together",
		p.Block)), fmt.Sprintf("%.3g", p.Margin))
	w.charts(a, look)
	w.costs(a.Fits, look)
	w.runs(a.Runs)
	w.put("</main>\n<footer><p>Made by thm bench track page. The page loads nothing and runs no script.</p></footer>\n" +
		"</body>\n</html>\n")
	return []byte(w.String())
}

// day is the format of dates, to the minute.
const day = "2006-01-02 15:04"

// benchmarks counts them in words.
func (a *Analysis) benchmarks() string {
	names := map[[2]string]bool{}
	for _, r := range a.Rows {
		names[[2]string{r.Package, r.Name}] = true
	}
	return terminal.Plural(len(names), "benchmark")
}

// changes are those of all rows, with the place of the row.
func (a *Analysis) changes() iter.Seq2[int, Change] {
	return func(yield func(int, Change) bool) {
		for i, r := range a.Rows {
			for _, s := range r.Series {
				for _, c := range s.Changes {
					if !yield(i, c) {
						return
					}
				}
			}
		}
	}
}

const noChange = "no change point"

// summary counts the changes in words.
func (a *Analysis) summary() string {
	counts := map[string]int{}
	for _, c := range a.changes() {
		counts[c.word()]++
	}
	if len(counts) == 0 {
		return noChange
	}
	var parts []string
	for _, word := range []string{worseWord, betterWord, changedWord} {
		if counts[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[word], word))
		}
	}
	return strings.Join(parts, ", ")
}

// drawn reports whether the row has a chart: times always, other units where they vary.
func (r Row) drawn() bool { return r.Unit == "sec/op" || r.varies() }

// The classes in which the style sheet colours verdicts.
var (
	verdictClass = map[int]string{compare.Pass: "holds", compare.Regression: "refuted", compare.UnusableInput: "error",
		compare.NotDecided: "undecided"}
	wordClass = map[string]string{worseWord: "refuted", betterWord: "holds", changedWord: "undecided"}
	fitClass  = map[string]string{Consistent: "holds", Inconsistent: "refuted", Unsettled: "undecided",
		Undeclared: "unverified"}
)

// newestSeries is the series of the newest run that has the row.
func (r Row) newestSeries() Series {
	return slices.MaxFunc(r.Series, func(a, b Series) int { return cmp.Compare(a.newest().Run, b.newest().Run) })
}

func (s Series) newest() Point { return s.Points[len(s.Points)-1] }

func (r Row) runs() (n int) {
	for _, s := range r.Series {
		n += len(s.Points)
	}
	return n
}

// varies reports whether the row has ever had two values.
func (r Row) varies() bool {
	first := r.Series[0].Points[0].Center
	return slices.ContainsFunc(r.Series, func(s Series) bool { return s.varies() || s.Points[0].Center != first })
}

// quantity writes a value with its unit.
func quantity(unit string, x float64) string {
	factor, name := scaled(unit, x)
	return fmt.Sprintf("%.4g %s", x*factor, name)
}

// measured writes a point with its interval.
func measured(unit string, p Point) string {
	text := quantity(unit, float64(p.Center))
	if math.IsNaN(float64(p.Lo)) || p.Lo == p.Hi {
		return text
	}
	factor, _ := scaled(unit, float64(p.Center))
	return text + fmt.Sprintf(" (%.4g to %.4g)", float64(p.Lo)*factor, float64(p.Hi)*factor)
}

func percentage(ratio compare.Number) string {
	if r := float64(ratio); !math.IsNaN(r) && !math.IsInf(r, 0) {
		return strings.Replace(fmt.Sprintf("%+.1f %%", 100*(r-1)), "-", "−", 1)
	}
	return "from zero"
}

func probability(p compare.Number, exact bool) string {
	if exact {
		return "exact"
	}
	return fmt.Sprintf("%.2g", float64(p))
}

// local writes the local exponents between neighbouring sizes.
func (f Fit) local() []string {
	var out []string
	for i := 1; i < len(f.Sizes); i++ {
		mark := ""
		if f.Sizes[i-1].N < f.From {
			mark = " (not fitted)"
		}
		out = append(out, fmt.Sprintf("%d–%d: %.2f%s", f.Sizes[i-1].N, f.Sizes[i].N, float64(f.Sizes[i].Slope), mark))
	}
	return out
}
