package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// plainDisplay writes a line per finished claim, and one every heartbeat.
type plainDisplay struct {
	terminal.Ticker
	mu       sync.Mutex
	out      io.Writer
	now      func() time.Time
	progress progress
}

func newPlain(out io.Writer, p progress, now func() time.Time, beats <-chan time.Time) *plainDisplay {
	p.began = now()
	d := &plainDisplay{out: out, now: now, progress: p}
	d.Start(beats, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		fmt.Fprintln(d.out, d.beat())
	})
	return d
}

// Begin writes a line: what is verified, and how.
func (d *plainDisplay) Begin(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(d.out, "verifying %s\n", text)
}

// Event writes the row of a claim that is done.
func (d *plainDisplay) Event(e props.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.progress.update(e, d.now())
	if e.Finished != nil {
		fmt.Fprintln(d.out, d.progress.finishedLine(*e.Finished, terminal.Style{}))
	}
}

// beat says what is going on.
func (d *plainDisplay) beat() string {
	var running []string
	for _, t := range d.progress.running {
		running = append(running, fmt.Sprintf("%s (%s, %s)", t.slug, t.stage, Count(t.cases)))
	}
	if len(running) == 0 {
		return d.progress.status(d.now())
	}
	return d.progress.status(d.now()) + "; running: " + strings.Join(running, ", ")
}

// Note writes a line.
func (d *plainDisplay) Note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintln(d.out, d.progress.program+": "+text)
}

// Close ends the heartbeat.
func (d *plainDisplay) Close() { d.Stop() }

// silent is the display of --quiet: only notes.
type silent struct {
	out     io.Writer
	program string
}

func (silent) Begin(string)       {}
func (silent) Event(props.Event)  {}
func (s silent) Note(text string) { fmt.Fprintln(s.out, s.program+": "+text) }
func (silent) Close()             {}
