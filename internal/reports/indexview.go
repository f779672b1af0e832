package reports

import (
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/props/results"
)

// indexView holds the data of the index for its template, and of everything in a report of one file.
type indexView struct {
	frame
	Title       string // whose report it is
	Sentence    string
	Green       bool
	Interrupted bool
	Failing     []failing // claims that do not hold, by verdict
	Verdicts    []tally
	Totals      []term
	Run         []term
	Command     string
	Map, Graph  template.HTML
	Moved       *movedView
	Groups      []group
	Choices     []choice
	Count       int
	Keys        []template.HTML // the marks of checks, controls and errata
	Times       timesView
	Budget      budgetView
	Calibration []calibrationView
	Claims      []claimView // of a report of one file
	Tool        string
	Schema      string
}

// tally is a verdict, and how many claims and findings have it.
type tally struct {
	verdictView
	Claims, Findings int
}

// failing is the claims with a verdict other than holds.
type failing struct {
	verdictView
	Claims []reference
	More   int // that are not named
}

// namedFailing is the number of claims of a verdict that the head of the index names: a run that was stopped has many.
const namedFailing = 20

// term is a name and its value in a list of facts.
type term struct{ Name, Value, Note string }

// group is the claims of one source that cite one paper, or those that do not hold.
type group struct {
	Name  string // the first half of the slugs
	Paper string
	Fails bool // the claims are of several papers
	Rows  []rowView
}

// rowView is a claim in the table of the index. Its data hold the values that a script filters and sorts by.
type rowView struct {
	Slug, Kind, Standing, Source, Text string
	Says                               string // in one sentence, or the title of a claim without a statement
	Paper                              string
	Href                               template.URL
	Verdict                            verdictView
	Verified                           bool
	cells
	Picture                       template.HTML // a small figure, or a strip of ratios
	Older                         string
	SortedWorst, SortedResolution string // plain numbers; empty where there is none
	Fallen                        []reference
}

// choice is a property of claims that one can filter by.
type choice struct {
	Name, Label string
	Values      []string
}

type calibrationView struct{ Procedure, On, Quantity, Nominal, Measured, Runs string }

// view prepares the index.
func (s Site) view(l links) indexView {
	r, entries := s.Results, s.entries()
	missing, all, count := unverified(entries), supported(entries), counts(entries)
	risks := soak.BudgetOf(r, publishedSoak())
	v := indexView{
		Title:       s.Title,
		Sentence:    count.Sentence(),
		Green:       r.ExitCode() == 0 && missing == 0,
		Interrupted: r.Run.Interrupted,
		Command:     s.Command,
		Count:       len(entries),
		Tool:        r.Tool.Version, Schema: r.Schema,
		Totals: totals(r, risks), Budget: budget(risks), Run: circumstances(r), Times: times(entries, l),
	}
	v.Keys = list.Map([]draw.Group{draw.Check, draw.Control, draw.Erratum},
		func(g draw.Group) template.HTML { return template.HTML(draw.Key(g)) })
	v.Verdicts = list.Map(results.Verdicts, func(verdict results.Verdict) tally {
		return tally{verdictViews[verdict], count.Claims[verdict], count.Findings[verdict]}
	})
	if missing > 0 {
		v.Verdicts = append(v.Verdicts, tally{notVerified, count.Claims[""], count.Findings[""]})
	}
	v.Groups = groups(entries, all, l)
	if papers := map[string]string{}; len(entries) > 0 {
		for _, g := range v.Groups {
			papers[g.Name] = strings.TrimPrefix(papers[g.Name]+"; "+g.Paper, "; ")
		}
		v.Map, v.Graph = all.graph(l, papers)
	}
	v.Choices, v.Moved = choices(v.Groups), s.Moved.view(all, l)
	v.Groups, v.Failing = failingFirst(v.Groups), failures(entries, all, l)
	v.Calibration = list.Map(r.Calibration, calibrated)
	return v
}

