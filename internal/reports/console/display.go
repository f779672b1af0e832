package console

import (
	"io"
	"os"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
)

// Progress says how a run is shown.
type Progress struct {
	Program              string // the name that notes begin with
	Quiet, NoColor, JSON bool
	Costs                map[string]float64 // estimated seconds of processor time, by slug
	Jobs                 int
	Undivided            bool // this process does all of the work, so the rest can be estimated
}

// NewDisplay chooses how a run is shown on a stream.
func NewDisplay(out io.Writer, claims []string, o Progress) display {
	p := progress{claims: claims, began: time.Now(), jobs: o.Jobs, part: !o.Undivided}
	if o.Undivided {
		p.costs = o.Costs
	}
	switch {
	case o.Quiet:
	case o.JSON:
		return &lines{out: out, progress: p}
	case terminal.IsTerminal(out) && os.Getenv("TERM") != "dumb":
		return newLive(out, p, terminal.StyleOf(out, o.NoColor), func() (int, int) { return terminal.Size(out) },
			time.Now, time.Tick(100*time.Millisecond))
	}
	return newPlain(terminal.NewProgress(out, o.Program, o.Quiet), p, time.Now)
}
