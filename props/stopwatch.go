package props

import (
	"sync"

	"github.com/thm-suite/thm/internal/cputime"
)

// stopwatch shares the processor time of the process among what runs at the same time, each an equal part of what is
// spent meanwhile. Unlike the clock it does not count what other processes did.
type stopwatch struct {
	mu      sync.Mutex
	running int
	last    float64 // of the process, when something began or ended
	each    float64 // what something that runs from the first moment to the last has spent
}

// tick brings the stopwatch up to date. The caller holds the lock.
func (w *stopwatch) tick() {
	now := cputime.Process()
	w.each += (now - w.last) / float64(max(1, w.running))
	w.last = now
}

// during adds the seconds that f takes, also where it panics: what has ended takes no part of what others spend.
func (w *stopwatch) during(f func(), spent *float64) {
	*spent -= w.step(1)
	defer func() { *spent += w.step(-1) }()
	f()
}

// step notes that something begins or ends.
func (w *stopwatch) step(running int) (each float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tick()
	w.running += running
	return w.each
}
