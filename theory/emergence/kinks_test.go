package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

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

// within1 is the probability that the kink is within reach of k/2 and b has a sign, by Simpson's rule.
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
