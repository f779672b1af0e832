package props

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// parabola claims y = ax² for x ≥ −50 and odd n ≤ 9, and simulates it with noise of size 1/n.
func parabola(a Along) Spec {
	s := counted(0, 1)
	st := *statement("parabola")
	st.Params = []theory.Param{
		{Name: "x", Symbol: "x", Meaning: "abscissa", Domain: theory.Real(), Default: "2"},
		{Name: "a", Symbol: "α", Meaning: "a factor", Domain: theory.Real(), Default: "1"},
		{Name: "n", Symbol: "n", Meaning: "an odd number", Domain: theory.IntegerBetween(1, 9), Default: "9"},
	}
	st.Predict = func(v theory.Values) []theory.Quantity {
		y := v.Float("a") * v.Float("x") * v.Float("x")
		return []theory.Quantity{{Name: "slope", Value: 2 * v.Float("x")},
			{Name: "y", Symbol: "y", Value: y, Meaning: "ordinate"}}
	}
	st.Violated = func(v theory.Values) error {
		if v.Int("n")%2 == 0 {
			return errors.New("n is odd")
		}
		if v.Float("x") < -50 {
			return errors.New("x is at least −50")
		}
		return nil
	}
	s.Statement, s.Along = &st, &a
	s.Try = &Simulation{Run: func(t *Trial, v theory.Values) (map[string]float64, error) {
		t.Need(v.Float("x") <= 100, "x is too large")
		noise := (t.Rand.Float64() - 0.5) / v.Float("n")
		return map[string]float64{"y": v.Float("a")*v.Float("x")*v.Float("x") + noise}, nil
	}}
	return s
}

// TestAlong asks for the figure of the theorem in the first place: points near the curve, and their number.
func TestAlong(t *testing.T) {
	f, drawn := firstFigure(t, parabola(Along{Param: "x", From: -1, To: 3}).Claim())
	require.True(t, drawn)
	require.Equal(t, alongID, f.ID)
	require.Equal(t, "Ordinate, over x", f.Title)
	require.Equal(t, "abscissa, x", f.X.Label)
	require.Contains(t, f.Caption, "α = 1, n = 9")
	require.Len(t, f.Curves, 2)
	points, curve := f.Curves[0], f.Curves[1]
	require.Equal(t, []any{Points, Dashed, "y", "y"}, []any{points.Style, curve.Style, points.Name, curve.Name})
	require.Len(t, points.X, 9)
	require.Len(t, curve.X, 6*8+1)
	for i, x := range points.X {
		require.Less(t, points.Lo[i], points.Hi[i])
		if miss := points.Y[i] - x*x; miss > 0.06 || miss < -0.06 || miss == 0 {
			t.Errorf("at %v: off by %v", x, miss)
		}
		require.Equal(t, x*x, curve.Y[6*i], "the curve passes the places of the points")
	}
}

// TestAlongOfSeveral asks for a pair of curves for each value of another parameter, logarithmic axes where the values
// go over decades, and places without those that a hypothesis excludes.
func TestAlongOfSeveral(t *testing.T) {
	f, _ := firstFigure(t, parabola(Along{Param: "x", From: 1, To: 10, Of: []string{"y"}, Reps: 1,
		Each: &ParamSweep{Name: "a", Values: []string{"1", "2"}}}).Claim())
	require.Len(t, f.Curves, 4)
	require.Equal(t, []string{"α = 1", "α = 2"}, []string{f.Curves[0].Name, f.Curves[2].Name})
	require.True(t, f.X.Log && f.Y.Log)
	require.Empty(t, f.Curves[0].Lo, "one simulation has no interval")
	f, _ = firstFigure(t, parabola(Along{Param: "n", From: 1, To: 9, Points: "seen"}).Claim())
	require.Equal(t, []float64{1, 3, 5, 7, 9}, []float64(f.Curves[0].X))
	require.Equal(t, []float64{1, 3, 5, 7, 9}, []float64(f.Curves[1].X))
	require.Contains(t, f.Caption, "Points: seen, the mean of 5 simulations")
}

