package diff

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/streams"
)

// silent shows nothing, and calls a function at every step.
type silent struct{ step func() }

func (silent) Note(string) {}

func (s silent) Count(string, int, int, time.Duration) { s.step() }

// binaries is where the tests of this package build programs.
var binaries string

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "diff"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(binaries)
	os.Exit(code)
}

// sum is the package of pretended times, built once.
var sum = sync.OnceValues(func() (measure.Binary, error) {
	dir, err := filepath.Abs("../testdata/fake/sum")
	out := measure.Binary{Package: measure.Package{ImportPath: "fake/sum", Dir: dir},
		Path: filepath.Join(binaries, "sum.test")}
	return out, errors.Join(err, measure.Build(context.Background(), out.Package, out.Path))
})

// procedure compares a binary of pretended times with itself.
func procedure(t *testing.T, step func()) *Procedure {
	t.Helper()
	t.Setenv("FAKE_CALLS", t.TempDir()+"/")
	binary, err := sum()
	require.NoError(t, err)
	b := func(name string) measure.Benchmark { return measure.Benchmark{Package: "fake/sum", Name: name} }
	p := &Procedure{Common: []measure.Benchmark{b("Read"), b("Sum/n=20")},
		Comparison: Comparison{Rounds: 2, Looks: []int{2, 4}, Old: "a", New: "b", Policy: compare.DefaultPolicy()},
		Session:    measure.Session{Seed: 1, Benchtime: "1x"}, Display: silent{step}}
	for _, arm := range Arms {
		binary.Arm = arm
		p.Session.Binaries = append(p.Session.Binaries, binary)
	}
	return p
}

// What is open is measured further; a session that is resumed takes what is missing and nothing twice.
func TestProcedure(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	for _, had := range []int{0, 17} {
		p := procedure(t, func() {})
		p.Policy.Units = []string{"sec/op"}
		var err error
		if had == 0 {
			p.Session.Log, err = measure.Create(log, measure.Run{}, nil)
			require.NoError(t, err)
		} else {
			all, err := measure.ReadFile(log)
			require.NoError(t, err)
			require.Len(t, measure.Taken(all.Samples), 24)
			p.Session.Have = all.Samples[:had]
		}
		table, err := p.Run(t.Context())
		require.NoError(t, err)
		for _, r := range table.Rows {
			require.Equal(t, 4, r.New.N, r.Unit)
		}
		require.Equal(t, compare.NotDecided, table.Outcome().Code, "four rounds decide nothing of times")
	}
}

// An interruption leaves the table of the whole rounds, in which what was not measured is undecided and not missing; so
// does a budget, without an error.
func TestProcedureEndsEarly(t *testing.T) {
	for name, stop := range map[string]int{"at once": 1, "in a round": 3, "after one": 8} {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		p := procedure(t, func() {
			if steps++; steps == stop {
				cancel()
			}
		})
		table, err := p.Run(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.NotEqual(t, compare.Pass, table.Outcome().Code, name)
		require.Zero(t, table.Count(compare.Missing), name)
		names := map[string]bool{}
		for _, r := range table.Rows {
			names[measure.Bare(r.Name)] = true
		}
		require.Len(t, names, 2, name)
	}
	p := procedure(t, func() { time.Sleep(20 * time.Millisecond) })
	p.Budget = 100 * time.Millisecond
	table, err := p.Run(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, compare.Pass, table.Outcome().Code)
	require.Contains(t, table.Problems[0].Text, "the budget of 100ms ended")
}

// Rounds that do not fit into a budget go to the benchmark that looks changed.
func TestFitting(t *testing.T) {
	rng := streams.New(1, "diff", "fitting")
	p := &Procedure{Comparison: Comparison{Policy: compare.DefaultPolicy()}}
	samples := append(rounds(rng, "Same", 1, 1, [2]float64{}), rounds(rng, "Slow", 1, 3, [2]float64{})...)
	all := []measure.Benchmark{{Package: "m/p", Name: "Same"}, {Package: "m/p", Name: "Slow"}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	require.Equal(t, all, p.fitting(ctx, all, samples, 2, time.Minute))
	require.Equal(t, all[1:], p.fitting(ctx, all, samples, 2, 6*time.Minute))
	require.Equal(t, all[1:], p.fitting(ctx, all, samples, 2, time.Hour), "one at least")
}

// What is slower at the same count is linked and measured in orders that nothing else has, once in all; what cannot be
// linked so is left.
func TestRelink(t *testing.T) {
	p := procedure(t, func() {})
	table := &compare.Table{Rows: []compare.Row{{Group: "pkg: fake/sum", Name: "Sum/n=20-2",
		Judgement: compare.Judgement{Reason: compare.LayoutReason}}}}
	seeds := map[int]bool{}
	p.Relink = func(_ context.Context, pkg, arm string, seed int) (measure.Binary, error) {
		require.Equal(t, "fake/sum", pkg)
		require.False(t, seeds[seed])
		seeds[seed] = true
		return p.Session.Binaries[0], nil
	}
	all, err := p.relink(t.Context(), table, nil)
	require.NoError(t, err)
	require.Len(t, all, 2*relinkings)
	require.Equal(t, p.Common[1], all[0].Benchmark)
	taken := all
	seeds = map[int]bool{}
	all, err = p.relink(t.Context(), table, taken)
	require.NoError(t, err)
	require.Empty(t, all)
	p.Relink = func(context.Context, string, string, int) (measure.Binary, error) {
		return measure.Binary{}, errors.New("no such flag")
	}
	all, err = p.relink(t.Context(), table, nil)
	require.NoError(t, err)
	require.Empty(t, all)
	table.Rows[0].Reason = ""
	p.Relink = nil
	_, err = p.relink(t.Context(), table, nil)
	require.NoError(t, err)
}
