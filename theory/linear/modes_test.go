package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func near(t *testing.T, want, got, relative float64) {
	t.Helper()
	require.True(t, math.Abs(got-want) <= relative*math.Abs(want), "%v, want %v", got, want)
}

// Without a target, and next to that, a mode shrinks by a power of time.
func TestModeOfHardlyAnyTarget(t *testing.T) {
	for _, depth := range []int{2, 3, 5} {
		for _, target := range []float64{1e-323, 1e-290, 1e-270} {
			near(t, Mode{depth, 0, 100}.At(1), Mode{depth, target, 100}.At(1), 1e-12)
		}
	}
}

// Two layers from a₀ = 10⁻³, and by hand s = 1, a₀ = ¼, e^{2t} = 3.
func TestModesOfTwoLayers(t *testing.T) {
	for s, want := range map[float64][]float64{
		3:   {0.01995856362221, 0.3557124789189, 2.945720698616},
		1.5: {0.004471310594853, 0.01983318559257, 0.3180897977937},
	} {
		for i, time := range []float64{0.5, 1, 2} {
			near(t, want[i], Mode{2, s, 1e-3}.At(time), 1e-12)
		}
	}
	for s, want := range map[float64]float64{3: 1.334339029792, 1.5: 2.437517832701, 0.5: 6.212606095752} {
		near(t, want, Mode{2, s, 1e-3}.Time(s/2), 1e-12)
	}
	near(t, 0.5, Mode{2, 1, 0.25}.At(math.Log(3)/2), 1e-15)
	near(t, 3, Mode{2, 3, 1e-3}.At(150), 1e-15)
	near(t, 0.1875, Mode{2, 1e-12, 0.25}.At(2.0/3), 1e-11)
}

// Deeper networks wait longer, and At inverts Time, from above as well. The last is the closed form of four layers.
func TestModesOfDeepNetworks(t *testing.T) {
	near(t, 9.144747306608, Mode{3, 1, 1e-3}.Time(0.5), 1e-12)
	near(t, 15.52915165124, Mode{4, 1, 1e-3}.Time(0.5), 1e-12)
	for _, m := range []Mode{{3, 2, 0.1}, {5, 0.5, 3}, {2, 1, 4}, {3, 1, 1e-6}} {
		a := (m.Start + m.Target) / 2
		near(t, a, m.At(m.Time(a)), 1e-11)
	}
	for _, m := range []Mode{{3, 0, 2}, {2, 0, 2}, {5, 0, 2}} { // the limit of small targets
		near(t, m.At(0.7), Mode{m.Depth, 1e-14, 2}.At(0.7), 1e-12)
	}
	for depth, ratios := range map[int][]float64{3: {.960, .991, .9982, .9996, .99991}, 4: {.9946}, 5: {.9993}} {
		for i, want := range ratios { // half times over what they are from small starts
			power, start := float64(depth-2)/float64(depth), math.Pow(10, float64(-4-2*i))
			near(t, want, Mode{depth, 1, start}.Time(0.5)*float64(depth-2)*math.Pow(start, power), 6e-4)
		}
	}
	near(t, 1, Mode{4, 1, 1e-12}.Time(0.5)*2*1e-6, 1e-6)
	s, from, to := 2.0, math.Sqrt(0.1), math.Sqrt(1.5)
	half := (1/from - 1/to + (math.Atanh(to/math.Sqrt(s))-math.Atanh(from/math.Sqrt(s)))/math.Sqrt(s)) / (2 * s)
	near(t, half, Mode{4, s, 0.1}.Time(1.5), 1e-12)
}

// A mode that falls from far above its target, against the trapezoidal rule in log a.
func TestModesFromFarAbove(t *testing.T) {
	m, end := Mode{3, 0.01, 5}, 0.02
	const n = 200000
	sum, step := 0.0, math.Log(m.Start/end)/n
	for i := range n + 1 {
		a := end * math.Exp(float64(i)*step)
		weight := step
		if i == 0 || i == n {
			weight /= 2
		}
		sum += weight * math.Pow(a, -1./3) / (3 * (a - m.Target))
	}
	near(t, sum, m.Time(end), 1e-8)
	near(t, end, m.At(m.Time(end)), 1e-12)
}

// A step from (2, 3) towards 5, and parameters outside the hypotheses.
func TestModesOfAStep(t *testing.T) {
	require.Equal(t, []float64{0.5, 2}, AlignedStep{[]float64{2, 3}, 5, 0.5}.Next())
	for _, x := range []float64{Mode{0, 1, 1}.At(1), Mode{2, -1, 1}.At(1), Mode{2, 1, 0}.At(1), Mode{2, 1, 1}.At(-1),
		Mode{2, 1, 0.5}.Time(2), Mode{2, 1, 0.5}.Time(0.2)} {
		require.True(t, math.IsNaN(x))
	}
}
