package props

import (
	"math"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/tensors"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// side is a length with its square.
type side struct {
	X      float64 `npy:"x"`
	Square float64 `npy:"square"`
}

// square is the claim about a side.
type square struct{ of func(float64) float64 }

func drawSide(t *T) side {
	x := rapid.Float64Range(1, 2).Draw(t.T, "x")
	return side{x, x * x}
}

// squares is a claim with controls of every kind.
func squares(controls ...Wrong[side, square]) Drawn[side, square] {
	return Drawn[side, square]{
		Name: "square", Cases: Times(60), Draw: drawSide, Claim: square{func(x float64) float64 { return x * x }},
		Judge: func(r *Record, in side, c square) { r.Within("square", in.Square, c.of(in.X), 1e-12) },
		Controls: append([]Wrong[side, square]{
			{Name: "cubes", Draw: func(t *T) side { in := drawSide(t); in.Square *= in.X; return in }},
			{Name: "cubes, some", As: "cubes", Criterion: "square"},
			{Name: "doubled", Alter: func(in *side) { in.Square *= 2 }},
			{Name: "claimed twice", Claim: func(c *square) { c.of = func(x float64) float64 { return 2 * x * x } }},
			{Name: "few", Draw: func(t *T) side { in := drawSide(t); in.Square++; return in }, Cases: 3},
		}, controls...),
	}
}

func TestDrawn(t *testing.T) {
	row, _ := verify(t, claim("squares", squares(Wrong[side, square]{Name: "right", Alter: func(*side) {}})))
	require.Equal(t, results.Unproven, row.Verdict)
	require.Equal(t, `control "right" is accepted: it was rejected on a fraction 0 of replicates, smallest ratio 0`,
		row.Message)
	for _, c := range row.Controls {
		require.Equal(t, c.Name != "right", c.Rejected, c.Name)
		require.Equal(t, replicates.Quick*map[bool]int{true: 3, false: 60}[c.Name == "few"], c.Cases, c.Name)
	}
	row, _ = verify(t, claim("squares", squares()))
	require.Equal(t, results.Holds, row.Verdict, row.Message)
}

// A grid hands each control its own measurements, cells and claim, and none of them to another.
func TestGrid(t *testing.T) {
	var measured struct{ claim, two, one atomic.Int64 } // cells are measured side by side
	c := claim("grid", Grid[int, float64, float64]{
		Name: "grid", Cells: func(Effort) []int { return Indices(4) }, Claim: 1,
		Measure: func(*Trial, int) float64 { measured.claim.Add(1); return 1 },
		Judge:   func(r *Record, _ int, m, claim float64) { r.Within("each", m, claim, 1e-9) },
		Conclude: func(r *Record, cells []int, all []float64, claim float64) {
			sum := 0.0
			for _, m := range all {
				sum += m
			}
			r.Within("sum", sum, float64(len(cells))*claim, 1e-9)
		},
		Controls: []WrongCell[int, float64, float64]{
			{Name: "two", Measure: func(*Trial, int) float64 { measured.two.Add(1); return 2 }},
			{Name: "two of the sum", As: "two", Criterion: "sum"},
			{Name: "on one", Measure: func(*Trial, int) float64 { measured.one.Add(1); return 3 }, On: First(1)},
			{Name: "altered", Criterion: "sum", Alter: func(cell int, m *float64) { *m += float64(cell) }},
			{Name: "claimed", Claim: func(c *float64) { *c = 5 }},
			{Name: "claimed of one", Criterion: "each", Claim: func(c *float64) { *c = 5 }, On: First(1)},
		},
	})
	row, _ := verify(t, c)
	require.Equal(t, results.Holds, row.Verdict, row.Message)
	require.Equal(t, replicates.Quick, row.Controls[5].Seen, "judged on one cell")
	require.Equal(t, 4*replicates.Quick, row.Controls[4].Seen-replicates.Quick, "judged on four, and all together")
	require.EqualValues(t, 4*replicates.Quick, measured.claim.Load())
	require.EqualValues(t, 4*replicates.Quick, measured.two.Load())
	require.EqualValues(t, replicates.Quick, measured.one.Load())
}

// Controls that measure nothing are judged on the cells that the check picks for them, unless they pick their own. This
// does not concern those that measure, nor the claim.
func TestGridPicksCellsForControls(t *testing.T) {
	wrong := func(c *float64) { *c = 5 }
	row, _ := verify(t, claim("grid", Grid[int, float64, float64]{
		Name: "grid", Cells: func(Effort) []int { return Indices(4) }, Claim: 1, ControlsOn: First(1), Replicates: 1,
		Measure: func(*Trial, int) float64 { return 1 },
		Judge:   func(r *Record, _ int, m, claim float64) { r.Within("each", m, claim, 1e-9) },
		Controls: []WrongCell[int, float64, float64]{
			{Name: "claims", Criterion: "each", Claim: wrong},
			{Name: "claims on two", Criterion: "each", Claim: wrong, On: First(2)},
			{Name: "measures", Criterion: "each", Measure: func(*Trial, int) float64 { return 3 }},
		},
	}))
	require.Equal(t, 4, row.Cases.Run)
	for i, seen := range []int{1, 2, 4} {
		require.Equal(t, seen, row.Controls[i].Seen, row.Controls[i].Name)
	}
}

// Tries bounds what controls draw or measure at quick effort, and then nobody makes the claim's own draws again.
func TestTries(t *testing.T) {
	size := Scale{Quick: 20, Standard: 30, Deep: 30}
	drawn := squares()
	drawn.Cases, drawn.Tries = size, 6
	measured := Grid[int, float64, float64]{
		Name: "grid", Cells: size.Indices, Claim: 1, Tries: 6, Measure: func(*Trial, int) float64 { return 1 },
		Judge: func(r *Record, _ int, m, claim float64) { r.Within("each", m, claim, 1e-9) },
		Controls: []WrongCell[int, float64, float64]{
			{Name: "measures", Measure: func(*Trial, int) float64 { return 3 }},
			{Name: "claims", Claim: func(c *float64) { *c = 5 }},
		},
	}
	tried := func(k checker, done string, e Effort) int { return k.times(e, done) * casesIn(k.cells(e, done)) }
	for _, k := range []checker{drawn.erase(), measured.erase()} {
		own := k.controls[0].done
		require.Equal(t, []int{12, 150}, []int{tried(k, own, Quick), tried(k, own, Standard)}, k.name)
		require.Equal(t, []int{20, 150}, []int{tried(k, "", Quick), tried(k, "", Standard)}, k.name)
	}
	require.Equal(t, 6, tried(drawn.erase(), "few", Quick), "of those that draw three")
}

func TestControlsThatDoNotBuild(t *testing.T) {
	for _, w := range []Wrong[side, square]{
		{Name: "nothing wrong"}, {Name: "as nobody", As: "nobody"}, {Name: "cubes", Alter: func(*side) {}},
		{Name: "both", As: "cubes", Draw: drawSide}, {Name: "some", Alter: func(*side) {}, Cases: 2},
	} {
		require.Panics(t, func() { claim("squares", squares(w)) }, w.Name)
	}
}

// Numbers of a user that a tenth of an error would leave in agreement say nothing.
func TestBlindComparisons(t *testing.T) {
	for _, c := range []struct {
		form    results.Form
		epsilon float64
		slack   float64
		isBlind bool
	}{{results.Equation, 0.11, 0, true}, {results.Equation, 0.09, 0, false}, {results.Bound, 9, 0.11, true},
		{results.Bound, 9, 0.09, false},
		{results.Equation, math.NaN(), 0, true}, {results.YesNo, 9, 9, false}} {
		f := finding{Criterion: Criterion{Name: "c", Form: c.form}, Epsilon: c.epsilon, Slack: c.slack}
		require.Equal(t, c.isBlind, f.blind() != "", "%+v", c)
	}
}

// A user's numbers are judged by the check that allows for rounding, wherever it stands, and only inside the domain.
func TestCertifyPassesOverExactChecks(t *testing.T) {
	st := statement("squares")
	for _, name := range []string{"x", "square"} {
		st.Params = append(st.Params, theory.Param{Name: name, Symbol: name, Meaning: name})
	}
	integers := squares()
	integers.Name, integers.Judge = "integers", func(r *Record, in side, c square) {
		r.Exactly("square of an integer", in.Square, c.of(in.X))
	}
	c := Spec{Statement: st, Checks: []Check{integers, squares()}}.Claim()
	file := filepath.Join(t.TempDir(), "side.npz")
	require.NoError(t, tensors.Encode(file, side{1.1, 1.21}))
	for check, want := range map[string]results.Verdict{"": results.Holds, "square": results.Holds,
		"integers": results.Refuted} {
		found, err := c.Certify(check, file)
		require.NoError(t, err)
		require.Equal(t, want, found.Verdict, "%q: %s", check, found.Message)
	}
	st.Params[0].Domain = theory.Inside(0, 1)
	_, err := c.Certify("", file)
	require.ErrorContains(t, err, "x=1.1 is outside its domain")
}
