package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/terminal"
)

// Peers is the report as a table.
func Peers(r *peers.Report, s terminal.Style) string {
	t := terminal.NewTable("operation", "#n", "peer", "#ours", "#the peer's", "#ratio", "#interval")
	for _, row := range r.Rows {
		paint := terminal.Plain
		if row.High < 1 {
			paint = terminal.Green
		} else if row.Low > 1 {
			paint = terminal.Red
		}
		t.Add(terminal.Text(row.Name), terminal.Text(strconv.Itoa(row.N)), terminal.Text(row.Peer),
			terminal.Text(milliseconds(row.OursSeconds)),
			terminal.Text(milliseconds(row.PeerSeconds)), terminal.Painted(fmt.Sprintf("%.3f", row.Paired), paint),
			terminal.Text(fmt.Sprintf("%.3f to %.3f", row.Low, row.High)))
	}
	text := t.Render(s)
	for _, note := range r.Notes {
		text += "note: " + note + "\n"
	}
	return text
}

// milliseconds writes a time with three digits.
func milliseconds(seconds float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%#.3g", 1e3*seconds), ".") + " ms"
}
