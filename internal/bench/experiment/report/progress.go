package report

import (
	"fmt"
	"io"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
)

// Progress writes how far the runs are: on a terminal in one line, elsewhere a line every heartbeat.
type Progress struct {
	out         io.Writer
	quiet       bool
	terminal    bool
	computed    int
	start, last time.Time
}

// NewProgress shows progress on a stream.
func NewProgress(out io.Writer, quiet bool) *Progress {
	return &Progress{out: out, quiet: quiet, terminal: terminal.IsTerminal(out), start: time.Now(), last: time.Now()}
}

// Cell takes in a finished run. The runner calls it for one at a time.
func (e *Progress) Cell(done, total int, cell string, cached bool) {
	if !cached {
		e.computed++
	}
	if e.quiet || cached && done < total {
		return
	}
	left := ""
	if e.computed > 0 && done < total {
		each := time.Since(e.start) / time.Duration(e.computed)
		left = ", about " + (each * time.Duration(total-done)).Round(time.Second).String() + " left"
	}
	text := fmt.Sprintf("run %d of %d%s; %s", done, total, left, cell)
	switch {
	case e.terminal:
		width, _ := terminal.Size(e.out)
		fmt.Fprint(e.out, "\r\x1b[K", terminal.Fit(text, width-1))
	case time.Since(e.last) >= terminal.Heartbeat || done == total:
		e.last = time.Now()
		fmt.Fprintln(e.out, text)
	}
}

// Note writes a line that must not get lost.
func (e *Progress) Note(text string) {
	if e.terminal {
		fmt.Fprintln(e.out)
	}
	fmt.Fprintln(e.out, "thm: "+text)
}

// End leaves the line.
func (e *Progress) End() {
	if e.terminal && !e.quiet {
		fmt.Fprintln(e.out)
	}
}
