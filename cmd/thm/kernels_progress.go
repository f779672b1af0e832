package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit"
)

// kernelsProgress writes a line when a kernel is done, and on a terminal, or every heartbeat elsewhere, how far it is.
type kernelsProgress struct {
	p        *program
	quiet    bool
	terminal bool
	checks   int

	mu          sync.Mutex
	kernel      string
	done        int
	check       string
	start, last time.Time
}

func (p *program) kernelsProgress(f kernelsFlags, checks int) *kernelsProgress {
	return &kernelsProgress{p: p, quiet: f.quiet, terminal: terminal.IsTerminal(p.Stderr), checks: checks}
}

func (k *kernelsProgress) begin(kernel string) {
	k.kernel, k.done, k.check = kernel, 0, ""
	k.start, k.last = time.Now(), time.Now()
}

// event takes in a step of the kit: a stage is the name of the check that begins.
func (k *kernelsProgress) event(e props.Event) {
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
		width, _ := terminal.Size(k.p.Stderr)
		fmt.Fprint(k.p.Stderr, "\r\x1b[K", terminal.Fit(line, width-1))
	case time.Since(k.last) >= terminal.Heartbeat:
		k.last = time.Now()
		fmt.Fprintln(k.p.Stderr, line)
	}
}

// end writes what a kernel came to.
func (k *kernelsProgress) end(text string) {
	if k.quiet {
		return
	}
	if k.terminal {
		fmt.Fprint(k.p.Stderr, "\r\x1b[K")
	}
	if text != "" {
		text += ", "
	}
	fmt.Fprintf(k.p.Stderr, "%s: %s%s\n", k.kernel, text, since(k.start))
}

func (k *kernelsProgress) note(text string) {
	if k.terminal {
		fmt.Fprintln(k.p.Stderr)
	}
	fmt.Fprintln(k.p.Stderr, "thm: "+text)
}

// counts says how many checks came to which verdict.
func counts(r *kernelkit.Result) string {
	text := ""
	for _, v := range []kernelkit.Verdict{kernelkit.Holds, kernelkit.Failed, kernelkit.Waived, kernelkit.Incomplete, kernelkit.Error, kernelkit.NotOffered} {
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
