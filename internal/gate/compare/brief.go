package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/number"
)

// brief prints the blocks of text with the worst first, in each the worst rows first, and only counts those that are
// the same.
func (t *Table) brief(w io.Writer) error {
	all := t.blocks()
	for i := range all {
		slices.SortStableFunc(all[i].Rows, worstFirst)
	}
	slices.SortStableFunc(all, func(a, b blockRows) int { return worstFirst(a.Rows[0], b.Rows[0]) })
	var out strings.Builder
	same, shown := 0, 0
	for _, b := range all {
		loud := slices.DeleteFunc(slices.Clone(b.Rows), func(r Row) bool { return r.Verdict == Same })
		same += len(b.Rows) - len(loud)
		if len(loud) == 0 {
			continue
		}
		if shown++; shown > 1 {
			out.WriteByte('\n')
		}
		if b.Group != "" {
			out.WriteString(b.Group + "\n")
		}
		b.Rows, b.Geomean = loud, nil
		b.text(&out)
	}
	if shown > 0 {
		out.WriteByte('\n')
	}
	if same > 0 {
		fmt.Fprintf(&out, "%s the same; --format text shows all and how they were judged\n", rows(same, "is", "are"))
	}
	for _, p := range t.Problems {
		out.WriteString(p.kind() + ": " + p.Text + "\n")
	}
	out.WriteString(t.tally())
	_, err := io.WriteString(w, visible(out.String()))
	return err
}

// worstFirst orders rows: gated ones first, by verdict, and then by the size of their change.
func worstFirst(a, b Row) int {
	size := func(r Row) float64 {
		if x := math.Abs(math.Log(float64(r.Change.Center))); !math.IsNaN(x) {
			return x
		}
		return 0
	}
	rank := func(r Row) int {
		if r.Verdict == Same {
			return 2
		}
		return number.Indicator(!r.Gated)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)),
		cmp.Compare(slices.Index(Verdicts, a.Verdict), slices.Index(Verdicts, b.Verdict)), cmp.Compare(size(b), size(a)))
}
