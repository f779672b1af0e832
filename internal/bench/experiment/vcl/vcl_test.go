package vcl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Every rule has the same grid of step sizes, runs of one number start from the same accuracy, and gradient descent on
// the built-in data is better than chance, and worse than perfect.
func TestGridsAreEqual(t *testing.T) {
	for _, e := range results.Efforts {
		grids := map[Network]map[Rule][]float64{}
		for _, c := range trainingSpec.Plan(e, []string{"x"}) {
			if grids[c.Network] == nil {
				grids[c.Network] = map[Rule][]float64{}
			}
			if c.Seed == 0 {
				grids[c.Network][c.Rule] = append(grids[c.Network][c.Rule], c.Gamma)
			}
		}
		for n, rules := range grids {
			require.Len(t, rules, len(n.rules()))
			for _, grid := range rules {
				require.Equal(t, gammas[e], grid)
			}
		}
	}
	all := trained(t)
	for _, g := range all {
		for _, rule := range g.Rules {
			for _, gamma := range rule.Gammas {
				for i, run := range gamma.Runs {
					require.Equal(t, g.Rules[0].Gammas[0].Runs[i].Test[0], run.Test[0], "%s %s", g.Network, rule.Rule)
				}
			}
		}
	}
	for _, c := range all[0].rule(SGD).Chosen().Runs {
		require.Greater(t, last(c.Test), 0.2)
		require.Less(t, last(c.Test), 1.0)
	}
}

// trained are the grids of a quick run on the built-in pictures.
func trained(t *testing.T) []Grid {
	env := experiment.NewEnv(7, experiment.SyntheticSet(7))
	var runs []experiment.Run[Cell, Curve]
	for _, c := range trainingSpec.Plan(props.Quick, []string{experiment.Synthetic}) {
		value, err := trainingSpec.Train(t.Context(), env, sizes[props.Quick], c)
		require.NoError(t, err)
		runs = append(runs, experiment.Run[Cell, Curve]{Cell: c, Value: value})
	}
	return gridsOf(experiment.Setting{Effort: props.Quick, Datasets: []string{experiment.Synthetic}}, runs)
}

// The average gradient outer product agrees with differences of the outputs.
func TestAGOP(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	task := newTask(r, data.Synthetic(r, 20, 5), Sizes{Train: 5, Validation: 1, Test: 1}, 7)
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
