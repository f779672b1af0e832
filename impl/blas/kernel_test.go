package blas

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernels(t *testing.T) {
	list := Kernels()
	require.Len(t, list, len(kernels))
	chosen := 0
	for i, k := range list {
		require.Equal(t, kernels[i].rows(), k.Rows)
		require.LessOrEqual(t, k.Rows, maxRows)
		require.NotEmpty(t, k.Name+k.Reason)
		if k.Chosen {
			chosen++
			require.True(t, k.Available)
		}
		for _, width := range kernels[i].widest {
			require.LessOrEqual(t, width, maxCols)
		}
		require.Zero(t, nc*3/2%k.Cols, "a strip of B is whole slivers")
	}
	require.Equal(t, 1, chosen)
	require.True(t, list[0].Available, "the portable kernels run everywhere")
}

func TestChoose(t *testing.T) {
	require.Equal(t, "portable", choose("portable").kernel.name)
	best := choose("")
	require.Equal(t, available()[len(available())-1], best.kernel)
	unknown := choose("sse9")
	require.Equal(t, best.kernel, unknown.kernel)
	require.Contains(t, unknown.reason, "sse9")

	before := active.Load()
	defer active.Store(before)
	require.NoError(t, SetKernel("portable"))
	require.Equal(t, isaPortable, current().id)
	require.Error(t, SetKernel("sse9"))
	require.Equal(t, isaPortable, current().id)
}

func TestMultiplyAdds(t *testing.T) {
	for _, k := range available() {
		flops, err := MultiplyAdds(k.name, 1)
		require.NoError(t, err)
		require.Positive(t, flops)
	}
	_, err := MultiplyAdds("sse9", 1)
	require.ErrorContains(t, err, "sse9")
}

// TestEnvironment: what the variable asks for and cannot have is an error that names what there is.
func TestEnvironment(t *testing.T) {
	for _, asked := range []string{"", "portable"} {
		t.Setenv(EnvKernel, asked)
		require.NoError(t, EnvironmentError())
	}
	t.Setenv(EnvKernel, "sse9")
	require.ErrorContains(t, EnvironmentError(), `THM_BLAS_KERNEL: blas: no kernel named "sse9"; here it can be portable`)
}

// TestGrowLarge: memory for what is packed is long enough, whatever its length and alignment, and used again.
func TestGrowLarge(t *testing.T) {
	var s []float64
	for _, n := range []int{5, 1 << 14, 1<<18 + 1, 3 << 18} {
		s = growLarge(s, n)
		require.Len(t, s, n)
		s[0], s[n-1] = 1, 2
		require.Same(t, &s[0], &growLarge(s, n)[0])
	}
}

func TestThreads(t *testing.T) {
	defer SetThreads(0)
	SetThreads(5)
	require.Equal(t, 5, Threads())
	require.Panics(t, func() { SetThreads(-1) })
	for _, s := range [][3]int{{1, 1, 2}, {1000, 1000, 2}, {5, 100000, 8}, {2048, 512, 3}, {130, 130, 64}} {
		rows, cols := grid(s[0], s[1], s[2])
		require.Positive(t, rows)
		require.Positive(t, cols)
		require.Zero(t, rows%24+cols%48)
	}
	for _, size := range []int{1, 47, 48, 49, 1000, 100000} {
		require.LessOrEqual(t, ceil(size, piece(size, 48)), mostPieces)
		require.LessOrEqual(t, evenly(size, 144, 16), 144)
		require.LessOrEqual(t, ceil(size, evenly(size, 144, 16)), ceil(size, 144))
	}
}
