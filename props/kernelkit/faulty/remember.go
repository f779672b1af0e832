package faulty

import (
	"runtime"
	"sync/atomic"

	"github.com/thm-suite/thm/impl/kernel"
)

// remembering is a fault that has a state of its own in each kernel.
func remembering(make func() Fault) Fault {
	return Fault{Name: make().Name, Break: func(k kernel.Kernel) kernel.Kernel { return make().Break(k) }}
}

// onTwoThreads is a fault that asks whether the kernel was told to use two threads.
func onTwoThreads(make func(two func() bool) Fault) Fault {
	return Fault{Name: "another order of operations on two threads", Break: func(k kernel.Kernel) kernel.Kernel {
		threads, sound := new(atomic.Int32), k.SetThreads
		k.SetThreads = func(n int) {
			threads.Store(int32(n))
			if sound != nil {
				sound(n)
			}
		}
		return make(func() bool { return threads.Load() == 2 }).Break(k)
	}}
}

// alone notices calls that overlap. It stands in for a workspace that calls share, without being a data race itself.
type alone struct{ inside atomic.Int32 }

func newAlone() *alone { return new(alone) }

// enter waits a little for company and reports whether the call is the only one.
func (a *alone) enter() bool {
	a.inside.Add(1)
	for range 200 {
		if a.inside.Load() > 1 {
			return false
		}
		runtime.Gosched()
	}
	return true
}

func (a *alone) leave() { a.inside.Add(-1) }
