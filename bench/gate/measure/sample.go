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
}

// Take runs a benchmark in a process of its own for a benchtime as go test has it, 100ms or 50x. A benchmark that
// fails, or whose output holds no result, is a sample with a reason, not an error; the only error is that of the
// context.
func Take(ctx context.Context, bin Binary, b Benchmark, round int, benchtime string) (Sample, error) {
	s := Sample{Benchmark: b, Arm: bin.Arm, Round: round, Load: LoadAverage()}
	out := execute(ctx, bin, "-test.run", "^$", "-test.bench", exactly(b.Name), "-test.benchtime", benchtime,
		"-test.count", "1", "-test.benchmem", "-test.timeout", "30m")
	if ctx.Err() != nil {
		return Sample{}, ctx.Err()
	}
	s.Units = out.units
	switch {
	case out.err != nil:
		s.Fail = out.err.Error()
	case len(out.results) != 1:
		s.Fail = fmt.Sprintf("printed %d result lines, want 1", len(out.results))
	case !named(out.results[0], b.Name):
		s.Fail = fmt.Sprintf("printed a result of %s", excerpt(string(out.results[0].Name)))
	default:
		s.Result = out.results[0]
		if bad := unusable(s.Result); bad != "" {
			s.Result, s.Fail = nil, bad
		}
	}
	return s, nil
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

// unusable says what makes a result worthless, if anything does. A zero is fine: 0 allocs/op.
func unusable(r *benchfmt.Result) string {
	for _, v := range r.Values {
		if !(v.Value >= -math.MaxFloat64 && v.Value <= math.MaxFloat64) {
			return fmt.Sprintf("%s is %v", v.Unit, v.Value)
		}
		if v.Unit == "sec/op" && !(v.Value > 0) {
			return fmt.Sprintf("%s is %v: nothing was timed", v.Unit, v.Value)
		}
	}
	if _, ok := r.Value("sec/op"); !ok {
		return "printed no time"
	}
	return ""
}

// output is what a test binary printed.
type output struct {
	results []*benchfmt.Result
	units   []*benchfmt.UnitMetadata
	err     error
}

// maxOutput is how much of what a benchmark prints is looked at, in bytes.
const maxOutput = 1 << 20

// execute runs a test binary and reads the results it prints.
func execute(ctx context.Context, bin Binary, args ...string) (out output) {
	cmd := exec.CommandContext(ctx, bin.Path, args...)
	cmd.Dir = bin.Package.Dir
	cmd.Env = append(os.Environ(), append(bin.Env, "PWD="+bin.Package.Dir)...)
	detach(cmd)
	printed, said := &head{highest: maxOutput}, &head{highest: 1 << 12}
	cmd.Stdout, cmd.Stderr = printed, said
	err := cmd.Run()
	out = readOutput(printed.text.Bytes())
	switch {
	case err != nil:
		out.err = errors.New(strings.TrimRight(fmt.Sprintf("%v: %s", err,
			complaint(printed.text.String(), said.text.String())), ": "))
	case printed.full:
		out.err = fmt.Errorf("printed more than %d bytes", maxOutput)
	}
	return out
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
		if at := strings.Index(text, mark); at >= 0 {
			return excerpt(text[at:])
		}
	}
	return excerpt(said)
}

// head keeps the beginning of what is written to it.
type head struct {
	text    bytes.Buffer
	highest int
	full    bool
}

var _ io.Writer = (*head)(nil)

func (h *head) Write(p []byte) (int, error) {
	keep := p[:min(len(p), h.highest-h.text.Len())]
	h.full = h.full || len(keep) < len(p)
	h.text.Write(keep)
	return len(p), nil
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

// Batch runs benchmarks as go test -bench -count does, in one process, and returns the results as they came. Anything
// that goes wrong is an error.
func Batch(ctx context.Context, bin Binary, pattern string, count int, benchtime string) ([]*benchfmt.Result, error) {
	out := execute(ctx, bin, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", benchtime,
		"-test.count", strconv.Itoa(count), "-test.timeout", "30m")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out.results, out.err
}
