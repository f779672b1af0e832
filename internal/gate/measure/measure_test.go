package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// built holds the test binaries of the fake module; they are built once.
var built = struct {
	sync.Mutex
	dir   string
	files map[string]Binary
}{files: map[string]Binary{}}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "measure-*")
	if err != nil {
		panic(err)
	}
	built.dir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// fake is a test binary of the fake module whose draws begin anew.
func fake(t *testing.T, name string) Binary {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	bin, ok := built.files[name]
	if !ok {
		found, err := Packages(t.Context(), "testdata/fake", "./"+name)
		require.NoError(t, err)
		bin = Binary{Package: found[0], Path: filepath.Join(built.dir, name+".test")}
		require.NoError(t, Build(t.Context(), bin.Package, bin.Path))
		built.files[name] = bin
	}
	bin.Env = []string{"FAKE_CALLS=" + t.TempDir() + "/"}
	return bin
}

func TestPackages(t *testing.T) {
	found, err := Packages(t.Context(), "testdata/fake", "./...")
	require.NoError(t, err)
	require.Len(t, found, 3, "a package without tests has no benchmarks")
	require.Equal(t, "fake/bad", found[0].ImportPath)
	require.Equal(t, "fake/sum", found[1].ImportPath)

	_, err = Packages(t.Context(), "testdata/fake", "./plain")
	require.EqualError(t, err, "no package with test files matches ./plain")
	_, err = Packages(t.Context(), "testdata/fake", "./nowhere")
	require.ErrorContains(t, err, "nowhere")
	require.NotContains(t, err.Error(), "\n")
}

func TestDiscover(t *testing.T) {
	found, failed, err := Discover(t.Context(), fake(t, "sum"), ".")
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Equal(t, []Benchmark{{"fake/sum", "Sum/n=10"}, {"fake/sum", "Sum/n=20"}, {"fake/sum", "Sum/n=10#01"},
		{"fake/sum", "Read"}}, found)

	// the pattern means what it means to go test
	for pattern, want := range map[string][]string{
		"Sum/n=2": {"Sum/n=20"}, "Read|Sum/20": {"Read", "Sum/n=20"}, "BenchmarkRead": {"Read"},
		"^BenchmarkRead$": {"Read"}, "(Re)ad": {"Read"}, "Nothing": nil,
	} {
		found, failed, err := Discover(t.Context(), fake(t, "sum"), pattern)
		require.NoError(t, err)
		require.Empty(t, failed)
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
		}
		require.ElementsMatch(t, want, names, pattern)
	}
	_, _, err = Discover(t.Context(), fake(t, "sum"), "(")
	require.ErrorContains(t, err, `pattern "("`)
}

// What fails or panics is named, and does not hide the others.
func TestDiscoverNamesWhatFails(t *testing.T) {
	found, failed, err := Discover(t.Context(), fake(t, "bad"), ".")
	require.NoError(t, err)
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"Fine", "Garbage", "Loud", "Busy", "Nested/a/b", "Nested/a/b/c", "Later", "NaN",
		"Zero"}, names)
	require.Len(t, failed, 2)
	require.Equal(t, "Fails", failed[0].Name)
	require.Contains(t, failed[0].Reason, "no luck")
	require.Equal(t, "Panics", failed[1].Name)
	require.Contains(t, failed[1].Reason, "on purpose")
}

func TestTake(t *testing.T) {
	bin := fake(t, "sum")
	for _, name := range []string{"Sum/n=10", "Sum/n=10#01", "Read"} {
		s, err := Take(t.Context(), bin, Benchmark{"fake/sum", name}, 3, "1x")
		require.NoError(t, err)
		require.Empty(t, s.Fail)
		require.Equal(t, 3, s.Round)
		seconds, ok := s.Result.Value("sec/op")
		require.True(t, ok && seconds > 50e-9 && seconds < 250e-9, "%v", seconds)
		allocs, _ := s.Result.Value("allocs/op")
		require.EqualValues(t, 3, allocs)
	}
}

// Whatever goes wrong in a sample is a reason in the sample.
func TestTakeRecordsFailures(t *testing.T) {
	bin := fake(t, "bad")
	bin.Env = []string{"FAKE_DRY=no"}
	for name, reason := range map[string]string{
		"Later": "fails when it counts", "NaN": "sec/op is NaN", "Panics": "on purpose",
		"Nowhere": "printed 0 result lines, want 1",
	} {
		s, err := Take(t.Context(), bin, Benchmark{"fake/bad", name}, 0, "2x") // the name is printed before the second
		require.NoError(t, err)
		require.Nil(t, s.Result, name)
		require.Contains(t, s.Fail, reason, name)
		require.NotContains(t, s.Fail, "\n")
	}
	bin.Path = filepath.Join(t.TempDir(), "absent")
	s, err := Take(t.Context(), bin, Benchmark{"fake/bad", "Fine"}, 0, "1x")
	require.NoError(t, err)
	require.Contains(t, s.Fail, "no such file")
}

// Benchmarks that print, that suppress their time, and that share the beginning of a name with others are measured.
func TestTakeMeasuresWhatGoTestMeasures(t *testing.T) {
	bin := fake(t, "bad")
	bin.Env = []string{"FAKE_DRY=no"}
	for name, timed := range map[string]bool{"Garbage": true, "Loud": true, "Nested/a/b": true, "Nested/a/b/c": true,
		"Zero": false} {
		s, err := Take(t.Context(), bin, Benchmark{"fake/bad", name}, 0, "2x")
		require.NoError(t, err)
		require.Empty(t, s.Fail, name)
		seconds, ok := s.Result.Value("sec/op")
		require.Equal(t, timed, ok, name)
		if timed {
			require.InDelta(t, 7e-9, seconds, 1e-12)
		}
		_, ok = s.Result.Value("allocs/op")
		require.True(t, ok, name)
		require.Empty(t, s.Result.GetConfig("result"), "what a benchmark prints is no configuration")
		require.NotEmpty(t, s.Result.GetConfig("goos"))
	}
}

func TestTakeStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Take(ctx, fake(t, "sum"), Benchmark{"fake/sum", "Read"}, 0, "1x")
	require.ErrorIs(t, err, context.Canceled)
}

// The order is random, keyed by seed and round, complete, and keeps the arms of a benchmark together.
func TestSchedule(t *testing.T) {
	var benchmarks []Benchmark
	for i := range 20 {
		benchmarks = append(benchmarks, Benchmark{"p", fmt.Sprint(i)})
	}
	arms := []string{"old", "again", "new"}
	slots := Schedule(1, 0, benchmarks, arms)
	require.Len(t, slots, 60)
	seen := map[Slot]bool{}
	for i, s := range slots {
		require.Equal(t, slots[i/3*3].Name, s.Name, "the arms of a benchmark follow each other")
		require.False(t, seen[s])
		seen[s] = true
	}
	require.Equal(t, slots, Schedule(1, 0, benchmarks, arms))
	require.NotEqual(t, slots, Schedule(1, 1, benchmarks, arms))
	require.NotEqual(t, slots, Schedule(2, 0, benchmarks, arms))

	// Each arm comes first in a third of the blocks: 2000 blocks, sd of a count √(2000·2/9) = 21, allowed five of them.
	first := map[string]int{}
	for round := range 100 {
		for i, s := range Schedule(7, round, benchmarks, arms) {
			if i%3 == 0 {
				first[s.Arm]++
			}
		}
	}
	for _, arm := range arms {
		require.True(t, first[arm] > 667-105 && first[arm] < 667+105, "%s is first in %d of 2000", arm, first[arm])
	}
}