// groups returns the rows of all claims by sources and papers.
func groups(entries []entry, all *support, l links) []group {
	var out []group
	for _, e := range entries {
		row := indexRow(e, all, l)
		paper := e.source().Paper
		i := slices.IndexFunc(out, func(g group) bool { return g.Name == row.Source && g.Paper == paper })
		if i < 0 {
			i = len(out)
			out = append(out, group{Name: row.Source, Paper: paper})
		}
		out[i].Rows = append(out[i].Rows, row)
	}
	return out
}

// failures returns the claims that have a result and do not hold, in the order of [results.Verdicts].
func failures(entries []entry, all *support, l links) []failing {
	var out []failing
	for _, verdict := range results.Verdicts {
		var slugs []string
		for _, e := range entries {
			if e.result != nil && verdict != results.Holds && e.result.Verdict == verdict {
				slugs = append(slugs, e.slug())
			}
		}
		if n := min(len(slugs), namedFailing); n > 0 {
			out = append(out, failing{verdictViews[verdict], all.references(slugs[:n], l), len(slugs) - n})
		}
	}
	return out
}

// failingFirst moves the claims that do not hold from their groups into one group before all others.
func failingFirst(groups []group) []group {
	first, rest := group{Fails: true}, []group{}
	for _, g := range groups {
		kept := group{Name: g.Name, Paper: g.Paper}
		for _, r := range g.Rows {
			if r.failed() {
				first.Rows = append(first.Rows, r)
			} else {
				kept.Rows = append(kept.Rows, r)
			}
		}
		if len(kept.Rows) > 0 {
			rest = append(rest, kept)
		}
	}
	if len(first.Rows) == 0 {
		return rest
	}
	rank := func(r rowView) int {
		return slices.IndexFunc(results.Verdicts, func(v results.Verdict) bool { return verdictViews[v] == r.Verdict })
	}
	slices.SortStableFunc(first.Rows, func(a, b rowView) int { return rank(a) - rank(b) })
	return append([]group{first}, rest...)
}

// failed reports whether a row has a result that is not a pass.
func (r rowView) failed() bool { return r.Verified && r.Verdict != verdictViews[results.Holds] }

// indexRow returns the row of a claim.
func indexRow(e entry, all *support, l links) rowView {
	slug := e.slug()
	row := rowView{Slug: slug, Says: e.title(), Href: l.to(slug), Verdict: e.verdict(),
		Fallen: all.references(all.fallen(slug), l)}
	row.Source, _, _ = strings.Cut(slug, "/")
	row.Paper = e.source().Paper
	text := []string{slug, row.Says, e.source().Paper, "arXiv " + e.source().ArXiv, e.source().Locus}
	if s := e.statement; s != nil {
		row.Kind, row.Standing = string(s.Kind), string(s.Standing)
		row.Says, text = s.Plain, append(text, s.Plain, s.Claim.String(), s.Setting)
	}
	if c := e.result; c != nil {
		row.Kind, row.Standing, row.Verified = c.Kind, c.Standing, true
		row.cells, row.Picture = cellsOf(c), picture(c)
		row.SortedResolution = sortable(float64(c.Resolution))
		row.Older = older(c)
		if len(c.Criteria) > 0 {
			row.SortedWorst = sortable(float64(c.WorstRatio))
		}
	}
	row.Text = strings.ToLower(strings.Join(append(text, row.Kind, row.Standing), " "))
	return row
}

// older returns the date of a row that an earlier run made.
func older(c *results.Claim) string {
	if c.Older == nil {
		return ""
	}
	return "from the run of " + c.Older.UTC().Format("2 January 2006, 15:04 MST")
}

// sortable writes a number for a script, and nothing where there is none.
func sortable(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.IsInf(x, 1):
		return "1e999"
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// choices returns the values of each property in the order in which they occur.
func choices(groups []group) []choice {
	out := []choice{{Name: "source", Label: "Source"}, {Name: "verdict", Label: "Verdict"},
		{Name: "kind", Label: "Kind"}, {Name: "standing", Label: "Standing"}}
	for _, g := range groups {
		for _, r := range g.Rows {
			for i, value := range []string{r.Source, r.Verdict.Word, r.Kind, r.Standing} {
				if value != "" && !slices.Contains(out[i].Values, value) {
					out[i].Values = append(out[i].Values, value)
				}
			}
		}
	}
	return out
}
