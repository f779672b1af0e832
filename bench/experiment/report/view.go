package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"sync"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/internal/figure"
	"github.com/thm-suite/thm/internal/stylesheet"
)

//go:embed templates
var templateFiles embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(templateFiles, "templates/page.html"))
})

// page is what the template draws.
type page struct {
	CSS         template.CSS
	Sentence    string
	Scope       string
	Interrupted string
	Run         []pair
	Command     string
	Headlines   table
	Tables      []table
	Setup       []string
	Covariance  []covarianceView
	Keeping     table
	Broken      table
	Figures     []section
	Tool        string
	Schema      string
}

type pair struct{ Name, Value string }

// table has verdicts in its cells.
type table struct {
	ID, Title, Sentence, Quantity string
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

type covarianceView struct {
	Title    string
	Pictures []pictureView
	Facts    []string
	Curves   drawing
}

type pictureView struct {
	Name, Alt string
	Source    template.URL
}

type section struct {
	Title    string
	Drawings []drawing
}

// HTML renders the results as one file that needs nothing else.
func HTML(r *experiment.Result) ([]byte, error) {
	p := page{CSS: template.CSS(stylesheet.CSS()), Sentence: sentence(r), Scope: scope, Command: command(r),
		Setup: setup(r), Schema: r.Schema,
		Tool: r.Tool.Version + " with " + r.Tool.Go, Headlines: headlines(r), Keeping: keeping(r), Broken: broken(r)}
	p.Run = []pair{{"Effort", string(r.Run.Effort)}, {"Seed", fmt.Sprint(r.Run.Seed)},
		{"Runs", fmt.Sprintf("%d of %d planned", r.Run.Cells.Run, r.Run.Cells.Planned)}, {"Kernels", r.Tool.Kernel},
		{"Processor", r.Tool.CPU}}
	if r.Run.Cells.Run < r.Run.Cells.Planned {
		p.Interrupted = "Not all planned runs are here. What lacks some is marked incomplete; the same command goes " +
			"on where this one stopped."
	}
	for _, c := range experiment.Claims {
		if t, ok := claimTable(r, c); ok {
			p.Tables = append(p.Tables, t)
		}
	}
	for _, c := range r.Covariance {
		v, err := covariance(c)
		if err != nil {
			return nil, err
		}
		if len(c.Runs) > 0 {
			p.Covariance = append(p.Covariance, v)
		}
	}
	for _, d := range r.Run.Datasets {
		s := section{Title: title(d)}
		for _, g := range r.Training {
			if g.Dataset == d {
				s.Drawings = append(s.Drawings, learning(g), tuning(g))
			}
		}
		if len(s.Drawings) > 0 {
			p.Figures = append(p.Figures, s)
		}
	}
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// sentence counts the verdicts in the setting of the paper, without those of the control.
func sentence(r *experiment.Result) string {
	var claimed []experiment.Finding
	for _, h := range r.Headlines {
		if h.Rule != experiment.SGDFrozen {
			claimed = append(claimed, h)
		}
	}
	return "Experiments of virtual covariance learning: " + count(claimed)
}

// headlines is the table of the claims in the paper's setting, for all data sets together.
func headlines(r *experiment.Result) table {
	columns := []experiment.Rule{"", experiment.SGDFrozen, experiment.VCL, experiment.Whitening, experiment.Algorithm1,
		experiment.Cumulative}
	t := table{}
	for _, rule := range columns {
		t.Columns = append(t.Columns, rule.Title())
	}
	t.Columns[0], t.Columns[1] = "as stated", "control: "+t.Columns[1]
	for _, c := range experiment.Claims {
		line := row{Name: c.Title, Note: c.Sentence}
		found := false
		for _, rule := range columns {
			f, ok := find(r.Headlines, c.ID, "all", "", rule)
			line.Cells = append(line.Cells, verdictCell(f, ok))
			found = found || ok
		}
		if found {
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// claimTable shows a claim on every data set and network.
func claimTable(r *experiment.Result, c experiment.Claim) (table, bool) {
	t := table{ID: c.ID, Title: c.Title, Sentence: c.Sentence, Quantity: c.Quantity}
	var rules []experiment.Rule
	for _, rule := range append([]experiment.Rule{""}, experiment.Rules...) {
		if _, ok := find(r.Findings, c.ID, "", "", rule); ok {
			rules = append(rules, rule)
			t.Columns = append(t.Columns, rule.Title())
		}
	}
	if len(rules) == 1 && rules[0] == "" {
		t.Columns = []string{"verdict"}
	}
	for _, d := range r.Run.Datasets {
		for _, n := range experiment.Networks {
			line := row{Name: title(d), Note: string(n)}
			found := false
			for _, rule := range rules {
				f, ok := find(r.Findings, c.ID, d, n, rule)
				line.Cells = append(line.Cells, verdictCell(f, ok))
				found = found || ok
			}
			if found {
				t.Rows = append(t.Rows, line)
			}
		}
	}
	return t, len(t.Rows) > 0
}

// find looks for a finding; an empty data set or network stands for any.
func find(findings []experiment.Finding, claim, dataset string, n experiment.Network,
	rule experiment.Rule) (experiment.Finding, bool) {
	for _, f := range findings {
		if f.Claim == claim && f.Rule == rule && (dataset == "" || f.Dataset == dataset) &&
			(n == "" || f.Network == n) {
			return f, true
		}
	}
	return experiment.Finding{}, false
}

func verdictCell(f experiment.Finding, ok bool) cell {
	if !ok {
		return cell{}
	}
	v := verdicts[f.Verdict]
	if f.Dataset == "all" {
		return cell{Verdict: &v}
	}
	return cell{&v, evidence(f), note(f)}
}

// covariance shows the diagonals of the first run as pictures, with the numbers of all runs.
func covariance(c experiment.CovarianceResult) (covarianceView, error) {
	v := covarianceView{Title: title(c.Dataset)}
	if len(c.Runs) == 0 {
		return v, nil
	}
	first := c.Runs[0]
	for _, p := range []struct {
		name   string
		values []float64
	}{
		{"WᵀW, learnt", first.Gram},
		{"WᵀW − W₀ᵀW₀, increment", first.Increment},
		{"virtual covariance", first.Shift},
		{"AGOP", first.AGOP},
	} {
		source, err := picture(p.values, first.Side)
		if err != nil {
			return v, err
		}
		v.Pictures = append(v.Pictures, pictureView{p.name, "Diagonal of " + p.name + " over the pixels of " + v.Title,
			source})
	}
	end := func(of func(experiment.Agreement) float64) string {
		mean, lo, hi := spread(c.Runs,
			func(r experiment.CovarianceRun) float64 { return of(r.Epochs[len(r.Epochs)-1]) })
		return fmt.Sprintf("%s (%s to %s)", figure.Digits(mean, 4), figure.Digits(lo, 4), figure.Digits(hi, 4))
	}
	accuracy, _, _ := spread(c.Runs, func(r experiment.CovarianceRun) float64 { return r.Accuracy })
	v.Facts = []string{
		"diagonals of WᵀW and virtual covariance: " + end(func(a experiment.Agreement) float64 { return a.Shift }) +
			"; printed for CIFAR-10: 0.9854",
		"diagonals of WᵀW and AGOP: " + end(func(a experiment.Agreement) float64 { return a.AGOP }) +
			"; printed for CIFAR-10: 0.7167",
		"all entries of the increment and the virtual covariance: " +
			end(func(a experiment.Agreement) float64 { return a.Increment }),
		"relative difference of the increment and the virtual covariance: " +
			end(func(a experiment.Agreement) float64 { return a.Error }),
		fmt.Sprintf("test accuracy at the end: %s", figure.Number(accuracy)),
	}
	v.Curves = agreeing(c)
	return v, nil
}
