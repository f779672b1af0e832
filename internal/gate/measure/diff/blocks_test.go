package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/stat"
)

// judged is [Judge] by these numbers alone.
func judged(blocks []Block, alpha, margin float64, better int) compare.Judgement {
	return Judge(blocks, compare.Spec{Alpha: alpha, Margin: margin, Better: better})
}

// noisy draws n blocks with drift from round to round, heavy tails, and a new code that takes exp(shift) times as long.
func noisy(rng *rand.Rand, n int, shift float64) []Block {
	blocks, level := make([]Block, n), 0.0
	for i := range blocks {
		level += 0.1 * rng.NormFloat64()
		spread := 0.02 * math.Exp(rng.NormFloat64()) // rounds differ in noise
		x := func() float64 {
			burst := 0.0
			if rng.Float64() < 0.1 {
				burst = 0.3 * rng.ExpFloat64()
			}
			return level + spread*rng.NormFloat64() + burst
		}
		blocks[i] = Block{x(), x(), x() + shift}
	}
	return blocks
}

// The distribution is compared with an enumeration of all 3ⁿ assignments.
func TestTailsAgainstEnumeration(t *testing.T) {
	rng := streams.New(1, "blocks", "enumeration")
	for n := 1; n <= 6; n++ {
		for range 20 {
			blocks := noisy(rng, n, 0.1)
			if rng.IntN(2) == 0 { // ties
				for i, b := range blocks {
					blocks[i] = Block{math.Round(20 * b.Old), math.Round(20 * b.Again), math.Round(20 * b.New)}
				}
			}
			ranks := alignedRanks(blocks, 0)
			observed, below, above, all := 0, 0.0, 0.0, math.Pow(3, float64(n))
			for _, r := range ranks {
				observed += r[2]
			}
			for code := range int(all) {
				sum := 0
				for _, r := range ranks {
					sum += r[code%3]
					code /= 3
				}
				if sum <= observed {
					below++
				}
				if sum >= observed {
					above++
				}
			}
			gotBelow, gotAbove := tails(blocks, 0)
			require.Equal(t, [2]float64{below / all, above / all}, [2]float64{gotBelow, gotAbove}, "%v", blocks)
		}
	}
}

// Which arm a number belongs to has no influence on its rank: exchanged numbers exchange their ranks, and no others.
// All of the test's exactness rests on this.
func TestRanksAreBlindToArms(t *testing.T) {
	rng := streams.New(1, "blocks", "blind")
	for range 50 {
		blocks := noisy(rng, 7, 0.1)
		before := alignedRanks(blocks, 0)
		i := rng.IntN(7)
		b := &blocks[i]
		b.Old, b.Again, b.New = b.New, b.Old, b.Again
		want := before[i]
		before[i] = [3]int{want[2], want[0], want[1]}
		require.Equal(t, before, alignedRanks(blocks, 0))
	}
}

// Whichever way noise is distributed: the interval of what did not change misses at most as often as stated.
func TestIntervalCoversWhatDidNotChange(t *testing.T) {
	rng := streams.New(1, "blocks", "null")
	for _, alpha := range []float64{0.2, 0.01} {
		const runs = 600
		missed := 0
		for range runs {
			if c := Interval(noisy(rng, 8, 0), alpha); !(c.Lo <= 1 && c.Hi >= 1) {
				missed++
			}
		}
		// 10⁻⁶ is the chance that this test fails although the level holds
		require.True(t, stat.Proportion(missed, runs, 2e-6).Lo <= alpha, "%d of %d missed at %v", missed, runs, alpha)
		if alpha == 0.2 {
			require.True(t, stat.Proportion(missed, runs, 2e-6).Hi >= alpha/3,
				"%d of %d: the intervals are too wide to be of use", missed, runs)
		}
	}
}

// A factor is covered as well as none.
func TestIntervalCoversAFactor(t *testing.T) {
	rng := streams.New(1, "blocks", "factor")
	const runs, alpha = 400, 0.1
	for _, factor := range []float64{0.5, 1.05, 3} {
		missed := 0
		for range runs {
			if c := Interval(noisy(rng, 8, math.Log(factor)), alpha); !(float64(c.Lo) <= factor &&
				float64(c.Hi) >= factor) {
				missed++
			}
		}
		require.True(t, stat.Proportion(missed, runs, 2e-6).Lo <= alpha, "%d of %d missed %v", missed, runs, factor)
	}
}

