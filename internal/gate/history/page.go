package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
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

// pageView holds the data of the page.
type pageView struct {
	CSS      string
	Sentence string
	Verdict  CheckResult
	Class    string
	Policy   Policy
	Runs     []runView
	Changes  []changeView
	Packages []packageView
	Fits     []fitView
}

type runView struct {
	Manifest
	Number    int
	Day, Load string
	Moved     bool // the setup differs from the run before
}

type changeView struct {
	Row, Anchor, Commit, Before, After, Ratio, P, Word, Class string
	Run                                                       int
}

type packageView struct {
	Name   string
	Charts []chartView
	Rest   []restView
}

type chartView struct {
	Anchor, Name, Unit, Newest, Caption string
	SVG                                 markup
}

// restView is a row that never varied: a line in place of a chart.
type restView struct {
	Name, Value string
	Runs        int
}

type fitView struct {
	Fit
	Sentence string
	Class    string
	SVG      markup
	Local    []string
}

// Page is the history as one HTML file that needs nothing else and runs no script.
func (h *History) Page(p Policy, allow Allowances, look Look) []byte {
	a, verdict := h.Analyse(p), h.Check(p, allow)
	v := pageView{CSS: look.CSS, Verdict: verdict, Class: classOf(verdict.Code), Policy: p}
	for i, m := range a.Runs {
		load := "unknown"
		if len(m.Load) == 2 {
			load = fmt.Sprintf("%.1f to %.1f", m.Load[0], m.Load[1])
		}
		v.Runs = append(v.Runs, runView{m, i + 1, m.Date.Format(day), load, i > 0 && a.Runs[i-1].Setup() != m.Setup()})
	}
	v.rows(a, look)
	for i, f := range a.Fits {
		id := fmt.Sprintf("cost-%d", i+1)
		v.Fits = append(v.Fits, fitView{f, f.Sentence(), fitClass(f.Verdict),
			markup(look.Draw(f.cost(id), id, nil)), f.local()})
	}
	v.Sentence = fmt.Sprintf("%s over %s: %s", counted(len(benchmarks(a)), "benchmark"), counted(len(a.Runs), "run"),
		v.summary())
	return v.html()
}

// day is the format of dates, to the minute.
const day = "2006-01-02 15:04"

func benchmarks(a *Analysis) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, r := range a.Rows {
		out[[2]string{r.Package, r.Name}] = true
	}
	return out
}

// summary counts the changes in words.
func (v *pageView) summary() string {
	counts := map[string]int{}
	for _, c := range v.Changes {
		counts[c.Word]++
	}
	if len(v.Changes) == 0 {
		return "no change point"
	}
	var parts []string
	for _, word := range []string{worseWord, betterWord, changedWord} {
		if counts[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[word], word))
		}
	}
	return strings.Join(parts, ", ")
}

// rows draws every row: times always, other units where they vary.
func (v *pageView) rows(a *Analysis, look Look) {
	for i, r := range a.Rows {
		if len(v.Packages) == 0 || v.Packages[len(v.Packages)-1].Name != r.Package {
			v.Packages = append(v.Packages, packageView{Name: r.Package})
		}
		pkg := &v.Packages[len(v.Packages)-1]
		id := fmt.Sprintf("row-%d", i+1)
		last := r.newestSeries().newest()
		if r.Unit != "sec/op" && !r.varies() {
			pkg.Rest = append(pkg.Rest, restView{r.Name, quantity(r.Unit, float64(last.Center)), r.runs()})
			continue
		}
		pkg.Charts = append(pkg.Charts, chartView{id, r.Name, r.Unit, measured(r.Unit, last), r.caption(),
			markup(look.Draw(a.chart(r, id), id, a.places(r)))})
		for _, s := range r.Series {
			for _, c := range s.Changes {
				v.Changes = append(v.Changes, changeView{Row: r.Name + ", " + r.Unit, Anchor: id,
					Commit: a.Runs[c.Run].Revision(),
					Run:    c.Run + 1, Before: quantity(r.Unit, float64(c.Before)),
					After: quantity(r.Unit, float64(c.After)),
					Ratio: percentage(c.Ratio), P: probability(c.P, r.Exact), Word: c.word(),
					Class: wordClass[c.word()]})
			}
		}
	}
}

var wordClass = map[string]string{worseWord: "refuted", betterWord: "holds", changedWord: "undecided"}

func classOf(code int) string {
	return map[int]string{compare.Pass: "holds", compare.Regression: "refuted", compare.UnusableInput: "error"}[code] +
		map[bool]string{true: "undecided"}[code == compare.NotDecided]
}

func fitClass(verdict string) string {
	return map[string]string{Consistent: "holds", Inconsistent: "refuted", Unsettled: "undecided",
		Undeclared: "unverified"}[verdict]
}

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
