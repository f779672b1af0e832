package props

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// doubling claims that twice a number is the number added to itself.
func doubling(own bool) Claim {
	return claim("doubling", typedInstances[int]{
		Name: "double", Cases: Times(120), Regimes: []string{"even", "odd"},
		Draw: func(t *T, _ string) int { return rapid.IntRange(-50, 50).Draw(t.T, "n") },
		Judge: func(r *Record, n int, claimed string) {
			r.Regime(map[bool]string{true: "even", false: "odd"}[n%2 == 0])
			want := float64(n + n)
			if claimed == "once" {
				want = float64(n)
			}
			r.Holds("an integer", true)
			r.Exactly("the sum", 2*float64(n), want)
			if own {
				r.Figure(Figure{ID: "own", Title: "Own", Caption: "A figure of its own."})
			}
		},
		Controls: []Control{{Name: "half of it", claimed: "once"}},
	})
}

func firstFigure(t *testing.T, c Claim) (Figure, bool) {
	t.Helper()
	row := Run(context.Background(), []Claim{c}, Options{Effort: Quick, Seed: 1, Jobs: 3}).Claims[0]
	if len(row.Figures) == 0 {
		return Figure{}, false
	}
	return row.Figures[0], true
}

// TestComparisonIsDrawn asks that a claim without a figure gets one of obtained against claimed values: the claim's own
// on the diagonal and those of a wrong version off it.
func TestComparisonIsDrawn(t *testing.T) {
	f, drawn := firstFigure(t, doubling(false))
	require.True(t, drawn)
	require.Equal(t, figure.Compared, f.Kind)
	require.Contains(t, f.Title, "the sum")
	require.Equal(t, f.Curves[0].X, f.Curves[0].Y, "on the diagonal")
	require.Greater(t, len(f.Curves[0].X), 20)
	wrong := f.Curves[2]
	require.Equal(t, OfControl, wrong.Of)
	for i := range wrong.X {
		require.Equal(t, 2*wrong.X[i], wrong.Y[i])
	}
	f, _ = firstFigure(t, doubling(true))
	require.Equal(t, "own", f.ID, "a claim's own figure stands in its place")
}

// TestComparisonOfBounds asks that a bound names its side, and that few values far away do not hide the others.
func TestComparisonOfBounds(t *testing.T) {
	s := series{check: "check", criterion: "bound"}
	for i := range 100 {
		s.pairs = append(s.pairs, scalars(-1-float64(i), float64(i), results.Below)...)
	}
	s.pairs = append(s.pairs, scalars(-1e9, 1e9, results.Below)...)
	f, drawn := comparison([]series{s}, nil)
	require.True(t, drawn)
	require.Equal(t, "upper bound", f.Curves[1].Name)
	require.Contains(t, f.Caption, "Beyond the axes")
	require.Less(t, f.Curves[1].X[1], 1e4)
	_, drawn = comparison([]series{{pairs: scalars(1, 0, results.Equal)}}, nil)
	require.False(t, drawn, "a criterion that claims one value has no picture")
}

func TestMeasurementsAreDrawn(t *testing.T) {
	few := []results.Measurement{results.MeasuredValue("a", 1, 2), results.MeasuredValue("b", 3, 3)}
	_, drawn := measurements(few[:1])
	require.False(t, drawn)
	f, drawn := measurements(append(few, results.MeasuredValue("c", 5, 4)))
	require.True(t, drawn)
	require.Equal(t, []float64{1, 3, 5}, []float64(f.Curves[0].Y))
}

// TestMeasurementsNameTheirRegime asks that numbers of one name are told apart where a check has several regimes, and
// that a check with one regime does not repeat it.
func TestMeasurementsNameTheirRegime(t *testing.T) {
	for _, c := range []struct {
		regimes []string
		want    string
	}{{[]string{"small", "large"}, "x (large) = 1, claimed 2"}, {[]string{"large"}, "x = 1, claimed 2"}} {
		r := &Record{regimes: c.regimes}
		r.Regime("large")
		r.MeasuredValue("x", 1, 2)
		require.Equal(t, c.want, r.measured[0].String())
	}
}
