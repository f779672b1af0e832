package diff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/stat"
)

// power is the probability that a slowdown by a factor is found, with n rounds of noise like that of a pilot: on
// simulated rounds.
func power(pilot []Block, n int, factor, alpha, margin, inflate float64, runs int, rng *rand.Rand) float64 {
	if len(pilot) < 2 || !finite(pilot) {
		return math.NaN()
	}
	found := 0
	for range runs {
		if slower(simulate(pilot, n, factor, inflate, rng), alpha, margin) {
			found++
		}
	}
	return float64(found) / float64(runs)
}

func slower(blocks []Block, alpha, margin float64) bool { return worse(blocks, alpha, margin, -1) }

// What is estimated on the pilot of one sample of noise comes true on others, at the noise bound that Inflation
// gives.
func TestPowerComesTrue(t *testing.T) {
	rng := streams.New(1, "blocks", "power")
	normal := func(n int, shift float64) []Block {
		blocks := make([]Block, n)
		for i := range blocks {
			blocks[i] = Block{0.02 * rng.NormFloat64(), 0.02 * rng.NormFloat64(), 0.02*rng.NormFloat64() + shift}
		}
		return blocks
	}
	const alpha, margin, n = 0.001, 0.01, 10
	pilot := normal(60, 0)
	for _, d := range []float64{0.03, 0.05, 0.1} {
		estimated := power(pilot, n, 1+d, alpha, margin, Inflation(60, 0.05), 400, rng)
		found := 0
		for range 400 {
			if judged(normal(n, math.Log1p(d)), alpha, margin, -1).Verdict == compare.Slower {
				found++
			}
		}
		require.True(t, stat.Proportion(found, 400, 1e-3).Hi >= estimated, "%v: promised %v, found %d of 400", d,
			estimated, found)
	}
	for _, bad := range []float64{Inflation(1, 0.05), Inflation(10, 0), Inflation(10, math.NaN()),
		power(pilot[:1], 10, 1.1, alpha, margin, 1, 10, rng)} {
		require.True(t, math.IsNaN(bad))
	}
	require.True(t, Inflation(5, 0.05) > Inflation(50, 0.05) && Inflation(50, 0.05) > 1)
	// χ² with 18 degrees of freedom has the 0.05-quantile 9.390 (tables): √(18/9.390) = 1.3845
	require.True(t, math.Abs(Inflation(10, 0.05)-1.3845) < 2e-3, "%v", Inflation(10, 0.05))
}

// A forecast from a pilot of few rounds comes true on other noise of the same kind: on average over pilots, the
// slowdown that it says will be found is found at least as often as it says.
func TestForecastComesTrue(t *testing.T) {
	rng := streams.New(1, "blocks", "forecast")
	normal := func(n int, shift float64) []Block {
		blocks := make([]Block, n)
		for i := range blocks {
			blocks[i] = Block{0.02 * rng.NormFloat64(), 0.02 * rng.NormFloat64(), 0.02*rng.NormFloat64() + shift}
		}
		return blocks
	}
	f := Forecast{Rounds: 10, Alpha: Share(0.01, 10, 1), Margin: 0.05, Power: 0.8, Inflate: Inflation(5, 0.05),
		Runs:   200,
		Random: func() *rand.Rand { return streams.New(2, "blocks", "forecast") }}
	found, trials := 0, 0
	for range 20 {
		f.Pilot = normal(5, 0)
		d := f.Detectable()
		require.True(t, d > 0.06 && d < 0.3, "%v", d)
		require.True(t, power(f.Pilot, f.Rounds, 1+d, f.Alpha, f.Margin, f.Inflate, f.Runs, f.Random()) >= f.Power)
		require.True(t, power(f.Pilot, f.Rounds, 1+d/growth, f.Alpha, f.Margin, f.Inflate, f.Runs,
			f.Random()) < f.Power)
		for range 10 {
			trials++
			if slower(normal(10, math.Log1p(d)), f.Alpha, f.Margin) {
				found++
			}
		}
	}
	require.True(t, stat.Proportion(found, trials, 1e-6).Lo >= f.Power-0.1, "%d of %d", found, trials)

	quiet := f
	quiet.Pilot = make([]Block, 5)
	require.True(t, quiet.Settles() && quiet.Detectable() < f.Margin*growth*growth)
	more := quiet
	more.Better = 1
	require.True(t, more.Settles() && more.Detectable() < f.Margin*growth*growth)
	more.Pilot = normal(5, 0)
	less := f
	less.Pilot = more.Pilot
	require.True(t, more.Detectable() < 2*less.Detectable() && less.Detectable() < 2*more.Detectable())
	loud := f
	loud.Pilot = normal(5, 0)
	loud.Inflate = 1000
	require.False(t, loud.Settles())
	require.True(t, math.IsNaN(loud.Detectable()))
	few := quiet
	few.Rounds = Minimum(f.Alpha) - 1
	require.True(t, math.IsNaN(few.Detectable()) && !few.Settles())
	for _, poor := range []Forecast{{}, {Pilot: quiet.Pilot[:1], Rounds: 10, Alpha: 0.01, Inflate: 1, Runs: 9,
		Power: 0.8, Random: f.Random},
		{Pilot: []Block{{Old: math.NaN()}, {}}, Rounds: 10, Alpha: 0.01, Inflate: 1, Runs: 9, Power: 0.8,
			Random: f.Random},
		{Pilot: quiet.Pilot, Rounds: 10, Alpha: 0.01, Inflate: math.NaN(), Runs: 9, Power: 0.8, Random: f.Random}} {
		require.True(t, math.IsNaN(poor.Detectable()) && !poor.Settles())
	}
}