// A whole table of rows that did not change, with looks until everything is decided or there have been four: any
// accusation is a false alarm.
func TestFamilyOfLooks(t *testing.T) {
	rng := streams.New(1, "blocks", "looks")
	const tables, rows, alpha = 300, 6, 0.1
	alarms := 0
	for range tables {
		data := make([][]Block, rows)
		wrong := false
		for look := 1; look <= 4; look++ {
			for r := range data {
				if open := len(data[r]) == 6*(look-1); !open || look > 1 &&
					decided(data[r], Share(alpha, rows, look-1)) {
					continue
				}
				data[r] = append(data[r], noisy(rng, 6, 0)...)
				below, above := tails(data[r], 0)
				share := Share(alpha, rows, look)
				wrong = wrong || below <= share/2 || above <= share/2
			}
		}
		if wrong {
			alarms++
		}
	}
	require.True(t, stat.Proportion(alarms, tables, 2e-6).Lo <= alpha, "%d of %d", alarms, tables)
}

// decided reports whether an interval lies within a margin of 2 %.
func decided(data []Block, share float64) bool {
	below, _ := tails(data, math.Log(1.02))
	_, above := tails(data, -math.Log(1.02))
	return below <= share/2 && above <= share/2
}

func TestShareAddsUp(t *testing.T) {
	sum := 0.0
	for look := 1; look <= 1000; look++ {
		sum += 7 * Share(0.01, 7, look)
	}
	require.True(t, sum > 0.0099 && sum <= 0.01, "%v", sum)
	require.True(t, Share(0.01, 0, 1) <= 0.005)
}

// Minimum is where the interval becomes finite.
func TestMinimum(t *testing.T) {
	rng := streams.New(1, "blocks", "least")
	for _, alpha := range []float64{0.3, 0.05, 0.01, 1e-4, 1e-6} {
		n := Minimum(alpha)
		require.True(t, 2*math.Pow(3, -float64(n)) <= alpha && 2*math.Pow(3, 1-float64(n)) > alpha)
		c := Interval(noisy(rng, n, 0), alpha)
		require.True(t, c.Lo > 0 && float64(c.Hi) < math.Inf(1))
		c = Interval(noisy(rng, n-1, 0), alpha)
		require.True(t, n == 1 || c.Lo == 0 && math.IsInf(float64(c.Hi), 1))
		j := judged(noisy(rng, n-1, 5), alpha, 0.05, -1)
		if n > 1 {
			require.Equal(t, compare.Undecided, j.Verdict)
			require.Equal(t, n, j.Needs)
		}
	}
}

// Scaling the new code moves the interval; the order of the rounds and of the two appearances of the old code does not
// matter.
func TestIntervalInvariances(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		shift := rapid.Float64Range(-2, 2).Draw(rt, "shift")
		blocks := noisy(rng, n, 0)
		alpha := rapid.SampledFrom([]float64{0.5, 0.1, 0.01}).Draw(rt, "alpha")
		c := Interval(blocks, alpha)
		moved, mixed := make([]Block, n), make([]Block, n)
		for i, k := range rng.Perm(n) {
			b := blocks[i]
			moved[i] = Block{b.Old, b.Again, b.New + shift}
			mixed[k] = Block{b.Again, b.Old, b.New}
		}
		close := func(x, y compare.Number) bool { // bisections end at 1e-9 of the logarithm
			a, b := math.Log(float64(x)), math.Log(float64(y))
			return a == b || math.Abs(a-b) <= 4e-9
		}
		m := Interval(moved, alpha)
		factor := compare.Number(math.Exp(shift))
		if !close(m.Lo, c.Lo*factor) || !close(m.Hi, c.Hi*factor) {
			rt.Fatalf("moved by %v: %v, then %v", shift, c, m)
		}
		if x := Interval(mixed, alpha); !close(x.Lo, c.Lo) || !close(x.Hi, c.Hi) {
			rt.Fatalf("mixed: %v, then %v", c, x)
		}
	})
}

// The further the hypothesis lies from the data the surer it is rejected, nearly: the null distribution moves with the
// hypothesis. What is lost on the way is small compared with the level.
func TestTailsAreNearlyMonotone(t *testing.T) {
	rng := streams.New(1, "blocks", "monotone")
	for range 60 {
		blocks := noisy(rng, 8+rng.IntN(6), 0)
		worst, last := 0.0, -1.0
		for theta := -1.0; theta <= 1; theta += 0.01 {
			if _, above := tails(blocks, theta); above < 0.1 {
				worst, last = max(worst, last-above), max(last, above)
			}
		}
		require.True(t, worst <= 0.005, "a tail falls by %v on its way up", worst)
	}
}

