package main

import (
	"sync"
	"time"
)

// heartbeat is how long a display without a terminal stays silent, so that a log shows that the run is alive.
const heartbeat = 10 * time.Second

// clockwork calls a function with every tick until it is closed.
type clockwork struct {
	stop    chan struct{}
	stopped sync.WaitGroup
}

func (c *clockwork) start(ticks <-chan time.Time, f func()) {
	c.stop = make(chan struct{})
	c.stopped.Go(func() {
		for {
			select {
			case <-c.stop:
				return
			case <-ticks:
				f()
			}
		}
	})
}

// close returns when the last call is over.
func (c *clockwork) close() {
	close(c.stop)
	c.stopped.Wait()
}
