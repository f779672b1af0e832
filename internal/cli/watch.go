package cli

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
)

// Bound limits the time and the memory of a command.
type Bound struct {
	Time   time.Duration
	Memory float64 // bytes
}

// Watch looks after the memory and the time that a process takes.
type Watch struct {
	end     time.Time
	bound   Bound
	mu      sync.Mutex
	highest atomic.Uint64 // bytes of the heap, since the last call of Peak
	done    chan struct{}
	gc      int64 // the limit of the collector before
}

// watched is the time between two looks of a watch: what is allocated in between is hardly touched.
const watched = 2 * time.Millisecond

// NewWatch ends the process with [Unsettled] and a line as soon as it exceeds a bound, until it is stopped. The
// collector works the harder the nearer the memory is to the bound.
func NewWatch(b Bound, say func(string)) *Watch {
	w := &Watch{done: make(chan struct{}), gc: debug.SetMemoryLimit(-1)}
	w.Allow(b)
	go func() {
		tick := time.NewTicker(watched)
		defer tick.Stop()
		for {
			select {
			case <-w.done:
				return
			case now := <-tick.C:
				if excess := w.look(now); excess != "" {
					say(excess)
					os.Exit(Unsettled)
				}
			}
		}
	}()
	return w
}

// Allow sets another bound, from now on.
func (w *Watch) Allow(b Bound) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bound, w.end = b, time.Now().Add(b.Time)
	debug.SetMemoryLimit(int64(min(0.9*b.Memory, math.MaxInt64)))
}

// look says by what a bound is exceeded.
func (w *Watch) look(now time.Time) string {
	read := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(read)
	if heap := read[0].Value.Uint64(); heap > w.highest.Load() {
		w.highest.Store(heap)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case float64(read[1].Value.Uint64()-read[2].Value.Uint64()) > w.bound.Memory:
		return fmt.Sprintf("stopped: it takes more than %s", Bytes(w.bound.Memory))
	case now.After(w.end):
		return "stopped: it takes longer than " + terminal.Clock(w.bound.Time)
	}
	return ""
}

// Peak is the largest heap in bytes since the last call.
func (w *Watch) Peak() float64 { return float64(w.highest.Swap(0)) }

// Stop ends the watch.
func (w *Watch) Stop() {
	close(w.done)
	debug.SetMemoryLimit(w.gc)
}

// Bytes writes a number of bytes in the unit that suits it, with two digits.
func Bytes(n float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB"}
	k := 0
	for ; n >= 999.5 && k < len(units)-1; k++ {
		n /= 1000
	}
	if n >= 9.95 {
		return fmt.Sprintf("%.0f %s", n, units[k])
	}
	return fmt.Sprintf("%.1f %s", n, units[k])
}

// Memory returns the number of bytes that this process can still have: what the system has, or its control group
// allows, whichever is less; infinite where nobody says so.
func Memory() float64 {
	out := math.Inf(1)
	var kb float64
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		if at := strings.Index(string(b), "MemAvailable:"); at >= 0 {
			if _, err := fmt.Sscanf(string(b[at:]), "MemAvailable: %f kB", &kb); err == nil {
				out = 1024 * kb
			}
		}
	}
	if b, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64); err == nil {
			out = min(out, n)
		}
	}
	return out
}
