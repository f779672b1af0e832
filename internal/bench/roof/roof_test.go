package roof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/roof"
)

func TestPeak(t *testing.T) {
	for _, k := range blas.Kernels() {
		flops, err := roof.Peak(k.Name, 1)
		if !k.Available {
			require.Error(t, err, k.Name)
			continue
		}
		require.NoError(t, err)
		require.Positive(t, flops)
	}
	_, err := roof.Peak("sse9", 1)
	require.ErrorContains(t, err, "sse9")
}

func TestBandwidth(t *testing.T) {
	for _, size := range []int{1 << 10, 1 << 15} {
		rates := roof.Bandwidth(size, 2)
		require.Positive(t, rates.Read)
		require.Positive(t, rates.Write)
		require.Positive(t, rates.Update)
	}
	require.Panics(t, func() { roof.Bandwidth(1000, 1) })
}
