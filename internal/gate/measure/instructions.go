package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/measure/counter"
)

// The units of counts.
const (
	InstructionUnit = "instructions/op"
	CycleUnit       = "estimated-cycles/op"
)

// Instructions counts the instructions that an operation executes: those of a process with many iterations less those
// of one with few, so that the start of the program, the setup of the benchmark and the collections before it cancel.
// The processes run on one processor (GOMAXPROCS=1) and do not collect garbage (GOGC=off). Several goroutines may use
// one.
type Instructions struct {
	Counter counter.Counter
	Limit   time.Duration // of a process

	mu         sync.Mutex
	iterations map[Benchmark]int // the same for all arms
	refused    map[[2]string]string
	cgo        map[string]string
}

// fewest is the number of iterations that go test runs besides the attempt with one: with it every attempt has been
// made once, as with any larger number.
const fewest = 2

// workTime is how long the iterations take that are counted, unsimulated. The counts of two runs of one
// program differ by some 100 000 instructions, from its start and the clock; this is a thousand times as much.
const workTime = "40ms"

// minCounted is the number of instructions below which a difference is that of the start and not of the benchmark.
const minCounted = 5e6

// Add counts a benchmark and adds the count to a sample of it. What cannot be counted is a reason in the sample, not an
// error; the only error is that of the context.
func (n *Instructions) Add(ctx context.Context, bin Binary, s *Sample) error {
	counts, iterations, err := n.count(ctx, bin, s.Benchmark)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.Uncounted = excerpt(err.Error())
		return nil
	}
	s.Counted = iterations
	values := []benchfmt.Value{{Value: counts.Instructions, Unit: InstructionUnit}}
	if !math.IsNaN(counts.Cycles) {
		values = append(values, benchfmt.Value{Value: counts.Cycles, Unit: CycleUnit})
	}
	for _, v := range values {
		s.Result.Values = append(s.Result.Values, v)
		s.Units = append(s.Units, &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: v.Unit,
			Key: "better"}, OrigUnit: v.Unit, Value: "lower"})
	}
	return nil
}

// Try returns how long a sample's counting takes, from one process of few iterations.
func (n *Instructions) Try(ctx context.Context, bin Binary, b Benchmark) (time.Duration, error) {
	const longer = 1.4 // the process of many iterations, as measured for short benchmarks
	began := time.Now()
	_, err := n.process(ctx, bin, b, fewest)
	return time.Duration(float64(time.Since(began)) * (1 + longer)), err
}

// Dropped reports whether the count of a sample was dropped for a reason that says nothing about the benchmark.
func (s Sample) Dropped() bool { return s.Uncounted == counter.ErrShared.Error() }

// Adopt takes over the iterations of samples that were counted before, so that all are counted alike.
func (n *Instructions) Adopt(samples []Sample) {
	for _, s := range samples {
		if s.Counted > 0 {
			n.remember(s.Benchmark, s.Counted)
		}
	}
}

func (n *Instructions) remember(b Benchmark, iterations int) {
	if n.iterations == nil {
		n.iterations = map[Benchmark]int{}
	}
	n.iterations[b] = iterations
}

// count returns the counts of one operation.
func (n *Instructions) count(ctx context.Context, bin Binary, b Benchmark) (counter.Counts, int, error) {
	iterations, err := n.inspect(ctx, bin, b)
	if err != nil {
		return counter.Counts{}, 0, err
	}
	few, err := n.process(ctx, bin, b, fewest)
	if err != nil {
		return few, 0, err
	}
	many, err := n.process(ctx, bin, b, fewest+iterations)
	if err != nil {
		return many, 0, err
	}
	d := many.Instructions - few.Instructions
	if !(d >= minCounted) {
		return many, 0, fmt.Errorf("%d iterations execute %.3g instructions more than %d: it waits, or does not iterate",
			fewest+iterations, d, fewest)
	}
	per := float64(iterations)
	return counter.Counts{Instructions: d / per, Cycles: (many.Cycles - few.Cycles) / per}, iterations, nil
}

// alike is the environment in which counts repeat.
var alike = []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=off"}

// process counts a process with a number of iterations, and makes sure that it made them.
func (n *Instructions) process(ctx context.Context, bin Binary, b Benchmark, iterations int) (counter.Counts, error) {
	return n.Counter.Count(ctx, counter.Process{Path: bin.Path, Args: alone(b, strconv.Itoa(iterations)+"x"),
		Dir: bin.Package.Dir, Env: append(append([]string{}, bin.Env...), alike...), Limit: n.Limit, Prepare: detach,
		Read: func(printed []byte) error {
			for _, r := range readOutput(ownLines(printed)).results {
				if !named(r, b.Name) {
					continue
				}
				if r.Iters != iterations {
					return fmt.Errorf("ended after %d of %d iterations", r.Iters, iterations)
				}
				return nil
			}
			return errors.New("printed no result where it was counted")
		}})
}

