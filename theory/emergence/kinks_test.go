package emergence_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory/emergence"
)

// A floor is there if and only if some interval (i, j) has fewer than j − i − 1 kinks: all layers with k ≤ 5 and up to
// two kinks in each gap, with and without one on each count.
func TestFloorIsHallsCondition(t *testing.T) {
	for k := 1; k <= 5; k++ {
		p := make([]float64, k+1)
		for s := range p {
			p[s] = 1 / float64(k+1)
		}
		for code := range int(math.Pow(3, float64(k))) << (k - 1) {
			b := emergence.Bends{Count: k, Kinks: []float64{-1, 0, float64(k), float64(k) + 0.5}}
			rest := code >> (k - 1)
			for g := range k {
				for n := range rest % 3 {
					kink := float64(g) + 0.3 + 0.4*float64(n)
					b.Kinks = append(b.Kinks, kink, kink)
				}
				rest /= 3
			}
			for s := 1; s < k; s++ {
				if code>>(s-1)&1 == 1 {
					b.Kinks = append(b.Kinks, float64(s))
				}
			}
			want := 0.0
			for i := range k {
				for j := i + 1; j <= k; j++ {
					inside := map[float64]bool{}
					for _, kink := range b.Kinks {
						if float64(i) < kink && kink < float64(j) {
							inside[kink] = true
						}
					}
					if len(inside) < j-i-1 {
						want = 2 / float64(k+1)
					}
				}
			}
			require.Equal(t, want, b.Floor(p), "k = %d, kinks %v", k, b.Kinks)
		}
	}
}

func TestFloorOfALaw(t *testing.T) {
	b := emergence.Bends{Count: 4, Kinks: []float64{1.5, 3.2, 3.7}} // gaps 0, 1, 0, 2: the counts 0, …, 3
	require.Equal(t, 0.2, b.Floor([]float64{0.3, 0.1, 0.2, 0.35, 0.05}))
	b.Kinks[0] = 2.5 // 0, 0, 1, 2
	require.Equal(t, 0.2, b.Floor([]float64{0.3, 0.1, 0.2, 0.05, 0.35}))
	require.True(t, math.IsNaN(b.Floor([]float64{0.5, 0.5, 0, 0, 0})))
	require.True(t, math.IsNaN(emergence.Bends{Count: 1, Kinks: []float64{math.NaN()}}.Floor([]float64{0.5, 0.5})))
}

// within1 returns the probability that the kink is within reach of k/2 and b has the given sign, by Simpson's rule.
func within1(k int, reach, side float64) float64 {
	const half, end = 8000, 10.0
	size, sum := float64(k*k), 0.0
	for i := range half + 1 {
		beta, weight := end*float64(i)/half, end/half/3
		switch {
		case i%2 == 1:
			weight *= 4
		case i > 0 && i < half:
			weight *= 2
		}
		gate := emergence.Gate(side*beta/size, math.Pow(float64(k), -1.5))
		sum += weight * math.Exp(-beta*beta/2) / math.Sqrt(2*math.Pi) * math.Erfc(beta/(reach*gate*math.Sqrt2))
	}
	return sum
}

// Few pairs by hand. For k = 3 the only pattern is two empty gaps. For k = 5 one pair always leaves one, and two do
// unless they are in different gaps or both in the second.
func TestOddsByHand(t *testing.T) {
	const near = 1e-10
	inner, all := within1(3, 0.5, 1)+within1(3, 0.5, -1), within1(3, 1.5, 1)+within1(3, 1.5, -1)
	affine := 0.5 - within1(3, 1.5, 1)
	for _, m := range []int{1, 2, 5, 20} {
		few, unsure := emergence.Started{Count: 3, Pairs: m}.Odds()
		n := float64(m)
		within(t, "P", few, math.Pow(1-all, n), near)
		within(t, "Q", unsure, math.Pow(1-affine-inner, n)-math.Pow(1-affine-all, n)+
			n*inner*math.Pow(1-affine-all, n-1), near)
	}
	var gaps []float64
	before := 0.0
	for reach := 0.5; reach < 3; reach++ {
		below := within1(5, reach, 1) + within1(5, reach, -1)
		gaps, before = append(gaps, below-before), below
	}
	few, unsure := emergence.Started{Count: 5, Pairs: 1}.Odds()
	within(t, "P of one pair", few, 1, near)
	within(t, "Q of one pair", unsure, 0, near)
	few, _ = emergence.Started{Count: 5, Pairs: 2}.Odds()
	within(t, "P of two pairs", few, 1-2*(gaps[0]*gaps[1]+gaps[0]*gaps[2]+gaps[1]*gaps[2])-gaps[1]*gaps[1], near)
}

