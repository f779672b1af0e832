// Package collector sets the frequency of garbage collection for the command and for the tests.
//
// Their live heap is a few MiB, most of it matrices that live for one case. At Go's default target, twice the live
// heap, collections follow one another without a pause and cost up to half of the processor time. A heap of several
// times the live heap costs little memory here, and the limit keeps a large live heap from growing by the same factor.
package collector

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
)

const (
	percent = 800     // by how much the heap may outgrow what was live after the last collection
	limit   = 2 << 30 // bytes from which on that is not so: the collector then works as often as it must
)

// Set chooses the target and the limit, unless the variables GOGC and GOMEMLIMIT of the environment, which Go itself
// reads, have done so.
func Set() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	Within(limit)
}

// Within chooses the limit alone: a smaller one is for what reads more than it keeps.
func Within(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// State holds the settings of the garbage collector that are in force.
type State struct {
	Percent uint64 `json:"percent"` // the largest number if it is off
	Limit   uint64 `json:"memory_limit"`
}

// Now reads the state from the runtime.
func Now() State {
	read := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(read)
	return State{read[0].Value.Uint64(), read[1].Value.Uint64()}
}

// String is the state as the variables that would set it.
func (s State) String() string {
	text := fmt.Sprintf("GOGC=%d", s.Percent)
	if s.Percent > 1<<31 {
		text = "GOGC=off"
	}
	if s.Limit < 1<<62 {
		text += fmt.Sprintf(" GOMEMLIMIT=%dMiB", s.Limit>>20)
	}
	return text
}