// inspect finds the number of iterations, and refuses what a count on one processor would misrepresent.
func (n *Instructions) inspect(ctx context.Context, bin Binary, b Benchmark) (iterations int, _ error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.refused == nil {
		n.refused = map[[2]string]string{}
	}
	at := [2]string{bin.Path, b.String()}
	reason, known := n.refused[at]
	if !known {
		reason = n.inspection(ctx, bin, b)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		n.refused[at] = reason
	}
	if reason != "" {
		return 0, errors.New(reason)
	}
	return n.iterations[b], nil
}

func (n *Instructions) inspection(ctx context.Context, bin Binary, b Benchmark) string {
	if reason := n.usesC(ctx, bin.Package.Dir); reason != "" {
		return reason
	}
	if n.iterations[b] == 0 {
		free := bin
		free.Env = append(append([]string{}, bin.Env...), alike...)
		out := execute(ctx, free, alone(b, workTime)...)
		if out.err != nil || len(out.results) == 0 {
			return fmt.Sprintf("does not run without a collector: %v", out.err)
		}
		n.remember(b, max(1, out.results[0].Iters))
	}
	return parallel(ctx, bin, b, 5*n.iterations[b])
}

// usesC names a package outside of the standard library that calls C: threads and libraries of C are not Go's to set.
func (n *Instructions) usesC(ctx context.Context, dir string) string {
	if reason, known := n.cgo[dir]; known {
		return reason
	}
	out, err := command(ctx, dir, nil, "go", "list", "-deps", "-test", "-f",
		"{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}", ".")
	reason := ""
	if calls := strings.Fields(out); err != nil {
		reason = err.Error()
	} else if len(calls) > 0 {
		reason = "uses cgo, in " + calls[0]
	}
	if n.cgo == nil {
		n.cgo = map[string]string{}
	}
	n.cgo[dir] = reason
	return reason
}

// Lines that the Go scheduler and the collector print on request: the beginning of a look, a goroutine that runs or
// could run, and the end of a collection.
var (
	look      = regexp.MustCompile(`(?m)^SCHED [0-9]+ms: `)
	active    = regexp.MustCompile(`(?m)^  G[0-9]+: status=[12]\(`)
	collected = regexp.MustCompile(`(?m)^gc [0-9]+ @.*$`)
)

// fewestLooks are those below which they tell nothing.
const fewestLooks = 10

// parallel says that a benchmark keeps several goroutines at work, as the scheduler reports every few milliseconds
// while it may run on four processors: so in more than a quarter of the looks. Processors would tell less: on a busy
// machine those that look for work stand still while they do. The collections that go test makes before each attempt
// have goroutines of their own, for longer there than the benchmark runs; what counts are the looks after the last of
// them.
func parallel(ctx context.Context, bin Binary, b Benchmark, iterations int) string {
	cmd := exec.CommandContext(ctx, bin.Path, alone(b, strconv.Itoa(iterations)+"x")...)
	cmd.Dir = bin.Package.Dir
	cmd.Env = append(append(os.Environ(), bin.Env...), "PWD="+bin.Package.Dir, "GOMAXPROCS=4", "GOGC=off",
		"GODEBUG=schedtrace=5,scheddetail=1,gctrace=1")
	detach(cmd)
	said := &ends{highest: 1 << 24} // a line for each goroutine and look
	cmd.Stderr = said
	if err := cmd.Run(); err != nil {
		return excerpt("fails on four processors: " + err.Error())
	}
	if several, all := busy(said.text()); all >= fewestLooks && 4*several > all {
		return fmt.Sprintf("runs goroutines on several threads: so in %d of %d looks", several, all)
	}
	return ""
}

// busy counts the looks after the last collection, and those of them with several active goroutines.
func busy(said []byte) (several, all int) {
	if gcs := collected.FindAllIndex(said, -1); len(gcs) > 0 {
		said = said[gcs[len(gcs)-1][1]:]
	}
	begins := append(look.FindAllIndex(said, -1), []int{len(said)})
	for i, at := range begins[:len(begins)-1] {
		all++
		if len(active.FindAll(said[at[0]:begins[i+1][0]], 2)) == 2 {
			several++
		}
	}
	return several, all
}
