package kit

import (
	"sync"

	"github.com/thm-suite/thm/impl/kernel"
)

// threads serialises checks that change the number of threads of a kernel.
var threads sync.Mutex

// LockThreads lets the caller alone change the number of threads of a kernel, until it calls release, which puts the
// number back to what the kernel chooses.
func LockThreads(k kernel.Kernel) (release func()) {
	threads.Lock()
	return func() {
		k.SetThreads(0)
		threads.Unlock()
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

// Together makes four concurrent calls and reports whether all were right. A panic in one of them counts as wrong.
func Together(call func() bool) bool {
	var group sync.WaitGroup
	var right [4]bool
	for i := range right {
		group.Go(func() { Attempt(func() { right[i] = call() }) })
	}
	group.Wait()
	return right == [4]bool{true, true, true, true}
}
