package measure

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/measure/counter"
)

// pretended runs a process as it is, and counts a million instructions for each iteration that it was asked for.
type pretended struct {
	each   float64
	asked  []int
	failed error
}

func (p *pretended) String() string { return "pretended" }
func (p *pretended) Note() string   { return "" }

func (p *pretended) Count(ctx context.Context, run counter.Process) (counter.Counts, error) {
	if p.failed != nil {
		return counter.Counts{}, p.failed
	}
	n := 0
	for i, word := range run.Args {
		if word == "-test.benchtime" {
			n, _ = strconv.Atoi(strings.TrimSuffix(run.Args[i+1], "x"))
		}
	}
	p.asked = append(p.asked, n)
	cmd := exec.CommandContext(ctx, run.Path, run.Args...)
	cmd.Dir, cmd.Env = run.Dir, run.Env
	out, err := cmd.Output()
	if err != nil {
		return counter.Counts{}, err
	}
	return counter.Counts{Instructions: 5e6 + p.each*float64(n), Cycles: math.NaN()}, run.Read(out)
}

// counting counts a benchmark over seven iterations, without a look at its threads: it is over too soon.
func counting(bin Binary, b Benchmark, c counter.Counter) *Instructions {
	n := &Instructions{Counter: c, Limit: time.Minute, refused: map[[2]string]string{{bin.Path, b.String()}: ""}}
	n.Adopt([]Sample{{Benchmark: b, Counted: 7}})
	return n
}

// The count of an operation is a difference, in which the start cancels; the same number of iterations is counted every
// time, also after an interruption.
func TestInstructions(t *testing.T) {
	p := &pretended{each: 1e6}
	bin, fine := fake(t, "bad"), Benchmark{"fake/bad", "Fine"}
	s := Session{Binaries: []Binary{bin}, Seed: 1, Benchtime: "1x", Count: counting(bin, fine, p)}
	samples, err := s.Take(t.Context(), []Benchmark{fine}, 0, 2)
	require.NoError(t, err)
	require.Empty(t, samples[0].Uncounted)
	require.Equal(t, []int{2, 9, 2, 9}, p.asked)
	for _, sample := range samples {
		require.Empty(t, sample.Uncounted)
		require.Equal(t, 7, sample.Counted)
		x, ok := sample.Result.Value(InstructionUnit)
		require.True(t, ok)
		require.EqualValues(t, 1e6, x)
		_, ok = sample.Result.Value("sec/op")
		require.True(t, ok, "the time stands beside it")
		require.Equal(t, "lower", sample.Units[len(sample.Units)-1].Value)
	}

	busy := Benchmark{"fake/bad", "Busy"}
	s.Count = &Instructions{Counter: p, Limit: time.Minute}
	samples, err = s.Take(t.Context(), []Benchmark{busy}, 0, 1)
	require.NoError(t, err)
	require.Greater(t, samples[0].Counted, 1, "so many as take some time")
}

// What a sample will take is said from a process, and an error where there is none to be counted.
func TestTry(t *testing.T) {
	bin, fine := fake(t, "bad"), Benchmark{"fake/bad", "Fine"}
	p := &pretended{each: 1e6}
	n := &Instructions{Counter: p, Limit: time.Minute}
	took, err := n.Try(t.Context(), bin, fine)
	require.NoError(t, err)
	require.Positive(t, took)
	require.Equal(t, []int{fewest}, p.asked)
	_, err = n.Try(t.Context(), bin, Benchmark{"fake/bad", "Nowhere"})
	require.Error(t, err)
}

// What cannot be counted says why, and keeps its time.
func TestUncountedSaysWhy(t *testing.T) {
	for want, c := range map[string]*pretended{
		"does not know an instruction":                  {failed: errors.New("it does not know an instruction")},
		"did not end within 1s":                         {failed: errors.New("did not end within 1s")},
		"it waits, or does not iterate":                 {each: 0},
		"9 iterations execute 7e+03 instructions more ": {each: 1000},
	} {
		bin, fine := fake(t, "bad"), Benchmark{"fake/bad", "Fine"}
		s := Session{Binaries: []Binary{bin}, Seed: 1, Benchtime: "1x", Count: counting(bin, fine, c)}
		samples, err := s.Take(t.Context(), []Benchmark{fine}, 0, 1)
		require.NoError(t, err)
		require.Empty(t, samples[0].Fail)
		require.NotNil(t, samples[0].Result)
		require.Contains(t, samples[0].Uncounted, want)
		_, ok := samples[0].Result.Value(InstructionUnit)
		require.False(t, ok)
	}
}

// A benchmark that uses several processors is not counted on one, and one that ends early not at all.
func TestInspection(t *testing.T) {
	bin := fake(t, "bad")
	n := &Instructions{Counter: &pretended{each: 1e6}, Limit: time.Minute}
	require.Contains(t, parallel(t.Context(), bin, Benchmark{"fake/bad", "Threads"}, 300), "several threads")
	require.Empty(t, parallel(t.Context(), bin, Benchmark{"fake/bad", "Busy"}, 300))
	n.remember(Benchmark{"fake/bad", "Busy"}, 3)
	_, err := n.process(t.Context(), bin, Benchmark{"fake/bad", "Nowhere"}, 5)
	require.ErrorContains(t, err, "printed no result")
	require.Empty(t, n.usesC(t.Context(), bin.Package.Dir))
}

// What the collector does before the benchmark, however long, makes no parallel benchmark; nor do goroutines that wait.
func TestBusy(t *testing.T) {
	look := func(active int) string {
		return "SCHED 5ms: gomaxprocs=4 idleprocs=0\n  P0: status=1 schedtick=1\n  M5: p=nil curg=nil\n" +
			strings.Repeat("  G7: status=2() m=1 lockedm=nil\n", active) + "  G1: status=4(chan receive) m=nil lockedm=nil\n"
	}
	const gc = "gc 3 @0.1s 2%: 0.1+0.2+0.3 ms clock, 4 P (forced)\n"
	for _, c := range []struct {
		said         string
		several, all int
	}{
		{strings.Repeat(look(4), 90) + gc + strings.Repeat(look(1), 12), 0, 12},
		{gc + look(1) + gc + strings.Repeat(look(2), 12), 12, 12},
		{look(2) + look(0) + look(3), 2, 3},
		{"nothing", 0, 0},
	} {
		several, all := busy([]byte(c.said))
		require.Equal(t, []int{c.several, c.all}, []int{several, all}, c.said)
	}
}