// TestAlongSaysNothingWhereAHypothesisFails asks for no points there, and for a gap in the curve.
func TestAlongSaysNothingWhereAHypothesisFails(t *testing.T) {
	f, _ := firstFigure(t, parabola(Along{Param: "x", From: -90, To: -10, Places: 5, Smooth: 2}).Claim())
	require.Equal(t, []float64{-50, -30, -10}, []float64(f.Curves[0].X))
	require.Equal(t, []float64{-90, -80, -70, -60, -50, -40, -30, -20, -10}, []float64(f.Curves[1].X))
	for i, x := range f.Curves[1].X {
		require.Equal(t, x < -50, math.IsNaN(f.Curves[1].Y[i]), "at %v", x)
	}
}

// TestSymbolAmong asks for names where symbols do not tell curves apart.
func TestSymbolAmong(t *testing.T) {
	all := []SimulatedQuantity{{Name: "a"}, {Name: "b", Symbol: "β"}, {Name: "c", Symbol: "P"}, {Name: "d", Symbol: "P"}}
	var names []string
	for _, q := range all {
		names = append(names, symbolAmong(all, q))
	}
	require.Equal(t, []string{"a", "β", "c", "d"}, names)
}

// TestAlongFails asks that a figure that cannot be drawn is no verdict, and that a test of the claim says why.
func TestAlongFails(t *testing.T) {
	for says, a := range map[string]Along{
		`no parameter "z"`:             {Param: "z", To: 1},
		"x is too large":               {Param: "x", To: 200},
		"only 0 places":                {Param: "x", To: 1, At: map[string]string{"n": "2"}},
		"measures none":                {Param: "x", To: 1, Of: []string{"slope"}},
		"outside its domain: a (a fac": {Param: "x", To: 1, At: map[string]string{"a": "two"}},
	} {
		c := parabola(a).Claim()
		o := Options{Effort: Quick, Seed: 1, Jobs: 2}
		row := Run(context.Background(), []Claim{c}, o).Claims[0]
		requirePassed(t, row)
		require.Equal(t, figure.Compared, row.Figures[0].Kind, "the comparison stands in its place")
		complaints := c.undrawn(context.Background(), &row, o)
		require.Len(t, complaints, 1)
		require.Contains(t, complaints[0], says)
	}
	require.Panics(t, func() { s := parabola(Along{Param: "x", To: 1}); s.Try = nil; s.Claim() })
}

// TestAlongOfAStoppedRun asks that nothing is simulated for a claim that did not come to its end.
func TestAlongOfAStoppedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	row := Run(ctx, []Claim{parabola(Along{Param: "x", To: 1}).Claim()}, Options{Effort: Quick, Seed: 1}).Claims[0]
	require.Equal(t, results.Incomplete, row.Verdict)
	require.Empty(t, row.Figures)
}

// TestOver asks for what is measured at a user's value and at its halvings, at their other parameters, as far as the
// hypotheses allow; and for no figure where that leaves two places.
func TestOver(t *testing.T) {
	s := parabola(Along{Param: "x", To: 1})
	s.Try.Over = &Along{Param: "x", Of: []string{"y"}, Places: 5}
	simulate := func(args map[string]string) (*Simulated, error) {
		return s.Claim().Simulate(context.Background(), args, SimulationOptions{Seed: 1, Reps: 2, Jobs: 2})
	}
	found, err := simulate(map[string]string{"x": "8", "a": "3"})
	require.NoError(t, err)
	require.Len(t, found.Points[0].Figures, 1)
	f := found.Points[0].Figures[0]
	require.Equal(t, "halvings", f.ID)
	require.Equal(t, []float64{0.5, 1, 2, 4, 8}, []float64(f.Curves[0].X))
	require.InDelta(t, 3*8*8, f.Curves[0].Y[4], 0.1)
	require.Contains(t, f.Caption, "α = 3")
	s.Try.Over.Param = "n"
	found, err = simulate(map[string]string{"n": "3"})
	require.NoError(t, err)
	require.Empty(t, found.Points[0].Figures, "1 and 3 are odd")
	_, err = simulate(map[string]string{"x": "200"})
	require.EqualError(t, err, "x is too large")
	s.Try.Over, s.Try.Run = nil, func(*Trial, theory.Values) (map[string]float64, error) {
		return map[string]float64{"z": 1}, nil
	}
	_, err = simulate(nil)
	require.ErrorContains(t, err, `the simulation measures "z", and the prediction has ["slope" "y"]: name both alike`)
}