// The quick rules decide as Judge does: exactly so for few blocks, nearly for many, and then on the careful side.
func TestQuickRules(t *testing.T) {
	rng := streams.New(1, "blocks", "quick")
	const alpha, margin = 0.01, 0.05
	for range 40 {
		blocks := noisy(rng, 9, 0.3*rng.Float64()-0.05)
		verdict := judged(blocks, alpha, margin, -1).Verdict
		require.Equal(t, verdict == compare.Slower, slower(blocks, alpha, margin))
		for i := range blocks { // with a floor, and in both directions
			blocks[i].Again += 0.1
			blocks[i].New += 0.05
		}
		require.Equal(t, judged(blocks, alpha, margin, -1).Verdict == compare.Slower, worse(blocks, alpha, margin, -1))
		require.Equal(t, judged(blocks, alpha, margin, 0).Verdict == compare.Changed && !worse(blocks, alpha, margin, 1),
			worse(blocks, alpha, margin, 0))
		for i := range blocks {
			blocks[i].Again -= 0.1
			blocks[i].New -= 0.3
		}
		require.Equal(t, judged(blocks, alpha, margin, 1).Verdict == compare.Slower, worse(blocks, alpha, margin, 1))
		for i := range blocks { // quieter, for the same
			b := &blocks[i]
			b.Again, b.New = b.Old+(b.Again-b.Old)/50, b.Old+(b.New-b.Old)/50
		}
		require.Equal(t, judged(blocks, alpha, margin, -1).Verdict == compare.Same, same(blocks, alpha, margin))
	}
	found := 0
	for range 40 {
		blocks := noisy(rng, 9, 0.2*rng.Float64()-0.1)
		for _, better := range []int{-1, 1} {
			v := Judge(blocks, compare.Spec{Alpha: alpha, Margin: margin, Better: better, Reaching: true}).Verdict
			require.Equal(t, v == compare.Slower, reaches(blocks, alpha, margin, better))
			if v == compare.Slower {
				found++
			}
		}
	}
	require.Greater(t, found, 10)
	apart := 0
	for range 60 {
		blocks := noisy(rng, manyBlocks+1, 0.12*rng.Float64())
		below, above := tails(blocks, 0.05)
		quickBelow, quickAbove := quickTails(blocks, 0.05)
		for _, p := range [][2]float64{{below, quickBelow}, {above, quickAbove}} {
			if (p[0] <= alpha/2) != (p[1] <= alpha/2) {
				apart++
			}
		}
	}
	require.LessOrEqual(t, apart, 6)
	below, above := quickTails(make([]Block, manyBlocks+1), 0)
	require.True(t, below == 1 && above == 1)
}

// The rounds that an undecided row is said to need decide with about the probability that is said, 0.8, if its change
// is what it looks like: rounds of that change and the same noise are decided.
func TestNeedsComeTrue(t *testing.T) {
	rng := streams.New(1, "blocks", "needs")
	const alpha, margin, spread = 0.001, 0.05, 0.04
	normal := func(n int, shift float64) []Block {
		blocks := make([]Block, n)
		for i := range blocks {
			blocks[i] = Block{spread * rng.NormFloat64(), spread * rng.NormFloat64(), spread*rng.NormFloat64() + shift}
		}
		return blocks
	}
	for _, reaching := range []bool{false, true} {
		changed := worse
		if reaching {
			changed = reaches
		}
		decided, said := 0, 0
		for range 150 {
			j := Judge(normal(10, 0.12*rng.Float64()), compare.Spec{Alpha: alpha, Margin: margin, Better: -1,
				Reaching: reaching})
			if j.Verdict != compare.Undecided || j.Needs == 0 || j.Needs > 300 {
				continue
			}
			said++
			require.Greater(t, j.Needs, 10)
			again := normal(j.Needs, math.Log(float64(j.Change.Center)))
			if changed(again, alpha, margin, -1) || changed(again, alpha, margin, 1) || same(again, alpha, margin) {
				decided++
			}
		}
		require.Greater(t, said, 40)
		rate := stat.Proportion(decided, said, 1e-3)
		require.True(t, rate.Hi >= 0.8 && rate.Lo >= 0.5, "%d of %d, reaching %v", decided, said, reaching)
	}
}
