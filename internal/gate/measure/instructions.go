package measure

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
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

// Instructions counts the instructions that an operation executes while its timer runs: those of many iterations less
// those of few, so that a setup that the timer does not leave out cancels. The processes run on one processor
// (GOMAXPROCS=1) and do not collect garbage (GOGC=off). The binaries must have the hooks of package timer.
type Instructions struct {
	Counter counter.Counter
	Limit   time.Duration // of a process

	mu       sync.Mutex
	plans    map[Benchmark]plan // the same for all arms
	refused  map[[2]string]string
	cgo      map[string]string
	native   string // features of the processor, and of the one that was counted on
	emulated string
}

// plan is how a benchmark is counted.
type plan struct {
	iterations int
	note       string // what a reader of the count must know
}

// fewest is the number of iterations that go test runs besides the attempt with one: with it every attempt has been
// made once, as with any larger number.
const fewest = 2

// workTime is the time that the counted iterations take, unsimulated: some ten million instructions, to which the
// scheduler of Go, which preempts and looks after the program, adds a part in a thousand.
const workTime = "5ms"

// mostStopping is the number of iterations of a benchmark that stops its timer in each: a switch of the simulator costs
// it all that it had translated.
const mostStopping = 50

// minCounted is the number of instructions below which a difference comes from the scheduler and not from the
// benchmark.
const minCounted = 1e5

// Add counts a benchmark and adds the count to a sample of it. What cannot be counted is a reason in the sample, not an
// error; the only error comes from the context.
func (n *Instructions) Add(ctx context.Context, bin Binary, s *Sample) error {
	counts, plan, err := n.count(ctx, bin, s.Benchmark)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.Uncounted = excerpt(err.Error())
		return nil
	}
	s.Counted, s.Note, s.Functions = plan.iterations, plan.note, counts.Functions
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
	const longer = 1.4 // the process of many iterations at the same time, as measured for short benchmarks
	began := time.Now()
	_, err := n.process(ctx, bin, b, fewest)
	return time.Duration(float64(time.Since(began)) * longer), err
}

// Dropped reports whether the count of a sample was dropped for a reason that says nothing about the benchmark, if
// other samples of it were counted.
func (s Sample) Dropped() bool {
	return s.Uncounted == counter.ErrShared.Error() || strings.Contains(s.Uncounted, counter.Late)
}

// Lacking names the features of this machine's processor that the one lacks on which was counted.
func (n *Instructions) Lacking() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return counter.Lacking(n.native, n.emulated)
}

// Adopt takes over the iterations of samples that were counted before, so that all are counted alike.
func (n *Instructions) Adopt(samples []Sample) {
	for _, s := range samples {
		if s.Counted > 0 {
			n.remember(s.Benchmark, plan{s.Counted, s.Note})
		}
	}
}

func (n *Instructions) remember(b Benchmark, p plan) {
	if n.plans == nil {
		n.plans = map[Benchmark]plan{}
	}
	n.plans[b] = p
}

// count returns the counts of one operation.
func (n *Instructions) count(ctx context.Context, bin Binary, b Benchmark) (counter.Counts, plan, error) {
	p, err := n.inspect(ctx, bin, b)
	if err != nil {
		return counter.Counts{}, p, err
	}
	var few, many counter.Counts
	var errs [2]error
	var both sync.WaitGroup // a count does not mind what else the machine does
	both.Go(func() { few, errs[0] = n.process(ctx, bin, b, fewest) })
	both.Go(func() { many, errs[1] = n.process(ctx, bin, b, fewest+p.iterations) })
	both.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return few, p, err
	}
	d := many.Instructions - few.Instructions
	if !(d >= minCounted) {
		return many, p, fmt.Errorf("%d iterations execute %.3g instructions more than %d while the timer runs: it waits, "+
			"or does too little", fewest+p.iterations, d, fewest)
	}
	per := float64(p.iterations)
	c := counter.Counts{Instructions: d / per, Cycles: (many.Cycles - few.Cycles) / per}
	for name, x := range many.Functions {
		if x = (x - few.Functions[name]) / per; math.Abs(x) >= c.Instructions*leastShare {
			if c.Functions == nil {
				c.Functions = map[string]float64{}
			}
			c.Functions[name] = x
		}
	}
	return c, p, nil
}

// leastShare is the share of a function in the instructions of an operation below which it is not kept.
const leastShare = 1e-3

// alike is the environment in which counts repeat. Preemption by signals, which come at any time, is off: callgrind
// fails when it is switched on or off within one.
var alike = []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=off",
	"GODEBUG=" + strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=1", ",")}

// process counts a process with a number of iterations, and makes sure that it made them.
func (n *Instructions) process(ctx context.Context, bin Binary, b Benchmark, iterations int) (counter.Counts, error) {
	return n.Counter.Count(ctx, counter.Process{Path: bin.Path, Args: alone(b, strconv.Itoa(iterations)+"x"),
		Dir: bin.Package.Dir, Env: append(append([]string{}, bin.Env...), alike...), Limit: n.Limit, Prepare: detach,
		Read: func(printed []byte) error {
			n.mu.Lock()
			n.emulated = said(printed)[features]
			n.mu.Unlock()
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

// inspect finds how to count a benchmark, and refuses what no count would represent.
func (n *Instructions) inspect(ctx context.Context, bin Binary, b Benchmark) (plan, error) {
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
			return plan{}, ctx.Err()
		}
		n.refused[at] = reason
	}
	if reason != "" {
		return plan{}, errors.New(reason)
	}
	return n.plans[b], nil
}

func (n *Instructions) inspection(ctx context.Context, bin Binary, b Benchmark) string {
	if reason := n.usesC(ctx, bin.Package.Dir); reason != "" {
		return reason
	}
	if n.plans[b].iterations > 0 && n.native != "" {
		return ""
	}
	free := bin
	free.Env = append(append([]string{counter.Variable + "=native"}, bin.Env...), alike...)
	out := execute(ctx, free, alone(b, workTime)...)
	if out.err != nil || len(out.results) == 0 {
		return fmt.Sprintf("does not run without a collector: %v", out.err)
	}
	var hooked bool
	if n.native, hooked = out.said[features]; !hooked {
		return "was built without the hooks that begin and end a count"
	}
	p := plan{iterations: max(1, out.results[0].Iters)}
	if _, stops := out.said["stops"]; stops {
		p.iterations = min(p.iterations, mostStopping)
	}
	if _, parallel := out.said["parallel"]; parallel {
		p.note = "RunParallel, whose instructions were counted with one worker"
	}
	if n.plans[b].iterations == 0 {
		n.remember(b, p)
	}
	return ""
}

// features is the word before the features of the processor.
const features = "features"

// said are the words of the hooks among what a test binary printed, and what follows each.
func said(printed []byte) map[string]string {
	out := map[string]string{}
	for line := range bytes.Lines(printed) {
		if text, ok := strings.CutPrefix(string(line), "thm.count "); ok {
			word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
			out[word] = rest
		}
	}
	return out
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
