package peers

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/roof"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/props/results"
)

// BenchmarkAlgorithm1BesideNumPy is Algorithm 1 at d = 50, n = 2500 and m = 500 on both sides in turns, and what the
// multiply-adds that the algorithm cannot do without would take at the peak of the same run: of-NumPy is our time over
// NumPy's, and counted-of-NumPy the least that any implementation at this peak could reach.
func BenchmarkAlgorithm1BesideNumPy(b *testing.B) {
	python := os.Getenv("THM_NUMPY")
	if python == "" {
		b.Skip("THM_NUMPY names no python that imports numpy")
	}
	defer builtin.Limit(1)()
	defer blas64.Use(blas.Use())
	p, err := StartNumPy(b.Context(), python, "")
	require.NoError(b, err)
	defer p.Close()
	const n = 2500
	work := algorithm1(builtin.Thm(), n)
	wrong, err := verify(p, "algorithm-1", work)
	require.NoError(b, err)
	require.Equal(b, results.Holds, wrong.Verdict(), "NumPy's result")
	var rates []float64
	times, err := p.Beside(func() bool { // with the work, because clocks and neighbours change
		rate, err := roof.Peak(builtin.InUse(), 8)
		require.NoError(b, err)
		rates = append(rates, rate)
		return b.Loop()
	}, "algorithm-1", work.timed)
	require.NoError(b, err)
	flops := 2 * algorithm1MultiplyAdds(n)
	b.ReportMetric(1e3*number.Median(times.Ours), "ours-ms")
	b.ReportMetric(1e3*number.Median(times.Peers), "numpy-ms")
	b.ReportMetric(times.Share(), "of-NumPy")
	b.ReportMetric(1e3*flops/number.Median(rates), "counted-ms")
	b.ReportMetric(flops/number.Median(rates)/number.Median(times.Peers), "counted-of-NumPy")
}

// algorithm1MultiplyAdds counts the products of [algorithm1] that are made however it is written, with m = n/5 neurons
// in d dimensions: preactivations and gradient of one neuron of each pair, nmd/2 each; features, of which pairs share
// the products, nmd/2; half of the symmetric ΦᵀΦ, nm²/2; a tridiagonal form for the path of 13 penalties, 2m³/3, less
// than 13 of Cholesky's factorisations; features and predictions at the validation samples.
func algorithm1MultiplyAdds(n int) float64 {
	samples, m, d := float64(n), float64(2*max(1, n/10)), float64(learningD)
	return 1.5*samples*m*d + samples*m*m/2 + 2*m*m*m/3 + validation*m*(d/2+float64(len(penalties)))
}
