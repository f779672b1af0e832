package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit"
	"github.com/thm-suite/thm/props/results"
)

// ChildCommand is the name of the subcommand that runs checks of a library in a process of its own.
const ChildCommand = "kernels-child"

// childLine is a line of output of the child: a check that it begins, a request to the library, or the result of the
// check.
type childLine struct {
	Begin  string                 `json:"begin,omitempty"`
	Asked  string                 `json:"asked,omitempty"` // of the library
	Result *kernelkit.CheckResult `json:"result,omitempty"`
}

// Child reads the names of checks, one per line, runs them on a kernel, and writes the begin and the result of each.
func Child(ctx context.Context, e Entrant, o kernelkit.Options, in io.Reader, out io.Writer) error {
	restore, err := e.Begin()
	if err != nil {
		return err
	}
	defer restore()
	say := json.NewEncoder(out)
	byName := map[string]kernelkit.Check{}
	for _, c := range kernelkit.Checks() {
		byName[c.Name] = c
	}
	o.Asked = func(what string) { _ = say.Encode(childLine{Asked: what}) } // that the parent is gone is noticed below

	o.Jobs = 1 // its number of threads must not be set while it is at work
	for lines := bufio.NewScanner(in); lines.Scan(); {
		c, known := byName[lines.Text()]
		if !known {
			return fmt.Errorf("no check is called %q", lines.Text())
		}
		if err := say.Encode(childLine{Begin: c.Name}); err != nil {
			return err
		}
		began := time.Now()
		row := kernelkit.RunOne(ctx, c, e.Kernel, o)
		if err := say.Encode(childLine{Result: &row}); err != nil {
			return err
		}
		if o.Limit > 0 && time.Since(began) >= o.Limit {
			return nil // the library may be at work still: the next check gets a process without it
		}
	}
	return nil
}

// isolated runs checks on a library in another process, so that one that hangs or crashes fails a check and ends
// nothing else: the checks after it run in a new process. It reports whether all processes came to their end.
func isolated(ctx context.Context, e Entrant, checks []kernelkit.Check,
	o kernelkit.Options) (rows []kernelkit.CheckResult, sound bool, err error) {
	sound = true
	for len(checks) > 0 {
		done, asked, failure, err := oneChild(ctx, e, checks, o)
		if err != nil {
			return nil, false, err
		}
		rows, checks = append(rows, done...), checks[len(done):]
		if failure == "" || len(checks) == 0 { // a process may also fail to end well after its last check
			sound = sound && failure == "" && len(checks) == 0
			continue
		}
		row := kernelkit.CheckResult{Check: checks[0].Name, Part: checks[0].Part, Doc: checks[0].Doc,
			Verdict: kernelkit.Failed, Ratio: results.Number(math.Inf(1)), Message: failure, Counterexample: asked}
		if ctx.Err() != nil {
			row.Verdict, row.Message = kernelkit.Incomplete, "the run was stopped"
		}
		rows, checks, sound = append(rows, row), checks[1:], false
	}
	return rows, sound, nil
}

// grace is the time that a process has beyond the limit of a check, to say itself that the check did not come back.
const grace = 5 * time.Second

// oneChild runs checks in one process until all are done, or it ends. It returns the finished checks, the last request
// to the library, and the reason why it stopped early; the reason is empty if it ended by itself, after the last check
// or after one that did not return.
func oneChild(ctx context.Context, e Entrant, checks []kernelkit.Check,
	o kernelkit.Options) (rows []kernelkit.CheckResult, asked, failure string, err error) {
	if ctx.Err() != nil {
		return nil, "", "stopped", nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	program, err := os.Executable()
	if err != nil {
		return nil, "", "", err
	}
	cmd := exec.CommandContext(ctx, program, append(append([]string{ChildCommand}, e.asked()...), "--effort",
		string(o.Effort), "--seed", fmt.Sprint(o.Seed), "--timeout", o.Limit.String())...)
	cmd.Args[0] = os.Args[0]
	var names strings.Builder
	for _, c := range checks {
		names.WriteString(c.Name + "\n")
	}
	var said strings.Builder
	cmd.Stdin, cmd.Stderr = strings.NewReader(names.String()), &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", "", err
	}
	var hung atomic.Bool
	timer := time.AfterFunc(o.Limit+grace, func() {
		hung.Store(true)
		cancel()
	})
	defer timer.Stop()
	begun := false
	for lines := json.NewDecoder(out); ; {
		var line childLine
		if lines.Decode(&line) != nil {
			break
		}
		timer.Reset(o.Limit + grace)
		switch {
		case line.Result != nil:
			rows = append(rows, *line.Result)
		case line.Asked != "":
			asked = "asked last: " + line.Asked + "\n"
		default:
			begun = true
			if o.Progress != nil {
				o.Progress(props.Event{Stage: line.Begin})
			}
		}
	}
	ended := cmd.Wait()
	switch {
	case hung.Load():
		return rows, asked, fmt.Sprintf("no answer within %v: it hangs, or is too slow for --timeout", o.Limit), nil
	case !begun && ended != nil:
		return nil, "", "", errors.New(firstLine(said.String(), ended))
	case ended == nil && len(rows) > 0:
		return rows, "", "", nil
	}
	return rows, asked, "the process ended: " + firstLine(said.String(), ended), nil
}

// firstLine returns the first line that a process said, or how it ended.
func firstLine(said string, ended error) string {
	if line, _, _ := strings.Cut(strings.TrimSpace(said), "\n"); line != "" {
		return line
	}
	return fmt.Sprint(ended)
}
