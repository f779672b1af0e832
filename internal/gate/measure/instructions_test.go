package measure

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/measure/counter"
)

// pretended runs a process as it is, and counts a million instructions for each iteration that it was asked for.
type pretended struct {
	each   float64
	mu     sync.Mutex
	asked  []int
	failed error
}

func (p *pretended) String() string { return "pretended" }
func (p *pretended) Caches() bool   { return false }

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
	p.mu.Lock()
	p.asked = append(p.asked, n)
	p.mu.Unlock()
	cmd := exec.CommandContext(ctx, run.Path, run.Args...)
	cmd.Dir, cmd.Env = run.Dir, run.Env
	out, err := cmd.Output()
	if err != nil {
		return counter.Counts{}, err
	}
	return counter.Counts{Instructions: 5e6 + p.each*float64(n), Cycles: math.NaN()}, run.Read(out)
}

// counting counts a benchmark over seven iterations, without a look at it.
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
	require.ElementsMatch(t, []int{2, 9, 2, 9}, p.asked)
	for _, sample := range samples {
		require.Empty(t, sample.Uncounted)
		require.Equal(t, 7, sample.Counted)
		x, ok := sample.Result.Value(InstructionUnit)
		require.True(t, ok)
		require.EqualValues(t, 1e6, x)
		_, ok = sample.Result.Value("sec/op")
		require.True(t, ok, "the time is given as well")
		require.Equal(t, "lower", sample.Units[len(sample.Units)-1].Value)
	}

	busy := Benchmark{"fake/bad", "Busy"}
	s.Count = &Instructions{Counter: p, Limit: time.Minute}
	samples, err = s.Take(t.Context(), []Benchmark{busy}, 0, 1)
	require.NoError(t, err)
	require.Contains(t, samples[0].Uncounted, "built without the hooks")
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
		"does not know an instruction": {failed: errors.New("it does not know an instruction")},
		"did not end within 1s":        {failed: errors.New("did not end within 1s")},
		"it waits, or does too little": {each: 0},
		"9 iterations execute 7e+03 instructions more than 2 while the timer runs": {each: 1000},
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

// A benchmark that ends early is not counted, nor is one of a package that calls C.
func TestInspection(t *testing.T) {
	bin := fake(t, "bad")
	n := &Instructions{Counter: &pretended{each: 1e6}, Limit: time.Minute}
	_, err := n.process(t.Context(), bin, Benchmark{"fake/bad", "Nowhere"}, 5)
	require.ErrorContains(t, err, "printed no result")
	require.Empty(t, n.usesC(t.Context(), bin.Package.Dir))
	require.Equal(t, map[string]string{"features": "1 2 3 4", "stops": ""},
		said([]byte("thm.count features 1 2 3 4\nnoise\nthm.count stops\n")))
}
