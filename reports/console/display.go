package console

import (
	"io"
	"os"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
)

// NewDisplay chooses how a run is shown on a stream.
func NewDisplay(out io.Writer, claims []string, quiet, noColor bool) display {
	switch {
	case quiet:
		return silent{out}
	case terminal.IsTerminal(out) && os.Getenv("TERM") != "dumb":
		return newLive(out, claims, terminal.StyleOf(out, noColor), func() (int, int) { return terminal.Size(out) },
			time.Now, time.Tick(100*time.Millisecond))
	}
	return newPlain(out, claims, time.Now, time.Tick(terminal.Heartbeat))
}
