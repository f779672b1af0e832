package record

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/terminal"
)

// VCLFigureFile is the figure of the documents.
const VCLFigureFile = "reports/published/vcl.svg"

// readVCL reads the measurement that is drawn.
func readVCL(root string) (*VCL, error) {
	return published(ReadVCL, root, VCLFile, VCLCommand)
}

// VCLSection is the tables of steps, training and slopes in Markdown, with the figure and where the figures are from.
func VCLSection(root string) (string, error) {
	r, err := readVCL(root)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	tables := VCLTables(r)
	out.WriteString("\n" + tables[0].Markdown() + "\n" + tables[1].Markdown() + "\n")
	text := fmt.Sprintf("Processor time on one thread, medians over up to %d rounds in which the methods take turns. "+
		"Error: either of the step, relative to its length, or the gap, by which the squared distance from the old weights "+
		"exceeds the minimum. Every step was verified before it was timed. Measured by %s on %s at %s, kernel %s, on %s "+
		"with %d processors and load %s. Drawn by %s.", r.Rounds,
		verbatim(r.Command), r.Date,
		revision(r.Facts), r.Kernel, r.CPU, r.CPUs, r.Load, verbatim("go run ./cmd/thm docs"))
	out.WriteString(strings.ReplaceAll(strings.Join(terminal.Wrap(text, 118), "\n"), noBreak, " ") + "\n\n")
	out.WriteString("![Cost of one step against n, against m and against the batch B; points are measured, lines are " +
		"the operation counts, " +
		"scaled to pass through the middle of the points](../" + VCLFigureFile + ")\n\n")
	out.WriteString("The exponents of the figure, with 95 % intervals:\n\n" + tables[2].Markdown() + "\n")
	return out.String(), nil
}

// revision names the code that was measured.
func revision(f Facts) string {
	commit := "no repository"
	if f.Commit != "" {
		commit = "commit " + f.Commit[:min(12, len(f.Commit))]
	}
	if f.Dirty {
		commit += " with changes"
	}
	return commit
}
