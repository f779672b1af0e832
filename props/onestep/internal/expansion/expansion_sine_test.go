package expansion

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// The mean gain of the sine over W₀ and −W₀ is the mean of the two networks.
func TestSineGain(t *testing.T) {
	h := draw(&props.Trial{Rand: streams.New(1, "sine")}, setups[0], 5)
	want := algebra.Scaled(0.5, algebra.Sum(h.gain(curve, 0.7), h.mirrored().gain(curve, 0.7)))
	require.True(t, mat.EqualApprox(want, h.sineGain(0.7), 1e-13))
}
