package onestep

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// strengths returns ‖term k‖/(√n S_k) for k = 1, 2, 3: the norms of the terms in this sample over their limits.
func (h head) strengths(f theory.Features) []float64 {
	var out []float64
	for k := 1; k <= 3; k++ {
		out = append(out, h.excess(f, k))
	}
	return out
}

// strengthSpread returns the standard deviation and the bias of ‖term k‖/(√n S_k). The mean of n powers u²ᵏ has the relative
// variance ((4k−1)!!/(2k−1)!!² − 1)/n, that of N powers of a the same with N, and ‖β‖ᵏ scatters by k times what ‖β‖ does; half
// of the sum for the root, whose mean falls short by half its relative variance.
func strengthSpread(s theory.Step, n, width, k int) (sd, bias float64) {
	excess := oddFactorial(4*k-1)/math.Pow(oddFactorial(2*k-1), 2) - 1
	variance := excess*(1/float64(n)+1/float64(width))/4 + math.Pow(float64(k)*lengthSpread(s, n)/2, 2)
	return math.Sqrt(variance), variance / 2
}

// oddFactorial is k!! for odd k.
func oddFactorial(k int) float64 {
	product := 1.0
	for ; k > 1; k -= 2 {
		product *= float64(k)
	}
	return product
}

// judgeStrengths holds the norms of the terms against √n S_k.
func judgeStrengths(v expansionTrial, summits []*summit, add func(props.Part, props.Fact)) {
	for k := 1; k <= 3; k++ {
		var of tolerance
		values := make([]float64, len(summits))
		for i, s := range summits {
			values[i] = s.strengths[k-1]
			if v.formula == plainMoments {
				values[i] *= oddFactorial(2*k - 1)
			}
			of.add(strengthSpread(fits[1].setup.step(), s.n, s.width, k))
		}
		add(part(fmt.Sprintf("norm of term %d over √n S_%d", k, k), values, 1, of.zone()))
	}
}
