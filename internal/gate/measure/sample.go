package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Sample is one run of one benchmark.
type Sample struct {
	Benchmark
	Arm    string
	Round  int                      // from 0
	Load   float64                  // load average of the last minute when the sample was taken; NaN where unknown
	Result *benchfmt.Result         // nil if it failed
	Units  []*benchfmt.UnitMetadata // what the benchmark says of its units
	Fail   string                   // why there is no result; empty if there is one

	Counted   int    // iterations over which instructions were counted; 0 if they were not
	Uncounted string // why they were not, where they should have been
	Note      string // what a reader of the count must know

	Functions map[string]float64 // instructions of an operation in each function, of those that matter; nil if unknown
}

// Take runs a benchmark in a process of its own for a benchtime as go test has it, 100ms or 50x. A benchmark that
// fails, or whose output holds no result, is a sample with a reason, not an error; the only error comes from the
// context.
func Take(ctx context.Context, bin Binary, b Benchmark, round int, benchtime string) (Sample, error) {
	s := Sample{Benchmark: b, Arm: bin.Arm, Round: round, Load: LoadAverage()}
	out := execute(ctx, bin, alone(b, benchtime)...)
	if ctx.Err() != nil {
		return Sample{}, ctx.Err()
	}
	out.results = slices.DeleteFunc(out.results, func(r *benchfmt.Result) bool { return !named(r, b.Name) })
	s.Units = out.units
	switch {
	case out.err != nil:
		s.Fail = out.err.Error()
	case len(out.results) != 1:
		s.Fail = fmt.Sprintf("printed %d result lines, want 1", len(out.results))
	default:
		s.Result = out.results[0]
		if bad := unusable(s.Result); bad != "" {
			s.Result, s.Fail = nil, bad
		}
	}
	return s, nil
}

// alone are the arguments that run one benchmark: not those whose names begin with its name and a slash. The verbose
// output has a line for the result alone, whatever the benchmark prints.
func alone(b Benchmark, benchtime string) []string {
	return []string{"-test.run", "^$", "-test.bench", exactly(b.Name), "-test.skip", exactly(b.Name) + "/.",
		"-test.benchtime", benchtime, "-test.count", "1", "-test.benchmem", "-test.v", "-test.timeout", "30m"}
}

