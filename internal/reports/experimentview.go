package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// experimentView holds the data of an experiment for its template.
type experimentView struct {
	frame
	Sentence, Source, Scope string
	Missing                 bool // not all planned runs are there
	Run                     []term
	Command                 string
	Headlines               judgedTable
	Claims                  []judgedTable // wherever a claim was tried
	Setup                   []string
	Cover                   *figureView
	Sections                []sectionView
	Tool, Schema            string
}

// judgedTable is a table with verdicts or texts in its cells.
type judgedTable struct {
	ID, Title, Sentence, Quantity string
	Columns                       []string
	Rows                          []judgedRow
}

type judgedRow struct {
	Name, Note string
	Cells      []judgedCell
}

// judgedCell is one verdict, or a text.
type judgedCell struct {
	Verdict        *verdictView
	Evidence, Note string
}

type sectionView struct {
	Title, Text string
	Facts       []string
	Table       *judgedTable
	Figures     []figureView
}

// experimentOf lays out an experiment's judgement of a result.
func experimentOf(e experiment.Experiment, r *experiment.Result, j experiment.Judgement) experimentView {
	v := experimentView{Sentence: e.Title + ": " + verdictCounts(r.Headlines), Source: e.Source, Scope: j.Scope,
		Missing: r.Run.Cells.Run < r.Run.Cells.Planned, Command: experimentCommand(r),
		Setup: append(slices.Clone(j.Setup), r.Skipped...), Tool: r.Tool.Version + " with " + r.Tool.Go, Schema: r.Schema,
		Run: []term{{Name: "Effort", Value: string(r.Run.Effort)}, {Name: "Seed", Value: fmt.Sprint(r.Run.Seed)},
			{Name: "Runs", Value: fmt.Sprintf("%d of %d planned", r.Run.Cells.Run, r.Run.Cells.Planned)},
			{Name: "Kernels", Value: r.Tool.Kernel}, {Name: "Processor", Value: r.Tool.CPU}}}
	v.frame = framed("thm: " + v.Sentence)
	v.Headlines.Columns = columnsOf(r.Headlines)
	for _, c := range e.Claims {
		for _, f := range r.Headlines {
			if f.Claim == c.ID {
				v.Headlines.put(c.Title, c.Sentence, f, judged(c, f))
			}
		}
		of := list.Where(r.Findings, func(f experiment.Finding) bool { return f.Claim == c.ID })
		if len(of) > 0 {
			v.Claims = append(v.Claims, claimTable(c, of))
		}
	}
	// The numbers of the figures are in results.json.
	figured := func(f figure.Figure) figureView { return drawn(f, experimentSVG(f, f.ID)) }
	if j.Cover.ID != "" {
		cover := figured(j.Cover)
		v.Cover = &cover
	}
	for _, s := range j.Sections {
		section := sectionView{Title: s.Title, Text: s.Text, Facts: s.Facts, Figures: list.Map(s.Figures, figured)}
		if s.Table != nil && len(s.Table.Rows) > 0 {
			section.Table = textTable(s.Table)
		}
		v.Sections = append(v.Sections, section)
	}
	return v
}

// experimentSVG draws predictions as on the pages of claims, and curves for comparison in colours of their own.
func experimentSVG(f figure.Figure, id string) string {
	if slices.ContainsFunc(f.Curves, func(c figure.Curve) bool { return strings.HasSuffix(c.Name, ", predicted") }) {
		return draw.Evidence(f, id)
	}
	return draw.SVG(f, id)
}

// claimTable shows a claim wherever it was tried. A bound that all have in common stands above.
func claimTable(c experiment.Claim, findings []experiment.Finding) judgedTable {
	t := judgedTable{ID: c.ID, Title: c.Title, Sentence: c.Sentence, Columns: columnsOf(findings), Quantity: c.Quantity}
	common := !slices.ContainsFunc(findings, func(f experiment.Finding) bool {
		return f.Bound != findings[0].Bound || f.Upper != findings[0].Upper
	})
	if common {
		t.Quantity += ", " + c.Bounds(findings[0])
	}
	t.Quantity += ", with its interval"
	if c.Points {
		t.Quantity += ", in percentage points"
	}
	for _, f := range findings {
		name, note, _ := strings.Cut(f.Row, ", ")
		cell := judged(c, f)
		if !common {
			cell.Note = strings.TrimPrefix(cell.Note+"; "+c.Bounds(f), "; ")
		}
		t.put(name, note, f, cell)
	}
	return t
}

// put places a finding in its row, and adds the row if necessary.
func (t *judgedTable) put(name, note string, f experiment.Finding, cell judgedCell) {
	i := slices.IndexFunc(t.Rows, func(r judgedRow) bool { return r.Name == name && r.Note == note })
	if i < 0 {
		i = len(t.Rows)
		t.Rows = append(t.Rows, judgedRow{name, note, make([]judgedCell, len(t.Columns))})
	}
	t.Rows[i].Cells[slices.Index(t.Columns, columnTitle(f))] = cell
}

// textTable returns a table whose first column heads the rows.
func textTable(from *experiment.Table) *judgedTable {
	t := &judgedTable{Columns: from.Columns[1:]}
	for _, texts := range from.Rows {
		row := judgedRow{Name: texts[0]}
		for _, text := range texts[1:] {
			row.Cells = append(row.Cells, judgedCell{Evidence: text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func judged(c experiment.Claim, f experiment.Finding) judgedCell {
	v := verdictViews[f.Verdict]
	if f.IsJoint() {
		return judgedCell{Verdict: &v}
	}
	return judgedCell{&v, c.Interval(f), f.Note}
}

// columnTitle returns the head of a column: what was tried, and whether that is a control.
func columnTitle(f experiment.Finding) string {
	switch {
	case f.Column == "":
		return "verdict"
	case f.Control:
		return "control: " + f.Column
	}
	return f.Column
}

// columnsOf returns the columns of findings in their order of appearance.
func columnsOf(findings []experiment.Finding) (titles []string) {
	for _, f := range findings {
		if t := columnTitle(f); !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	return titles
}

// verdictCounts writes how often each verdict occurs, without those of controls.
func verdictCounts(findings []experiment.Finding) string {
	n := map[results.Verdict]int{}
	for _, f := range findings {
		if !f.Control {
			n[f.Verdict]++
		}
	}
	var out []string
	for _, v := range results.Verdicts {
		switch {
		case v == results.Holds && n[v] > 1:
			out = append(out, fmt.Sprintf("%d hold", n[v]))
		case n[v] > 0:
			out = append(out, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	return strings.Join(out, ", ")
}

// experimentCommand returns the command that makes the results again.
func experimentCommand(r *experiment.Result) string {
	text := fmt.Sprintf("go run ./cmd/thm experiment %s --effort %s --seed %d", r.Experiment, r.Run.Effort, r.Run.Seed)
	if len(r.Run.Datasets) > 0 {
		text += " --data " + strings.Join(r.Run.Datasets, ",")
	}
	return text
}
