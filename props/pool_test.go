package props

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPoolRunsEverythingOnce(t *testing.T) {
	for _, jobs := range []int{-1, 0, 1, 3, 50} {
		var running, peak atomic.Int64
		calls := make([]atomic.Int64, 20)
		newPool(jobs).each(t.Context(), len(calls), func(i int) {
			if now := running.Add(1); now > peak.Load() {
				peak.Store(now) // may miss a peak, and never invents one
			}
			calls[i].Add(1)
			running.Add(-1)
		})
		for i := range calls {
			require.Equal(t, int64(1), calls[i].Load(), "%d jobs, call %d", jobs, i)
		}
		require.LessOrEqual(t, peak.Load(), int64(max(1, jobs)))
		require.Zero(t, running.Load(), "each returns when all calls are done")
	}
}

func TestPoolStops(t *testing.T) {
	for range 50 { // a select between the end of the context and a free slot is decided at random
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int64
		newPool(1).each(ctx, 10, func(i int) {
			if calls.Add(1); i == 3 {
				cancel()
			}
		})
		require.Equal(t, int64(4), calls.Load())
		newPool(4).each(ctx, 10, func(int) { calls.Add(1) })
		require.Equal(t, int64(4), calls.Load(), "a call began after the end of the context")
	}
}
