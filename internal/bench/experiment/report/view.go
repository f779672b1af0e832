package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/stylesheet"
	"github.com/thm-suite/thm/props/figure"
)

//go:embed templates
var templateFiles embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(templateFiles, "templates/page.html"))
})

// page is a report before it is written in one format or another.
type page struct {
	CSS         template.CSS
	Title       string
	Sentence    string
	Source      string
	Scope       string
	Interrupted string
	Run         []pair
	Command     string
	Headlines   table
	Tables      []table
	Setup       []string
	Cover       *drawing
	Sections    []section
	Tool        string
	Schema      string
}

type pair struct{ Name, Value string }

// table has verdicts in its cells, or texts.
type table struct {
	ID, Title, Sentence, Quantity string
	Points                        bool
	Columns                       []string
	Rows                          []row
}

type row struct {
	Name, Note string
	Cells      []cell
}

// cell is one verdict, or a text.
type cell struct {
	Verdict        *verdictView
	Evidence, Note string
}

type section struct {
	Title, Text string
	Facts       []string
	Pictures    []pictureView
	Table       *table
	Drawings    []drawing
}

type pictureView struct {
	Name, Alt string
	Source    template.URL
}

// drawing is a figure of the page.
type drawing struct {
	SVG     template.HTML
	Title   string
	Caption string
}

func pictures(f figure.Figure) drawing {
	return drawing{template.HTML(draw.SVG(f, f.ID)), f.Title, f.Caption}
}

// newPage lays out what an experiment makes of a result.
func newPage(e experiment.Experiment, r *experiment.Result, j experiment.Judgement) (page, error) {
	p := page{CSS: template.CSS(stylesheet.CSS()), Title: e.Title, Sentence: e.Title + ": " + count(r.Headlines),
		Source: e.Source, Scope: j.Scope, Command: command(r), Setup: append(slices.Clone(j.Setup), r.Skipped...),
		Schema: r.Schema, Tool: r.Tool.Version + " with " + r.Tool.Go, Headlines: headlines(e, r)}
	p.Run = []pair{{"Effort", string(r.Run.Effort)}, {"Seed", fmt.Sprint(r.Run.Seed)},
		{"Runs", fmt.Sprintf("%d of %d planned", r.Run.Cells.Run, r.Run.Cells.Planned)}, {"Kernels", r.Tool.Kernel},
		{"Processor", r.Tool.CPU}}
	if r.Run.Cells.Run < r.Run.Cells.Planned {
		p.Interrupted = "Not all planned runs are here. What lacks some is marked incomplete; the same command goes " +
			"on where this one stopped."
	}
	for _, c := range e.Claims {
		if t, ok := claimTable(r, c); ok {
			p.Tables = append(p.Tables, t)
		}
	}
	if j.Cover != nil {
		d := pictures(*j.Cover)
		p.Cover = &d
	}
	for _, s := range j.Sections {
		v, err := sectionView(s)
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, v)
	}
	return p, nil
}

// headlines is the table of the claims, for all rows together.
func headlines(e experiment.Experiment, r *experiment.Result) table {
	t := table{Columns: columnsOf(r.Headlines)}
	for _, c := range e.Claims {
		line := row{Name: c.Title, Note: c.Sentence, Cells: make([]cell, len(t.Columns))}
		found := false
		for _, f := range r.Headlines {
			if f.Claim == c.ID {
				line.Cells[slices.Index(t.Columns, columnTitle(f))] = verdictCell(c, f)
				found = true
			}
		}
		if found {
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// claimTable shows a claim wherever it was tried.
func claimTable(r *experiment.Result, c experiment.Claim) (table, bool) {
	var findings []experiment.Finding
	for _, f := range r.Findings {
		if f.Claim == c.ID {
			findings = append(findings, f)
		}
	}
	if len(findings) == 0 {
		return table{}, false
	}
	t := table{ID: c.ID, Title: c.Title, Sentence: c.Sentence, Points: c.Points, Columns: columnsOf(findings),
		Quantity: c.Quantity + ", " + bound(c, findings[0])}
	for _, f := range findings {
		if f.Bound != findings[0].Bound || f.Upper != findings[0].Upper {
			t.Quantity = c.Quantity
		}
	}
	rows := map[string]int{}
	for _, f := range findings {
		i, known := rows[f.Row]
		if !known {
			i = len(t.Rows)
			rows[f.Row] = i
			name, note, _ := strings.Cut(f.Row, ", ")
			t.Rows = append(t.Rows, row{Name: name, Note: note, Cells: make([]cell, len(t.Columns))})
		}
		shown := verdictCell(c, f)
		if t.Quantity == c.Quantity {
			shown.Note = strings.TrimPrefix(shown.Note+"; "+bound(c, f), "; ")
		}
		t.Rows[i].Cells[slices.Index(t.Columns, columnTitle(f))] = shown
	}
	return t, true
}

func verdictCell(c experiment.Claim, f experiment.Finding) cell {
	v := verdicts[f.Verdict]
	if f.IsJoint() {
		return cell{Verdict: &v}
	}
	return cell{&v, evidence(c, f), f.Note}
}

func sectionView(s experiment.Section) (section, error) {
	out := section{Title: s.Title, Text: s.Text, Facts: s.Facts}
	for _, p := range s.Pictures {
		if len(p.Values) != p.Side*p.Side {
			return out, fmt.Errorf("experiments: picture of %d pixels, not %d×%d", len(p.Values), p.Side, p.Side)
		}
		source, err := picture(p.Values, p.Side)
		if err != nil {
			return out, err
		}
		out.Pictures = append(out.Pictures, pictureView{p.Name, p.Alt, source})
	}
	if s.Table != nil && len(s.Table.Rows) > 0 {
		t := &table{Columns: s.Table.Columns[1:]}
		for _, texts := range s.Table.Rows {
			r := row{Name: texts[0]}
			for _, text := range texts[1:] {
				r.Cells = append(r.Cells, cell{Evidence: text})
			}
			t.Rows = append(t.Rows, r)
		}
		out.Table = t
	}
	for _, f := range s.Figures {
		out.Drawings = append(out.Drawings, pictures(f))
	}
	return out, nil
}

// HTML renders the results as one file that needs nothing else.
func HTML(p page) ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
