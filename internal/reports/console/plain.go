package console

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// plainDisplay writes a line per finished claim, and one every heartbeat; one that is quiet only notes.
type plainDisplay struct {
	*terminal.Progress
	mu       sync.Mutex // never held while something is written
	now      func() time.Time
	progress progress
}

func newPlain(show *terminal.Progress, p progress, now func() time.Time) *plainDisplay {
	p.began = now()
	d := &plainDisplay{Progress: show, now: now, progress: p}
	d.SetText(d.beat)
	return d
}

// Begin writes a line that says which claims are verified, and how.
func (d *plainDisplay) Begin(text string) { d.Line("verifying " + text) }

// Event writes the row of a claim that is done.
func (d *plainDisplay) Event(e props.Event) {
	d.mu.Lock()
	d.progress.update(e, d.now())
	d.mu.Unlock()
	if e.Finished != nil {
		d.Line(d.progress.finishedLine(*e.Finished, terminal.Style{}))
	}
}

// beat writes the current state of the run.
func (d *plainDisplay) beat() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	running := list.Map(d.progress.running, func(t *task) string {
		return fmt.Sprintf("%s (%s, %s)", t.slug, t.stage, Count(t.cases))
	})
	if len(running) == 0 {
		return d.progress.status(d.now())
	}
	return d.progress.status(d.now()) + "; running: " + strings.Join(running, ", ")
}
