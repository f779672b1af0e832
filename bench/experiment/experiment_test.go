package experiment

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

func quick(jobs int) Options {
	return Options{Sets: []Set{SyntheticSet(7)}, Effort: props.Quick, Seed: 7, Jobs: jobs}
}

// Results depend neither on the number of workers nor on what was computed in an earlier run.
func TestRunIsDeterministicAndResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "cells.jsonl")
	cache, err := OpenCache(path)
	require.NoError(t, err)
	o := quick(3)
	o.Cache = cache
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(done, _ int, _ Cell, _ bool) {
		if done == 20 {
			cancel()
		}
	}
	part, err := Run(ctx, o)
	require.NoError(t, err)
	require.True(t, part.Run.Interrupted)
	require.Less(t, part.Run.Cells.Run, part.Run.Cells.Planned)
	for _, h := range part.Headlines {
		if h.Claim == Efficient {
			require.Equal(t, props.Incomplete, h.Verdict)
		}
	}

	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644) // as if the program had been killed while it wrote
	require.NoError(t, err)
	_, err = f.WriteString(`{"key":"0123`)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	o.Cache, err = OpenCache(path)
	require.NoError(t, err)
	fromCache := 0
	o.Progress = func(_, _ int, _ Cell, cached bool) {
		if cached {
			fromCache++
		}
	}
	resumed, err := Run(context.Background(), o)
	require.NoError(t, err)
	require.Equal(t, part.Run.Cells.Run, fromCache)

	fresh, err := Run(context.Background(), quick(1))
	require.NoError(t, err)
	require.Equal(t, encoded(t, fresh), encoded(t, resumed)) // NaN differs from itself, its encoding does not
	require.Equal(t, fresh.Run.Cells.Planned, fresh.Run.Cells.Run)
	learns(t, fresh)
}

func encoded(t *testing.T, r *Result) string {
	b, err := json.Marshal(r)
	require.NoError(t, err)
	return string(b)
}

// learns asks that gradient descent on the built-in data is better than chance, and worse than perfect.
func learns(t *testing.T, r *Result) {
	g := r.Training[0]
	require.Equal(t, TwoLayer, g.Network)
	for _, c := range g.rule(SGD).Chosen().Runs {
		require.Greater(t, last(c.Test), 0.2)
		require.Less(t, last(c.Test), 1.0)
	}
}

// Every rule has the same grid of step sizes, and runs of one number start from the same accuracy.
func TestGridsAreEqual(t *testing.T) {
	for _, e := range props.Efforts {
		grids := map[Network]map[Rule][]float64{}
		for _, c := range plan([]string{Training}, []string{"x"}, e) {
			if grids[c.Network] == nil {
				grids[c.Network] = map[Rule][]float64{}
			}
			if c.Seed == 0 {
				grids[c.Network][c.Rule] = append(grids[c.Network][c.Rule], c.Gamma)
			}
		}
		for n, rules := range grids {
			require.Len(t, rules, len(n.rules()))
			for _, gammas := range rules {
				require.Equal(t, SizesAt(e).Gammas, gammas)
			}
		}
	}
	r, err := Run(context.Background(), Options{Names: []string{Training}, Sets: []Set{SyntheticSet(7)},
		Effort: props.Quick, Seed: 7, Jobs: 2})
	require.NoError(t, err)
	for _, g := range r.Training {
		for _, rule := range g.Rules {
			for _, gamma := range rule.Gammas {
				for i, run := range gamma.Runs {
					require.Equal(t, g.Rules[0].Gammas[0].Runs[i].Test[0], run.Test[0], "%s %s", g.Network, rule.Rule)
				}
			}
		}
	}
}

// The key of a cell changes with everything that its value depends on, and with nothing else.
func TestKeys(t *testing.T) {
	c := Cell{Training, "mnist", TwoLayer, SGD, 0.5, 0}
	s := SizesAt(props.Standard)
	key := keyOf(c, s, 1, "mnist", "k")
	other := c
	other.Gamma = 1
	wider := s
	wider.Hidden++
	for _, k := range []string{keyOf(other, s, 1, "mnist", "k"), keyOf(c, wider, 1, "mnist", "k"),
		keyOf(c, s, 2, "mnist", "k"), keyOf(c, s, 1, "mnist", "l")} {
		require.NotEqual(t, key, k)
	}
	more := s
	more.Seeds, more.Gammas = 9, nil
	require.Equal(t, key, keyOf(c, more, 1, "mnist", "k"))
}

// The average gradient outer product agrees with differences of the outputs.
func TestAGOP(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	task := newTask(r, SyntheticSet(3).Data, Sizes{Train: 5, Validation: 1, Test: 1}, 7)
	model := task.model(r, TwoLayer, 6)
	got := agop(model, task.train.x)
	const n, step = 16, 1e-5
	for _, at := range [][2]int{{0, 0}, {3, 7}, {15, 2}} {
		var want float64
		for i := range 5 {
			x := task.train.x.RawRowView(i)
			for k := range 10 {
				want += slope(model, x, at[0], k, step) * slope(model, x, at[1], k, step) / 5
			}
		}
		// central differences: step²·|f'''|/6 with derivatives of order 1, and rounding 10⁻¹⁶/step
		require.True(t, math.Abs(got.At(at[0], at[1])-want) <= 1e-9, "%v: %v, want %v", at, got.At(at[0], at[1]), want)
	}
}

// slope is ∂fₖ/∂xᵢ by differences.
func slope(m *nn.Model, x []float64, i, k int, step float64) float64 {
	at := func(d float64) float64 {
		moved := mat.NewDense(1, len(x), slices.Clone(x))
		moved.Set(0, i, x[i]+d)
		return m.Predict(moved).At(0, k)
	}
	return (at(step) - at(-step)) / (2 * step)
}

// newStreams are the streams of a cell.
func newStreams(seed uint64) func(string) *rand.Rand {
	return func(label string) *rand.Rand { return streams.New(seed, label) }
}