func TestJudge(t *testing.T) {
	quiet := func(factor, again float64) []Block {
		blocks := make([]Block, 12)
		for i := range blocks {
			e := 1e-3 * float64(i%3-1)
			blocks[i] = Block{float64(i), float64(i) + again + e, float64(i) + math.Log(factor) - e}
		}
		return blocks
	}
	for _, c := range []struct {
		factor, again, margin float64
		better                int
		want                  compare.Decision
	}{
		{1, 0, 0.05, -1, compare.Same}, {1.3, 0, 0.05, -1, compare.Slower}, {1.3, 0, 0.05, 1, compare.Faster},
		{1.3, 0, 0.05, 0, compare.Changed},
		{0.7, 0, 0.05, -1, compare.Faster}, {0.7, 0, 0.05, 1, compare.Slower}, {1.05, 0, 0.05, -1, compare.Undecided},
		{1.03, 0, 0.05, -1, compare.Same}, {1.03, 0, 0.01, -1, compare.Slower}, {1.3, 0, 0.5, -1, compare.Same},
		{1.08, 0.1, 0.05, -1, compare.Undecided}, // the old code differs from itself by 10 %
		{1.5, 0.1, 0.05, -1, compare.Slower}, {1, 0.1, 0.05, -1, compare.Undecided},
	} {
		j := judged(quiet(c.factor, c.again), 0.01, c.margin, c.better)
		require.Equal(t, c.want, j.Verdict, "%+v: %+v", c, j)
		require.Equal(t, j.Verdict == compare.Undecided, j.Reason != "")
		require.Equal(t, c.better == -1 && j.Verdict == compare.Slower, c.better == -1 &&
			slower(quiet(c.factor, c.again), 0.01, c.margin))
	}
	// exact repetition: the interval is a point
	same := make([]Block, 10)
	j := judged(same, 0.01, 0.05, -1)
	require.Equal(t, compare.Same, j.Verdict)
	require.True(t, math.Abs(float64(j.Change.Hi-j.Change.Lo)) < 4e-9)
}

// NaN, infinities and no data at all are never a verdict that passes.
func TestPoison(t *testing.T) {
	require.Equal(t, compare.Unusable, judged(nil, 0.01, 0.05, -1).Verdict)
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for arm := range 3 {
			v := [3]float64{}
			v[arm] = x
			blocks := append(make([]Block, 12), Block{v[0], v[1], v[2]})
			require.Equal(t, compare.Unusable, judged(blocks, 0.01, 0.05, -1).Verdict, "%v in arm %d", x, arm)
			require.True(t, math.IsNaN(power(blocks, 10, 1.1, 0.01, 0, 1, 10, streams.New(1))))
		}
	}
	for _, alpha := range []float64{math.NaN(), 0, -1} {
		require.Equal(t, compare.Undecided, judged(make([]Block, 12), alpha, 0.05, -1).Verdict, "alpha %v", alpha)
	}
	require.NotEqual(t, compare.Same, judged(make([]Block, 12), 0.01, math.NaN(), -1).Verdict)
}

func ExampleJudge() {
	var rounds []Block
	for i := range 10 {
		drift := 0.1 * float64(i)
		rounds = append(rounds, Block{Old: drift, Again: drift + 0.01, New: drift + math.Log(1.3)})
	}
	j := judged(rounds, Share(0.01, 20, 1), 0.05, -1)
	fmt.Println(j.Verdict)
	// Output: slower
}

// Of more blocks than a float64 can count assignments of, the sum of ranks is nearly normal too.
func TestTailsOfVeryManyBlocks(t *testing.T) {
	ranks, sum := make([][3]int, 1000), 0
	for i := range ranks {
		third := i % 3
		if i%40 == 0 {
			third = 2
		}
		ranks[i] = [3]int{2 * (third + 1) % 6, 2 * (third + 2) % 6, 2 * third}
		sum += third - 1
	}
	below, above := rankTails(ranks)
	sigma := math.Sqrt(2. / 3 * float64(len(ranks)))
	require.InDelta(t, math.Erfc(-(float64(sum)+0.5)/sigma/math.Sqrt2)/2, below, 1e-4)
	require.InDelta(t, math.Erfc((float64(sum)-0.5)/sigma/math.Sqrt2)/2, above, 1e-4)
}
