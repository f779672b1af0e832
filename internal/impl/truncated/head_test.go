package truncated_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
)

// One bit is the label: two neurons along it suffice, and Adam's first step is the rate whatever the gradient.
func TestFitOneBit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	law := parity(1, 1, 0.5, 0)
	net := truncated.Net{W: mat.NewDense(2, 1, []float64{1, -1}), B: []float64{0.25, 0.25}, A: []float64{5, 5}}
	batch := func() data.Sample { return law.Draw(r, 50) }
	once := net.Fit(truncated.Head{Steps: 1, Rate: 0.05}, batch)
	close(t, "first step", once.A[0], 0.05, 1e-8)
	close(t, "first step", once.A[1], -0.05, 1e-8)
	fitted := net.Fit(truncated.Head{Steps: 200, Rate: 0.05}, batch)
	wrong, loss := fitted.Score(law.Draw(r, 100))
	require.Zero(t, wrong)
	require.Less(t, loss, 0.05)
	wrong, loss = truncated.Net{W: net.W, B: net.B, A: []float64{0, 0}}.Score(law.Draw(r, 100))
	require.Equal(t, 100, wrong)
	close(t, "loss of nothing", loss, 1, 1e-14)
}
