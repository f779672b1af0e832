package conformance

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit"
)

// Progress writes a line when a kernel is done, and on a terminal, or every heartbeat elsewhere, how far it is.
type Progress struct {
	out      io.Writer
	quiet    bool
	terminal bool
	checks   int

	mu          sync.Mutex
	kernel      string
	done        int
	check       string
	start, last time.Time
}

// NewProgress shows a run of about as many checks of each kernel.
func NewProgress(out io.Writer, quiet bool, checks int) *Progress {
	return &Progress{out: out, quiet: quiet, terminal: terminal.IsTerminal(out), checks: checks}
}

// Begin starts with a kernel.
func (k *Progress) Begin(kernel string) {
	k.kernel, k.done, k.check = kernel, 0, ""
	k.start, k.last = time.Now(), time.Now()
}

// Event takes in a step of the kit: a stage is the name of the check that begins.
func (k *Progress) Event(e props.Event) {
	if k.quiet || e.Stage == "" || e.Stage == k.check {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.check = e.Stage
	k.done++
	line := fmt.Sprintf("%s: check %d of about %d, %s, %s", k.kernel, k.done, k.checks, k.check, since(k.start))
	switch {
	case k.terminal:
		width, _ := terminal.Size(k.out)
		fmt.Fprint(k.out, "\r\x1b[K", terminal.Fit(line, width-1))
	case time.Since(k.last) >= terminal.Heartbeat:
		k.last = time.Now()
		fmt.Fprintln(k.out, line)
	}
}

// End writes what a kernel came to.
func (k *Progress) End(text string) {
	if k.quiet {
		return
	}
	if k.terminal {
		fmt.Fprint(k.out, "\r\x1b[K")
	}
	if text != "" {
		text += ", "
	}
	fmt.Fprintf(k.out, "%s: %s%s\n", k.kernel, text, since(k.start))
}

// Note writes a line that must not get lost.
func (k *Progress) Note(text string) {
	if k.terminal {
		fmt.Fprintln(k.out)
	}
	fmt.Fprintln(k.out, "thm: "+text)
}

// counts says how many checks came to which verdict.
func counts(r *kernelkit.Result) string {
	text := ""
	for _, v := range []kernelkit.Verdict{kernelkit.Holds, kernelkit.Failed, kernelkit.Waived, kernelkit.Incomplete,
		kernelkit.Error, kernelkit.NotOffered} {
		if n := r.Counts[v]; n > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d %s", n, v)
		}
	}
	return text
}

// since is how long something took, for people.
func since(start time.Time) string { return fmt.Sprintf("%.1f s", time.Since(start).Seconds()) }
