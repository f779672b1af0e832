package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// entry is a claim of the report: a statement, a result, or both. One of the two may be nil.
type entry struct {
	statement *theory.Statement
	result    *results.Claim
}

// slug names the entry.
func (e entry) slug() string {
	if e.statement != nil {
		return e.statement.Slug
	}
	return e.result.ID
}

// entries joins statements and results by slug, in the order of the catalogue. Results of claims outside the catalogue
// follow.
func (s Site) entries() []entry {
	results := map[string]*results.Claim{}
	for i := range s.Results.Claims {
		results[s.Results.Claims[i].ID] = &s.Results.Claims[i]
	}
	var out []entry
	known := map[string]bool{}
	for _, st := range s.Statements {
		out = append(out, entry{st, results[st.Slug]})
		known[st.Slug] = true
	}
	for i := range s.Results.Claims {
		if c := &s.Results.Claims[i]; !known[c.ID] {
			out = append(out, entry{nil, c})
		}
	}
	return out
}

// unverified counts statements without a result.
func unverified(entries []entry) int {
	return len(list.Where(entries, func(e entry) bool { return e.result == nil }))
}

// counts counts the rows, and statements without a result, claims and findings apart.
func counts(entries []entry) (c Counts) {
	for _, e := range entries {
		if e.result != nil {
			c.Add(theory.Standing(e.result.Standing), e.result.Verdict)
		} else {
			c.Add(e.statement.Standing, "")
		}
	}
	return c
}

// totals returns the sums over all claims.
func totals(r *results.Results, b soak.Budget) []term {
	return []term{
		{"Cases", whole(r.Summary.Cases.Run), "of " + whole(r.Summary.Cases.Planned) + " planned"},
		{"Wrong versions rejected", whole(r.Summary.Controls.Run), "of " + whole(r.Summary.Controls.Planned)},
		{"Printed errors refuted", whole(r.Summary.Errata.Run), "of " + whole(r.Summary.Errata.Planned)},
		{"Readings refuted", whole(r.Summary.Readings.Run), "of " + whole(r.Summary.Readings.Planned)},
		{"Red by chance", draw.Number(b.Total.Estimate), "though all claims are true, at another seed"},
	}
}

// circumstances say how and where the run was made.
func circumstances(r *results.Results) []term {
	t := r.Tool
	out := []term{
		{Name: "Date", Value: r.Run.Started.UTC().Format("2 January 2006, 15:04 MST")},
		{Name: "Effort", Value: string(r.Run.Effort)},
		{Name: "Seed", Value: fmt.Sprint(r.Run.Seed)},
		{Name: "Duration", Value: duration(r.Run.WallSeconds) + ", " + plural(r.Run.Jobs, "worker", "workers")},
		{Name: "Tool", Value: "thm " + t.Version + ", " + t.Go},
		{Name: "Kernels", Value: cmp.Or(t.Kernel, "–")},
		{Name: "Machine", Value: strings.TrimRight(t.CPU+", "+t.GOOS+"/"+t.GOARCH+" "+t.GOAMD64, " ")},
	}
	if m := r.Manifest; m.Commit != "" {
		source := term{Name: "Source", Value: "commit " + m.Commit[:min(len(m.Commit), 12)]}
		if m.Modified {
			source.Value += ", with changes"
		}
		out = append(out, source)
	}
	if digest := r.Manifest.Digest; digest != "" {
		out = append(out, term{Name: "Digest of the claims", Value: digest[:min(len(digest), 16)]})
	}
	if n := len(r.Run.Parts); n > 1 {
		total, each := 0.0, make([]string, n)
		for i, seconds := range r.Run.Parts {
			total, each[i] = total+seconds, duration(seconds)
		}
		out = append(out, term{Name: "Shards", Value: fmt.Sprintf("%d, of %s of processor time together: %s", n,
			duration(total), strings.Join(each, ", "))})
	}
	if r.Run.Shard != "1/1" {
		out = append(out, term{Name: "Shard", Value: r.Run.Shard})
	}
	return out
}

// marks returns the ratios of a row for the strip of the overview.
func marks(c *results.Claim) []draw.Mark {
	out := list.Map(c.Criteria, criterionMark)
	for _, x := range c.Controls {
		out = append(out, wrong(draw.Control, x.Ratio, x.Message, x.Rejected)...)
	}
	for _, e := range c.Errata {
		out = append(out, wrong(draw.Erratum, e.Ratio, e.Message, e.Refuted)...)
	}
	return out
}

func criterionMark(p results.Criterion) draw.Mark {
	return draw.Mark{Group: draw.Check, Value: float64(p.Ratio), Lower: float64(p.Lower),
		Failed: p.Verdict != results.Holds}
}

// wrong returns the mark of a wrong version or a printed error. One that did not run to its end has none.
func wrong(g draw.Group, ratio results.Number, message string, rejected bool) []draw.Mark {
	if message != "" {
		return nil
	}
	return []draw.Mark{{Group: g, Value: float64(ratio), Lower: float64(ratio), Failed: !rejected}}
}

// picture returns the image in the row of a claim: the shape of its first figure while it holds, and else, or without a
// figure, the ratios, which show why it does not hold.
func picture(c *results.Claim) template.HTML {
	if c.Verdict == results.Holds && !c.Missed() {
		for _, f := range c.Figures {
			if f.Kind == figure.Ratios || f.Of != "" {
				continue
			}
			if small := draw.Small(f); small != "" {
				return template.HTML(small)
			}
		}
	}
	return overview(c)
}

// overview draws the strip of a row.
func overview(c *results.Claim) template.HTML {
	text, smallest := "Largest ratio of the claim "+worstRatio(c), math.Inf(1)
	for _, x := range c.Controls {
		smallest = min(smallest, float64(x.Ratio))
	}
	if len(c.Controls) > 0 {
		text += "; smallest ratio of a wrong version " + draw.Number(smallest)
	}
	return template.HTML(draw.Strip(marks(c), text))
}

func calibrated(c results.Calibration) calibrationView {
	view := calibrationView{c.Procedure, c.Distribution, c.Quantity, number(c.Nominal), number(c.Measured),
		whole(c.Runs)}
	if c.Draws > 0 {
		view.On = fmt.Sprintf("%d draws, %s", c.Draws, c.Distribution)
	}
	if c.Runs == 0 {
		view.Runs = "computed exactly"
	}
	return view
}
