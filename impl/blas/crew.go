package blas

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A job is the work of one call in tasks, which the caller and its helpers take one after the other. The caller does
// what no helper has taken, so that it never waits for one to wake up.
type job struct {
	do          func(task int)
	tasks       int
	taken, done atomic.Int64
	all         sync.WaitGroup // of what is not done, to sleep on
}

// crew are the helpers of all callers. It takes as long to wake a thread as to multiply matrices of order 100 to 300.
// A helper therefore stays awake after a job and looks for the next one for about a tenth of a millisecond, which is
// less than the smallest job that wakes it takes.
var crew struct {
	open         [16]atomic.Pointer[job] // where tasks may be left; more callers at a time hire helpers only
	computations atomic.Int64            // that have begun and not ended
	helpers      atomic.Int64
	idle         atomic.Int64 // helpers that look for a job
}

// patience is the number of times that a helper looks for a job before it goes, and a caller whether its job is done
// before it sleeps. looks is the number of looks after which it lets another thread have the processor, possibly the
// one that it waits for.
const (
	patience = 1 << 13
	looks    = 1 << 7
)

// Begin and End enclose a computation of many calls that follow each other closely. Helpers are then likely to be
// awake, so that smaller calls are shared too. Computations may be nested and concurrent. All helpers together are
// fewer than the processors.
func Begin() { crew.computations.Add(1) }

// End ends a computation that [Begin] began.
func End() { crew.computations.Add(-1) }

// Awake is the number of threads that work of a few microseconds can have: [Threads] within a computation, else 1.
func Awake() int {
	if crew.computations.Load() == 0 {
		return 1
	}
	return Threads()
}

// Share runs do(0), …, do(tasks-1) on the caller and up to threads-1 helpers, and returns when all is done. Callers cut
// tasks by the size of a problem alone, up to 64 of them; whoever is free takes the next one.
func Share(threads, tasks int, do func(task int)) {
	if threads == 1 || tasks <= 1 {
		for task := range tasks {
			do(task)
		}
		return
	}
	j := &job{do: do, tasks: tasks}
	j.all.Add(tasks)
	missing := min(threads, tasks) - 1 - int(crew.idle.Load()) // before they see the job, and are idle no more
	place := j.announce()
	for ; missing > 0 && hire(); missing-- {
		go help(j)
	}
	j.finish(j.work(j.take()))
	if place != nil { // all tasks are taken
		place.Store(nil)
	}
	j.wait()
}

// announce shows j to idle helpers, at a place that is the caller's to clear, or nowhere.
func (j *job) announce() *atomic.Pointer[job] {
	for i := range crew.open {
		if crew.open[i].CompareAndSwap(nil, j) {
			return &crew.open[i]
		}
	}
	return nil
}

// hire counts one more helper, idle at first, if there is a processor for it.
func hire() bool {
	if crew.helpers.Add(1) >= int64(runtime.GOMAXPROCS(0)) {
		crew.helpers.Add(-1)
		return false
	}
	crew.idle.Add(1)
	return true
}

// help works on j, and on what comes soon after it.
func help(j *job) {
	for j != nil {
		if task := j.take(); task < j.tasks {
			crew.idle.Add(-1)
			done := j.work(task)
			crew.idle.Add(1) // before the caller learns that the job is done, and hands out the next
			j.finish(done)
		}
		j = another()
	}
	crew.helpers.Add(-1)
	crew.idle.Add(-1)
}

// another is a job with tasks that nobody has taken, or nil if there is none soon.
func another() *job {
	for look := range patience {
		for i := range crew.open {
			if j := crew.open[i].Load(); j != nil && int(j.taken.Load()) < j.tasks {
				return j
			}
		}
		if look%looks == looks-1 {
			yield()
		}
	}
	return nil
}

// take is the number of the next task; there is none from j.tasks on.
func (j *job) take() int { return int(j.taken.Add(1)) - 1 }

// work does a task and those that it can take after it, and says how many those were.
func (j *job) work(task int) (done int) {
	for ; task < j.tasks; task = j.take() {
		j.do(task)
		done++
	}
	return done
}

func (j *job) finish(done int) {
	j.done.Add(int64(done))
	j.all.Add(-done)
}

// wait returns when all tasks are done.
func (j *job) wait() {
	for look := range 8 * patience {
		if int(j.done.Load()) == j.tasks {
			return
		}
		if look%looks == looks-1 {
			yield()
		}
	}
	j.all.Wait()
}
