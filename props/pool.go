package props

import (
	"context"
	"sync"
)

// pool bounds how many cells run at once. Which worker runs a cell has no influence on what the cell computes.
type pool struct{ slots chan struct{} }

func newPool(jobs int) *pool { return &pool{make(chan struct{}, max(1, jobs))} }

// each calls f(i) for all i in [0,n) and returns when all calls are done. When the context ends, calls that have
// not begun are left out.
func (p *pool) each(ctx context.Context, n int, f func(i int)) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for i := range n {
		select {
		case <-ctx.Done():
			return
		case p.slots <- struct{}{}:
		}
		if ctx.Err() != nil { // select picks at random when both are ready
			<-p.slots
			return
		}
		wg.Go(func() {
			defer func() { <-p.slots }()
			f(i)
		})
	}
}
