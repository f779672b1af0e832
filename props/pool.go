package props

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// pool bounds how many cells run at once. Which worker runs a cell has no influence on what the cell computes.
type pool struct{ slots chan struct{} }

func newPool(jobs int) *pool { return &pool{make(chan struct{}, max(1, jobs))} }

// patience is the time for which a running call may go on after the context has ended.
const patience = 300 * time.Millisecond

// each calls f(i) for all i in [0,n), then what that returns, one at a time, and returns when all calls are done. When
// the context ends, calls that have not begun are left out, and those that do not end soon are abandoned: they may go
// on, but what they return is not called.
func (p *pool) each(ctx context.Context, n int, f func(i int) (keep func())) {
	var workers sync.WaitGroup
	var mu sync.Mutex
	var begun atomic.Int64
	abandoned := false
	call := func() (more bool) {
		select {
		case <-ctx.Done():
			return false
		case p.slots <- struct{}{}:
		}
		defer func() { <-p.slots }()
		i := int(begun.Add(1)) - 1
		if i >= n || ctx.Err() != nil { // select picks at random when both are ready
			return false
		}
		keep := f(i)
		mu.Lock()
		defer mu.Unlock()
		if !abandoned {
			keep()
		}
		return true
	}
	for range min(n, cap(p.slots)) { // a goroutine for each call would grow a stack for each
		workers.Go(func() {
			for call() {
			}
		})
	}
	done := make(chan struct{})
	go func() { workers.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(patience):
		mu.Lock()
		defer mu.Unlock()
		abandoned = true
	}
}
