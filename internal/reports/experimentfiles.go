package reports

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/terminal"
)

// coverName is the file of a summary's figure, next to the summary.
const coverName = "figure.svg"

// ExperimentFiles renders the results of an experiment: results.json for programs, index.html for readers, report.md
// with one figure for a quick look.
func ExperimentFiles(e experiment.Experiment, r *experiment.Result) ([]File, error) {
	j, err := e.Judge(r)
	if err != nil {
		return nil, err
	}
	v := experimentOf(e, r, j)
	results, err := r.Encode()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", experiment.ResultsName, err)
	}
	page, err := execute("experiment.html", v)
	if err != nil {
		return nil, fmt.Errorf("index.html: %w", err)
	}
	out := []File{{experiment.ResultsName, results}, {"index.html", page}, {"report.md", []byte(v.markdown())}}
	if j.Cover.ID != "" {
		out = append(out, File{coverName, []byte(draw.File(experimentSVG(j.Cover, "cover")))})
	}
	return out, nil
}

// WriteExperiment writes the report of an experiment into its folder, results.json first: the others can be rendered
// again from it.
func WriteExperiment(dir string, e experiment.Experiment, r *experiment.Result) error {
	files, err := ExperimentFiles(e, r)
	if err != nil {
		return err
	}
	return Place(e.Dir(dir), files)
}

// WriteExperimentIndex lists the experiments that have results in a folder in its README.md.
func WriteExperimentIndex(dir string, all []experiment.Experiment) error {
	index, err := ExperimentIndex(dir, all)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "README.md"), index)
}

// ExperimentIndex returns the list of experiments that have results in a folder.
func ExperimentIndex(dir string, all []experiment.Experiment) ([]byte, error) {
	t := terminal.NewTable("experiment", "", "verdicts", "effort", "#runs")
	for _, e := range all {
		r, err := e.Read(dir)
		if err != nil {
			return nil, err
		}
		if r != nil {
			t.AddTexts(fmt.Sprintf("[%s](%s/report.md)", e.Name, e.Name), e.Title, verdictCounts(r.Headlines),
				string(r.Run.Effort), fmt.Sprint(r.Run.Cells.Run))
		}
	}
	return []byte("# Experiments\n\nPublished plots run again, as statements that can fail, with intervals over " +
		"independent runs. A verdict is a\nfinding about these data sets, sizes and networks; the report of each says " +
		"which.\n\n" + t.Markdown()), nil
}

// markdown returns the summary of an experiment.
func (v experimentView) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s\n\n", v.Sentence, v.Source)
	if v.Scope != "" {
		out.WriteString(v.Scope + "\n\n")
	}
	if v.Missing {
		out.WriteString("Not all planned runs are here. Results that lack some are marked incomplete; the same " +
			"command goes on where this one stopped.\n\n")
	}
	out.WriteString(v.Headlines.markdown())
	if v.Cover != nil {
		fmt.Fprintf(&out, "\n![%s](%s)\n\n%s\n", v.Cover.Title, coverName, v.Cover.Caption)
	}
	fmt.Fprintf(&out, "\n%s runs, effort %s, seed %s: `%s`\n\n## What was run\n\n- %s\n", v.Run[2].Value, v.Run[0].Value,
		v.Run[1].Value, v.Command, strings.Join(v.Setup, "\n- "))
	for _, t := range v.Claims {
		fmt.Fprintf(&out, "\n## %s\n\n%s In the cells: %s.\n\n%s", t.Title, t.Sentence, t.Quantity, t.markdown())
	}
	for _, s := range v.Sections {
		if s.Table == nil && len(s.Facts) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n## %s\n", s.Title)
		if s.Text != "" {
			fmt.Fprintf(&out, "\n%s\n", s.Text)
		}
		if len(s.Facts) > 0 {
			fmt.Fprintf(&out, "\n- %s\n", strings.Join(s.Facts, "\n- "))
		}
		if s.Table != nil {
			out.WriteString("\n" + s.Table.markdown())
		}
	}
	return out.String()
}

// markdown returns the table, with a note behind the name of a row, or as its text if the note is a sentence.
func (t judgedTable) markdown() string {
	table := terminal.NewTable(append([]string{""}, t.Columns...)...)
	for _, r := range t.Rows {
		name := strings.Trim(r.Name+", "+r.Note, ", ")
		if strings.HasSuffix(r.Note, ".") {
			name = "**" + r.Name + "**: " + r.Note
		}
		texts := []string{name}
		for _, c := range r.Cells {
			text := c.Evidence
			if c.Verdict != nil {
				text = strings.TrimSpace(c.Verdict.Sign + " " + c.Verdict.Word + " " + c.Evidence)
			}
			if c.Note != "" {
				text += " (" + c.Note + ")"
			}
			texts = append(texts, text)
		}
		table.AddTexts(texts...)
	}
	return table.Markdown()
}
