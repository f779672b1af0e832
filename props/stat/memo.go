package stat

import (
	"sync"
	"sync/atomic"
)

// memo keeps values of a function that is dear and is asked the same again and again, as the quantiles of a simulation
// are. It keeps up to 4096 values, and is safe for concurrent use.
type memo[K comparable, V any] struct {
	known sync.Map
	count atomic.Int64
}

func (m *memo[K, V]) of(arguments K, f func() V) V {
	if v, ok := m.known.Load(arguments); ok {
		return v.(V)
	}
	v := f()
	if m.count.Add(1) <= 4096 {
		m.known.Store(arguments, v)
	}
	return v
}
