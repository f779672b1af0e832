package emergence

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/data"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// The weights extrapolate every polynomial of a degree below the number of sizes.
func TestWeightsExtrapolate(t *testing.T) {
	for _, kind := range []string{"both symmetries", "any law"} {
		weights := growing{kind: kind}.weights()
		for degree := range weights {
			got := 0.0
			for i, w := range weights {
				got += w * math.Ldexp(1, -i*degree)
			}
			want := 0.0
			if degree == 0 {
				want = 1
			}
			require.Less(t, math.Abs(got-want), 1e-14)
		}
	}
}

// The characteristic function of a centred bit, its zero at p = 1/2 included.
func TestCharacteristic(t *testing.T) {
	for _, p := range []float64{0.125, 0.5, 0.75} {
		for x := -7.0; x < 7; x += 0.37 {
			log, angle := characteristic(p, x)
			want := complex(1-p, 0)*cmplx.Rect(1, -p*x) + complex(p, 0)*cmplx.Rect(1, (1-p)*x)
			require.Less(t, cmplx.Abs(cmplx.Rect(math.Exp(log), angle)-want), 1e-14)
		}
	}
	log, _ := characteristic(0.5, math.Pi)
	require.Less(t, log, -30.)
}

// At every bias the error is within its bound, and at some bias it exceeds a tenth of the bound. Steps outside A with a
// nonzero sum make the law skew unless p_o = 1/2.
func TestLimitsAtEveryBias(t *testing.T) {
	for _, in := range []growing{
		{kind: "both symmetries", Count: 3, Accept: data.Parity(3), Pattern: data.Uniform(3, 0.25), Background: 0.5,
			On: []int{2, 1, 5}, Off: []int{6, -1, 1, -2}},
		{kind: "any law", Count: 1, Accept: data.Parity(1), Pattern: data.Uniform(1, 0.5), Background: 0.125,
			On: []int{6}, Off: []int{6, -1, 4, -2}},
	} {
		in.Deviation, in.Noise = 0.4, 0.25
		sum := 0.0
		for _, s := range in.On {
			sum += float64(s)
		}
		mostOn, mostOutside := 0.0, 0.0
		for in.Bias = -0.4; in.Bias < 0.9; in.Bias += 0.2 {
			grown := in.grown(growing.neuron)
			s := theory.Second{Gamma: grown.gamma, Sigma: 1, Mean: grown.mean, Background: in.Background, Bias: in.Bias,
				Noise: math.Hypot(in.Noise, in.Deviation)}
			on, outside := grown.limits()
			for j := range in.On {
				mostOn = max(mostOn, math.Abs(on.limit[j]-s.Level())/on.err[j])
			}
			for j := range in.Off {
				want := s.Outside(1, sum) / (in.Background * (1 - in.Background))
				mostOutside = max(mostOutside, math.Abs(outside.limit[j]-want)/outside.err[j])
			}
		}
		require.LessOrEqual(t, max(mostOn, mostOutside), 1.)
		require.Greater(t, mostOn, 0.1)
		if in.kind == "any law" { // under both symmetries the bound outside is mostly rounding
			require.Greater(t, mostOutside, 0.1)
		}
	}
}
