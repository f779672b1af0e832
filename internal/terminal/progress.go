package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Progress shows how far a measurement is: on a terminal a line that is redrawn, elsewhere a line every heartbeat.
type Progress struct {
	Ticker
	mu    sync.Mutex
	out   io.Writer
	name  string // of the program
	live  bool
	width func() int
	quiet bool
	text  func() string // nil for no line
}

// NewProgress shows progress on out; notes begin with the name of the program. What is quiet shows notes only.
func NewProgress(out io.Writer, name string, quiet bool) *Progress {
	m := &Progress{out: out, name: name, quiet: quiet, live: IsTerminal(out) && os.Getenv("TERM") != "dumb",
		width: func() int { columns, _ := Size(out); return columns }}
	every := Heartbeat
	if m.live {
		every = 100 * time.Millisecond
	}
	m.Start(time.Tick(every), m.draw)
	return m
}

// draw writes the line as it is now.
func (m *Progress) draw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.quiet || m.text == nil:
	case m.live:
		fmt.Fprintf(m.out, "\r\x1b[K%s", Fit(m.text(), m.width()-1))
	default:
		fmt.Fprintln(m.out, m.text())
	}
}

// Set changes the line.
func (m *Progress) Set(text string) { m.SetText(func() string { return text }) }

// SetText is [Progress.Set] for a line that is what a function returns whenever it is drawn.
func (m *Progress) SetText(text func() string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.text = text
}

// Count says how far a number of equal steps is, and how long the rest will take.
func (m *Progress) Count(what string, done, planned int, left time.Duration) {
	text := fmt.Sprintf("%s: %d of %d (%d %%)", what, done, planned, 100*done/max(planned, 1))
	if left > 0 {
		text += ", about " + Clock(left) + " left"
	}
	m.Set(text)
}

// Note writes a line that stays.
func (m *Progress) Note(text string) { m.stay(m.name + ": " + text) }

// Line writes a line that stays, if it is not to be quiet.
func (m *Progress) Line(text string) {
	if !m.quiet {
		m.stay(text)
	}
}

func (m *Progress) stay(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
	fmt.Fprintln(m.out, text)
}

// Clear takes the line away until it is set again.
func (m *Progress) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.text = nil; m.live && !m.quiet {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}

// Close ends the display and clears its line.
func (m *Progress) Close() {
	m.Stop()
	m.Clear()
}

// Stopping is the note of the first Ctrl-C.
func (m *Progress) Stopping(string) {
	m.Note("stopping; what is measured is kept; Ctrl-C again quits at once")
}
