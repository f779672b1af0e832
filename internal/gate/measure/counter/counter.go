// Package counter counts the instructions that a process executes in user mode between its requests to start and stop.
// It uses hardware counters where the kernel allows them, and otherwise runs the process under callgrind, a simulator
// of valgrind.
//
// A count measures the work of the code and not its time. It does not include waiting, and reflects locality only as
// far as the simulated caches do. In return, other programs on the machine hardly affect it.
//
// The timer of a benchmark controls the counter: a test binary is built with a package testing that has a few more
// lines, so that starting, stopping and resetting the timer also switch the counter. Work while the timer is stopped,
// or before it is reset, is not counted, just as it is not timed.
package counter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Process describes the program that is run.
type Process struct {
	Path    string
	Args    []string
	Dir     string
	Env     []string                  // added to the environment, NAME=VALUE
	Prepare func(cmd *exec.Cmd)       // may be nil
	Limit   time.Duration             // after which the process is ended
	Read    func(stdout []byte) error // looks at what it printed
}

// Variable is the environment variable that tells a process who counts, so that it knows whom to ask. Package timer
// has the hooks that do: with "valgrind" they are requests to the simulator, with "perf" calls of ioctl on the
// descriptor 3. With "native" nothing is counted, and the process says what it sees of itself.
const Variable = "THM_COUNT"

// Counts holds the counts of the parts that a process let count.
type Counts struct {
	Instructions float64
	// Cycles is an estimate, for counters that simulate caches: Ir + 10·L1m + 100·LLm, with the instructions Ir, the
	// misses of the first-level caches L1m (instructions, reads, writes) and the misses of the last level LLm. It is the
	// estimate of KCachegrind; NaN elsewhere.
	Cycles float64
	// Functions are the instructions of each function without those that it calls, for counters that tell them apart.
	Functions map[string]float64
}

// Counter counts.
type Counter interface {
	// String names the counter with its version, for the configuration of a file.
	String() string
	// Caches reports whether it simulates caches, and the rest of a processor that may lack features of this machine's.
	Caches() bool
	// Count runs a process to its end.
	Count(ctx context.Context, p Process) (Counts, error)
}

// ErrShared is the error of a count for which the hardware counter was scheduled only a part of the time. It says
// nothing about the process, and the sample is dropped.
var ErrShared = errors.New("the hardware counter was lent to others for a while")

// Late is the part of the error of a process that did not end in time. On a busy machine it says nothing about the
// process either, if others like it did.
const Late = "did not end within"

// Find returns the best counter of this machine. With caches it is one that simulates them.
func Find(ctx context.Context, caches bool) (Counter, error) {
	why := errors.New("the hardware simulates no caches")
	if !caches {
		var hardware Counter
		if hardware, why = newHardware(); why == nil {
			return hardware, nil
		}
	}
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, fmt.Errorf("instructions cannot be counted: %w, and there is no valgrind; install it, as with "+
			"apt-get install valgrind", why)
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", path, err)
	}
	return &callgrind{path: path, version: strings.TrimSpace(string(out))}, nil
}

// command prepares a process. One that does not end within its limit is ended, with its children.
func command(ctx context.Context, p Process, path string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), append(p.Env, "PWD="+p.Dir)...)
	if p.Prepare != nil {
		p.Prepare(cmd)
	}
	cmd.WaitDelay = time.Second
	return cmd
}

// ended turns the end of a process into a sentence.
func ended(ctx context.Context, p Process, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf(Late+" %v", p.Limit)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}
