package terminal

import (
	"sync"
	"time"
)

// Heartbeat is the time for which a display without a terminal stays silent, so that a log shows that the run is alive.
const Heartbeat = 10 * time.Second

// Ticker calls a function with every tick until it is stopped.
type Ticker struct {
	done    chan struct{}
	stopped sync.WaitGroup
}

// Start begins.
func (c *Ticker) Start(ticks <-chan time.Time, f func()) {
	c.done = make(chan struct{})
	c.stopped.Go(func() {
		for {
			select {
			case <-c.done:
				return
			case <-ticks:
				f()
			}
		}
	})
}

// Stop returns when the last call is over.
func (c *Ticker) Stop() {
	close(c.done)
	c.stopped.Wait()
}
