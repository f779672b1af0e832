package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// meter shows how far a measurement is: on a terminal a line that is redrawn, elsewhere a line every heartbeat.
type meter struct {
	clockwork
	mu    sync.Mutex
	out   io.Writer
	name  string // of the program
	live  bool
	width func() int
	quiet bool
	text  string
}

// newMeter shows progress on out; notes begin with the name of the program. What is quiet shows notes only.
func newMeter(out io.Writer, name string, quiet bool) *meter {
	m := &meter{out: out, name: name, quiet: quiet, live: isTerminal(out) && os.Getenv("TERM") != "dumb",
		width: func() int { columns, _ := size(out); return columns }}
	every := heartbeat
	if m.live {
		every = 100 * time.Millisecond
	}
	m.start(time.Tick(every), m.draw)
	return m
}

// draw writes the line as it is now.
func (m *meter) draw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.quiet || m.text == "":
	case m.live:
		fmt.Fprintf(m.out, "\r\x1b[K%s", fit(m.text, m.width()-1))
	default:
		fmt.Fprintln(m.out, m.text)
	}
}

// set changes the line.
func (m *meter) set(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.text = text
}

// count says how far a number of equal steps is, and how long the rest will take.
func (m *meter) count(what string, done, planned int, left time.Duration) {
	text := fmt.Sprintf("%s: %d of %d (%d %%)", what, done, planned, 100*done/max(planned, 1))
	if left > 0 {
		text += ", about " + clock(left) + " left"
	}
	m.set(text)
}

// note writes a line that stays.
func (m *meter) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
	fmt.Fprintln(m.out, m.name+": "+text)
}

// Close ends the display and clears its line.
func (m *meter) Close() {
	m.close()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live && !m.quiet {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}

// stopping is the note of the first Ctrl-C.
func (m *meter) stopping(string) {
	m.note("stopping; what is measured is kept; Ctrl-C again quits at once")
}
