package blas

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// processors makes Go run so many threads until the end of a test, whatever the machine has: with one there would be no
// helpers.
func processors(t *testing.T, n int) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// dismissed waits until no helper is left.
func dismissed(t *testing.T) {
	t.Helper()
	for i := 0; crew.helpers.Load() != 0 || crew.idle.Load() != 0; i++ {
		if i == 1000 {
			t.Fatalf("%d helpers are left, %d idle", crew.helpers.Load(), crew.idle.Load())
		}
		time.Sleep(time.Millisecond)
	}
}

// TestConcurrentShare: every task is done once, by the time Share returns, whoever else shares and whether tasks share
// themselves; helpers are fewer than processors, and end with the computations.
func TestConcurrentShare(t *testing.T) {
	processors(t, 4)
	var callers sync.WaitGroup
	for caller := range 3 {
		callers.Go(func() {
			Begin()
			defer End()
			for round := range 200 {
				counts := make([]int, 1+(round+caller)%7) // not atomic, so that the race detector sees who looks too early
				Share(1+round%4, len(counts), func(task int) {
					inner := make([]int, 3)
					Share(2, len(inner), func(task int) { inner[task]++ })
					counts[task] += inner[0] * inner[1] * inner[2]
				})
				for task, count := range counts {
					if count != 1 {
						t.Errorf("round %d: task %d of %d was done %d times", round, task, len(counts), count)
					}
				}
				if n := crew.helpers.Load(); n > 4 { // hire counts before it looks
					t.Errorf("%d helpers on 4 processors", n)
				}
			}
		})
	}
	callers.Wait()
	dismissed(t)
	for i := range crew.open {
		if crew.open[i].Load() != nil {
			t.Error("a job is left")
		}
	}
	if crew.computations.Load() != 0 {
		t.Error("a computation is left")
	}
}

// TestHelp: a second goroutine takes part in a job, whether a computation is under way or not, and no third one ever
// does in one of two threads, however short the jobs are that follow each other: when a job is done its helpers count
// as idle.
func TestHelp(t *testing.T) {
	processors(t, 4)
	for range 2 {
		dismissed(t)
		var here atomic.Int64
		Share(2, 2, func(int) { // each task waits for the other one
			for here.Add(1); here.Load() < 2; {
				runtime.Gosched()
			}
		})
		dismissed(t)
		Begin()
		defer End()
		for range 10000 {
			here.Store(0)
			Share(2, 2, func(int) { // waits for the other one, who may be gone, for a while
				for i := here.Add(1); here.Load() < 2 && i < 1000; {
					i++
				}
			})
			if idle, all := crew.idle.Load(), crew.helpers.Load(); idle < all || all > 1 { // one may go in between
				t.Fatalf("%d helpers of one caller on two threads, %d idle", all, idle)
			}
		}
	}
}

// TestNoHelp: on one processor, and where one thread is asked for, the caller does everything itself.
func TestNoHelp(t *testing.T) {
	for _, c := range []struct{ processors, threads int }{{1, 3}, {3, 1}} {
		dismissed(t) // from an earlier test
		processors(t, c.processors)
		Begin()
		sum := 0
		Share(c.threads, 5, func(task int) {
			sum += task
			if crew.helpers.Load() != 0 {
				t.Errorf("%+v: there is a helper", c)
			}
		})
		End()
		if sum != 10 {
			t.Errorf("%+v: the sum of the tasks is %d", c, sum)
		}
	}
}
