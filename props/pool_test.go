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
		newPool(jobs).each(t.Context(), len(calls), func(i int) func() {
			if now := running.Add(1); now > peak.Load() {
				peak.Store(now) // may miss a peak, and never invents one
			}
			running.Add(-1)
			return func() { calls[i].Add(1) }
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
		newPool(1).each(ctx, 10, func(i int) func() {
			if calls.Add(1); i == 3 {
				cancel()
			}
			return func() {}
		})
		require.Equal(t, int64(4), calls.Load())
		newPool(4).each(ctx, 10, func(int) func() { calls.Add(1); return func() {} })
		require.Equal(t, int64(4), calls.Load(), "a call began after the end of the context")
	}
}

// What does not end soon after the context is abandoned, and what it comes to is not kept.
func TestPoolAbandons(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, stuck, kept := newPool(1), make(chan struct{}), []string{}
	p.each(ctx, 2, func(int) func() {
		cancel()
		<-stuck
		return func() { kept = append(kept, "abandoned") }
	})
	close(stuck)
	p.each(t.Context(), 1, func(int) func() { // there is one slot: the call above has ended
		return func() { kept = append(kept, "in time") }
	})
	require.Equal(t, []string{"in time"}, kept)
}
