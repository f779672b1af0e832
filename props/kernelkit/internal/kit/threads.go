package kit

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/thm-suite/thm/impl/kernel"
)

// threads serialises checks that change the number of threads of a kernel. A check that is given up leaves its lock
// behind.
var threads atomic.Pointer[sync.Mutex]

func init() { GiveUp() }

// GiveUp forgets a check that waits for its kernel: what it has locked is free for others.
func GiveUp() { threads.Store(new(sync.Mutex)) }

// LockThreads lets the caller alone change the number of threads of a kernel, until it calls release, which puts the
// number back to what the kernel chooses.
func LockThreads(k kernel.Kernel) (release func()) {
	lock := threads.Load()
	lock.Lock()
	return func() {
		k.SetThreads(0)
		lock.Unlock()
	}
}

// EachThreads makes calls on one, two and three threads if the kernel lets that be chosen, else once.
func EachThreads(k kernel.Kernel, calls func()) {
	if k.SetThreads == nil {
		calls()
		return
	}
	defer LockThreads(k)()
	for n := range 4 {
		k.SetThreads(n)
		calls()
	}
}

// Together makes eight concurrent calls and reports whether all were right. A panic in one of them counts as wrong.
func Together(call func() bool) bool {
	var group sync.WaitGroup
	var right [8]bool
	for i := range right {
		group.Go(func() { Attempt(func() { right[i] = call() }) })
	}
	group.Wait()
	return !slices.Contains(right[:], false)
}
