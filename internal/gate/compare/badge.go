package compare

import (
	"cmp"
	"io"

	"github.com/thm-suite/thm/internal/draw"
)

// badge prints the outcome as an SVG for a README.
func (t *Table) badge(w io.Writer) error {
	word := t.Outcome().Name
	color := map[string]string{"pass": draw.Passed, "regression": draw.Broken, "undecided": draw.Undecided}[word]
	_, err := io.WriteString(w, draw.Badge("benchmarks", word, cmp.Or(color, draw.Unusable)))
	return err
}