// exactly is a pattern of go test -bench that matches one benchmark only.
func exactly(name string) string {
	elements := strings.Split("Benchmark"+name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// procs is the GOMAXPROCS that go test appends to a name when it is not 1.
var procs = regexp.MustCompile(`-[0-9]+$`)

// Bare is the name of a result without GOMAXPROCS.
func Bare(name string) string { return procs.ReplaceAllString(name, "") }

// named reports whether a result has a name, with GOMAXPROCS or without.
func named(r *benchfmt.Result, name string) bool {
	full := string(r.Name)
	return full == name || Bare(full) == name
}

// unusable says what makes a result worthless, if anything does. A zero is fine: 0 allocs/op. So is a result without a
// time, which a benchmark suppresses by reporting 0 ns/op.
func unusable(r *benchfmt.Result) string {
	for _, v := range r.Values {
		if !(v.Value >= -math.MaxFloat64 && v.Value <= math.MaxFloat64) {
			return fmt.Sprintf("%s is %v", v.Unit, v.Value)
		}
		if v.Unit == "sec/op" && !(v.Value > 0) {
			return fmt.Sprintf("%s is %v: nothing was timed", v.Unit, v.Value)
		}
	}
	if len(r.Values) == 0 {
		return "printed no number"
	}
	return ""
}

// output holds the output of a test binary.
type output struct {
	results []*benchfmt.Result
	units   []*benchfmt.UnitMetadata
	said    map[string]string // by the hooks of package timer
	err     error
}

// maxOutput is the number of bytes of a benchmark's output that are looked at, at the beginning and at the end each.
const maxOutput = 1 << 20

// execute runs a test binary and reads the results it prints.
func execute(ctx context.Context, bin Binary, args ...string) (out output) {
	cmd := exec.CommandContext(ctx, bin.Path, args...)
	cmd.Dir = bin.Package.Dir
	cmd.Env = append(os.Environ(), append(bin.Env, "PWD="+bin.Package.Dir)...)
	detach(cmd)
	printed, complained := &ends{highest: maxOutput}, &ends{highest: 1 << 12}
	cmd.Stdout, cmd.Stderr = printed, complained
	err := cmd.Run()
	out = readOutput(ownLines(printed.text()))
	out.said = said(printed.text())
	if err != nil {
		out.err = errors.New(strings.TrimRight(fmt.Sprintf("%v: %s", err,
			complaint(string(printed.text()), string(complained.text()))), ": "))
	}
	return out
}

// resultLine matches the line that package testing prints for a benchmark, after whatever the benchmark has printed on
// that line.
var resultLine = regexp.MustCompile(`Benchmark\S* *\t *[0-9]+\t.*$`)

// ownLines keeps what package testing and TestMain print: results, units, and configuration before the first benchmark
// runs. The rest is the benchmarks' own, which can look like anything.
func ownLines(printed []byte) []byte {
	var kept []byte
	running := false
	for line := range bytes.Lines(printed) {
		line = bytes.TrimRight(line, "\r\n")
		result := resultLine.Find(line)
		running = running || bytes.HasPrefix(line, []byte("Benchmark")) || result != nil
		switch {
		case result != nil:
			line = result
		case !running, bytes.HasPrefix(line, []byte("Unit ")):
		default:
			continue
		}
		kept = append(append(kept, line...), '\n')
	}
	return kept
}

// readOutput collects results and units. Other lines are not ours to judge; a broken result line is an error.
func readOutput(printed []byte) (out output) {
	reader := benchfmt.NewReader(bytes.NewReader(printed), "output")
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.Result:
			out.results = append(out.results, rec.Clone())
		case *benchfmt.UnitMetadata:
			out.units = append(out.units, rec)
		case *benchfmt.SyntaxError:
			out.err = errors.New(excerpt(rec.Error()))
		}
	}
	if err := reader.Err(); err != nil {
		out.err = errors.New(excerpt(err.Error()))
	}
	return out
}

// complaint picks what explains a failure from a program's output: what follows the first mark of a failure.
func complaint(printed, said string) string {
	text := printed + said
	for _, mark := range []string{"--- FAIL", "panic:", "fatal error:"} {
		at := strings.Index(text, mark)
		if at < 0 {
			continue
		}
		if end := strings.IndexByte(text[at:], '\n'); mark == "--- FAIL" && end >= 0 {
			logged := logLine.FindAllString(text[:at], -1)
			return excerpt(strings.Join(slices.Concat([]string{text[at : at+end]}, logged, []string{text[at+end:]}), " "))
		}
		return excerpt(text[at:])
	}
	return excerpt(said)
}

// logLine matches a line that b.Log or b.Fatal prints, before the line of the failure.
var logLine = regexp.MustCompile(`(?m)^ +\S+\.go:[0-9]+: .*$`)

// ends keeps the beginning and the end of what is written to it.
type ends struct {
	first, last []byte
	highest     int // of each
}

var _ io.Writer = (*ends)(nil)

func (e *ends) Write(p []byte) (int, error) {
	keep := min(len(p), e.highest-len(e.first))
	e.first = append(e.first, p[:keep]...)
	if e.last = append(e.last, p[keep:]...); len(e.last) > 2*e.highest {
		e.last = slices.Clone(e.last[len(e.last)-e.highest:])
	}
	return len(p), nil
}

// text returns what was kept, with a line break where something is missing.
func (e *ends) text() []byte {
	if lost := len(e.last) - e.highest; lost > 0 {
		return slices.Concat(e.first, []byte("\n"), e.last[lost:])
	}
	return slices.Concat(e.first, e.last)
}

// unknownLoad is the load average where the system does not tell.
var unknownLoad = math.NaN()

// LoadAverage is the load average of the last minute.
func LoadAverage() float64 {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return unknownLoad
	}
	first, _, _ := strings.Cut(string(b), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return unknownLoad
	}
	return load
}