// A neuron and its mirror exceed 1 with a probability of at most the term for it, and hardly less, if ψ is 1. The term
// is part of both bounds.
func TestFailureOfCutPairs(t *testing.T) {
	const k, m = 3, 40
	cut := 2 * 0.5 * math.Erfc(k*k/(k/2.)/math.Sqrt2) // |α|k/2 > k²
	for panel := range 60 {
		cut += quad.Fixed(func(alpha float64) float64 {
			return 2 * math.Exp(-alpha*alpha/2) / math.Sqrt(2*math.Pi) * math.Erfc((k*k-alpha*k/2)/math.Sqrt2)
		}, float64(panel)/10, float64(panel+1)/10, 12, nil, 0)
	}
	s := emergence.Started{Count: k, Pairs: m}
	lower, upper := s.Failure()
	few, unsure := s.Odds()
	term := upper - few - unsure
	require.LessOrEqual(t, m*cut, term)
	require.Less(t, term, 1.2*m*cut)
	require.Zero(t, lower)
	lower, _ = emergence.Started{Count: k, Pairs: 1}.Failure()
	few, _ = emergence.Started{Count: k, Pairs: 1}.Odds()
	require.InEpsilon(t, few-lower, term/m, 1e-6)
}

func TestOddsAreProbabilities(t *testing.T) {
	for k := 3; k <= 15; k += 2 {
		for _, m := range []int{1, 2, 3, 4, 5, 6, 10, 400} {
			few, unsure := emergence.Started{Count: k, Pairs: m}.Odds()
			lower, upper := emergence.Started{Count: k, Pairs: m}.Failure()
			require.True(t, 0 <= few && 0 <= unsure && few+unsure <= 1, "k = %d, m = %d", k, m)
			require.True(t, 0 <= lower && lower <= upper && upper <= 1, "k = %d, m = %d", k, m)
		}
	}
}

// The rarest count of a law, from all its counts.
func TestLeastLossPredicted(t *testing.T) {
	for _, uniform := range []string{"1e-3", "0.5", "0.9", "0.999"} {
		quantities, err := emergence.Kinks.Evaluate(map[string]string{"k": "5", "uniform": uniform})
		require.NoError(t, err)
		lambda, err := strconv.ParseFloat(uniform, 64)
		require.NoError(t, err)
		rarest := 1.0
		for s, ways := range []float64{1, 5, 10, 10, 5, 1} {
			share := lambda * ways / 32
			if s == 0 || s == 5 {
				share += (1 - lambda) / 2
			}
			rarest = min(rarest, share)
		}
		within(t, "loss", quantities[4].Value, 2*rarest, 1e-15)
	}
}

// The numbers that the claim prints.
func TestNeeded(t *testing.T) {
	for k, want := range map[int][2]int{3: {6, 8}, 5: {8, 9}, 7: {12, 13}, 9: {19, 20}, 11: {30, 30}} {
		necessary, sufficient := emergence.Started{Count: k}.Needed(0.05)
		require.Equal(t, want, [2]int{necessary, sufficient}, "k = %d", k)
		lower, _ := emergence.Started{Count: k, Pairs: necessary - 1}.Failure()
		require.Greater(t, lower, 0.05)
		_, upper := emergence.Started{Count: k, Pairs: sufficient}.Failure()
		require.LessOrEqual(t, upper, 0.05)
	}
	necessary, _ := emergence.Started{Count: 4}.Needed(0.05)
	require.Equal(t, -1, necessary)
	few, _ := emergence.Started{Count: 4, Pairs: 1}.Odds()
	require.True(t, math.IsNaN(few))
}
