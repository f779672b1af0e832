package study

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
)

const (
	nullFormat  = "thm.study.null/v1"
	powerFormat = "thm.study.power/v1"
)

// Options are those of a study.
type Options struct {
	Root        string // of this module
	Data        string // file of the raw data, begun or gone on with
	Comparisons int
	Seed        uint64
	Rounds      int
	Looks       int
	Pilot       int
	Benchtime   string
	Jobs        int // samples taken at the same time, in the study of instructions

	Progress func(done, planned int, left time.Duration) // may be nil
}

// workload is the package whose benchmarks are compared.
const workload = "./internal/gate/study/workload"

// runner is what the studies have in common: a binary, and a place for its copies.
type runner struct {
	Options
	scratch    *measure.Scratch
	source     measure.Binary
	benchmarks []measure.Benchmark
	journal    *journal
}

// enter builds the workload and opens the data.
func (o Options) enter(ctx context.Context, format, pattern string) (*runner, error) {
	found, err := measure.Packages(ctx, o.Root, workload)
	if err != nil {
		return nil, fmt.Errorf("%w; a study needs the source of this module, run it at its root or give -C", err)
	}
	scratch, err := measure.NewScratch()
	if err != nil {
		return nil, err
	}
	l := &runner{Options: o, scratch: scratch, source: measure.Binary{Package: found[0],
		Path: filepath.Join(scratch.Dir, "workload.test")}}
	if err := l.prepare(ctx, format, pattern); err != nil {
		l.leave()
		return nil, err
	}
	return l, nil
}

func (l *runner) prepare(ctx context.Context, format, pattern string) error {
	if err := measure.Build(ctx, l.source.Package, l.source.Path); err != nil {
		return err
	}
	names, failed, err := measure.Discover(ctx, l.source, pattern)
	if err != nil {
		return err
	}
	if len(failed) > 0 || len(names) == 0 {
		return fmt.Errorf("the workload does not run: %v", failed)
	}
	l.benchmarks = names
	commit, dirty := measure.Revision(ctx, l.Root)
	if dirty {
		commit += " and changes"
	}
	config, err := measure.BuildConfig(l.source.Path)
	if err != nil {
		return err
	}
	l.journal, err = open(l.Data, Plan{Format: format, Seed: l.Seed, Rounds: l.Rounds, Looks: l.Looks, Pilot: l.Pilot,
		Benchtime: l.Benchtime,
		Machine:   machine(config), Commit: commit, Started: time.Now().UTC().Truncate(time.Second)})
	return err
}

// machine describes where a study is made.
func machine(build [][2]string) string {
	var facts []string
	for _, c := range append(measure.Machine(), build...) {
		facts = append(facts, c[0]+" "+c[1])
	}
	return strings.Join(facts, ", ") + ", frequency " + measure.Frequency()
}

// leave removes the copies and closes the data.
func (l *runner) leave() {
	if l.journal != nil {
		_ = l.journal.file.Close() // every line is synced
	}
	_ = l.scratch.Remove()
}

// copies are fresh copies of the binary for a comparison, one for each arm: where a file lies in memory can make a
// difference, and must not be the same for all comparisons.
func (l *runner) copies(index int, env ...string) ([]measure.Binary, error) {
	var out []measure.Binary
	for k, arm := range diff.Arms {
		bin := l.source
		bin.Arm = arm
		bin.Path = filepath.Join(l.scratch.Dir, fmt.Sprintf("%d-%d.test", index, k))
		if err := measure.CopyBinary(bin.Path, l.source.Path); err != nil {
			return nil, err
		}
		if arm == diff.New {
			bin.Env = env
		}
		out = append(out, bin)
	}
	return out, nil
}

func remove(bins []measure.Binary) {
	for _, b := range bins {
		_ = os.Remove(b.Path) // the whole directory goes in the end
	}
}

// run makes comparisons until there are as many as wanted.
func (l *runner) run(ctx context.Context, compare func(ctx context.Context,
	index int) (Comparison, error)) (*Data, error) {
	began, first := time.Now(), len(l.journal.data.Comparisons)
	for i := first; i < l.Comparisons; i++ {
		if l.Progress != nil {
			left := time.Duration(0)
			if i > first {
				left = time.Since(began) / time.Duration(i-first) * time.Duration(l.Comparisons-i)
			}
			l.Progress(i, l.Comparisons, left)
		}
		before := measure.LoadAverage()
		c, err := compare(ctx, i)
		if err != nil {
			return l.journal.data, err
		}
		c.Index, c.At = i, time.Now().UTC().Truncate(time.Second)
		if after := measure.LoadAverage(); !math.IsNaN(before) && !math.IsNaN(after) {
			c.Load = []float64{before, after}
		}
		if err := l.journal.add(c); err != nil {
			return l.journal.data, err
		}
	}
	return l.journal.data, nil
}

// seedOf is the seed of a comparison's order.
func (l *runner) seedOf(index int) uint64 { return l.Seed<<20 + uint64(index) }

// gather puts samples into the rounds of their benchmarks.
func gather(benchmarks []measure.Benchmark, samples []measure.Sample) ([]Row, error) {
	rows := make([]Row, len(benchmarks))
	at := map[measure.Benchmark]*Row{}
	for i, b := range benchmarks {
		rows[i].Name = b.Name
		at[b] = &rows[i]
	}
	arm := map[string]int{diff.Old: 0, diff.Again: 1, diff.New: 2}
	for _, s := range samples {
		if s.Fail != "" {
			return nil, fmt.Errorf("%s failed: %s", s.Name, s.Fail)
		}
		seconds, _ := s.Result.Value("sec/op")
		row := at[s.Benchmark]
		for len(row.Rounds) <= s.Round {
			row.Rounds = append(row.Rounds, Rounds{})
		}
		row.Rounds[s.Round][arm[s.Arm]] = nanoseconds(seconds)
	}
	return rows, nil
}

// nanoseconds keeps four digits of a time: rounding is 0.05 % at most, little beside the noise, and the record stays
// small.
func nanoseconds(seconds float64) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(1e9*seconds, 'g', 4, 64), 64)
	return x
}

// logs are the first n rounds as blocks.
func logs(rounds []Rounds, n int) []blocks.Block {
	out := make([]blocks.Block, min(n, len(rounds)))
	for i := range out {
		r := rounds[i]
		out[i] = blocks.Block{Old: math.Log(r[0]), Again: math.Log(r[1]), New: math.Log(r[2])}
	}
	return out
}
