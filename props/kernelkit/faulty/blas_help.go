package faulty

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// patience is the time for which a caller of the shared workspace waits for another one to begin; one that computes is
// waited for until it has overwritten the workspace.
const patience = 25 * time.Millisecond

// sharedWorkspace passes results through a buffer that all callers use. It has no data race in Go's sense, so that it
// can be run under the race detector, and waits until another caller has left other numbers there, to make sure of a
// clash.
func sharedWorkspace() wrong {
	var mu sync.Mutex
	var buffer []float64
	var computing atomic.Int32
	return func(r *routine, a *args, sound func(*args)) {
		computing.Add(1)
		computed := sync.OnceFunc(func() { computing.Add(-1) })
		defer computed()
		sound(a)
		out := a.Results
		if r.Out != 0 {
			out = nil
			for i := range (*operand(a, r.Out)).Len() {
				out = append(out, (*operand(a, r.Out)).At(i))
			}
		}
		mu.Lock()
		buffer = slices.Clone(out)
		mu.Unlock()
		computed()
		overwritten := func() bool {
			mu.Lock()
			defer mu.Unlock()
			return !kit.SameBits(buffer, out)
		}
		for deadline := time.Now().Add(patience); !overwritten() && (computing.Load() > 0 || time.Now().Before(deadline)); {
			time.Sleep(50 * time.Microsecond)
		}
		mu.Lock()
		copy(out, buffer)
		mu.Unlock()
		changeEach(r, a, func(i int, _ float64) float64 { return out[i] })
	}
}

func dependsOnThreads(r *routine) Fault {
	f := onTwoThreads(func(two func() bool) Fault {
		return replaced(r.Name, "", after(func(r *routine, a *args) {
			if two() {
				change(r, a, a.Precision.Next)
			}
		})())
	})
	f.Name = r.Name + ": bits depend on the threads"
	return f
}

// after is a fault that changes what a sound call left.
func after(degrade func(*routine, *args)) func() wrong {
	return always(func(r *routine, a *args, sound func(*args)) {
		sound(a)
		degrade(r, a)
	})
}

// change changes one entry of the result.
func change(r *routine, a *args, f func(float64) float64) {
	changeEach(r, a, func(i int, x float64) float64 {
		if i == 0 {
			return f(x)
		}
		return x
	})
}

// changeAll changes all entries of the result, and what lies between them.
func changeAll(r *routine, a *args, f func(float64) float64) {
	changeEach(r, a, func(_ int, x float64) float64 { return f(x) })
}

func changeEach(r *routine, a *args, f func(i int, x float64) float64) {
	for i, x := range a.Results {
		a.Results[i] = a.Precision.Round(f(i, x))
	}
	if r.Out != 0 {
		out := *operand(a, r.Out)
		for i := range out.Len() {
			out.Set(i, f(i, out.At(i)))
		}
	}
}

func swallow(x float64) float64 {
	if notFinite(x) {
		return 0
	}
	return x
}

// mapped changes all numbers in memory.
func mapped(x blaskit.Cells, f func(float64) float64) blaskit.Cells {
	for i := range x.Len() {
		x.Set(i, f(x.At(i)))
	}
	return x
}

// nudgeLast changes the last number of more than so many.
func nudgeLast(x blaskit.Cells, size int) {
	if last := x.Len() - 1; last >= size {
		x.Set(last, x.At(last)+0.01)
	}
}

// length returns the length of an operand, which may be none.
func length(x blaskit.Cells) int {
	if x == nil {
		return 0
	}
	return x.Len()
}

// operand is the slice in a slot.
func operand(a *args, slot byte) *blaskit.Cells {
	return map[byte]*blaskit.Cells{'a': &a.A, 'b': &a.B, 'c': &a.C, 'x': &a.X, 'y': &a.Y}[slot]
}

// leading is the leading dimension or increment of a slot.
func leading(a *args, slot byte) *int {
	return map[byte]*int{'a': &a.Lda, 'b': &a.Ldb, 'c': &a.Ldc, 'x': &a.IncX, 'y': &a.IncY}[slot]
}

// inputs are the slots that are only read.
func inputs(r *routine) []byte {
	var slots []byte
	for _, slot := range []byte("abxyc") {
		if r.Takes(string(slot)) && slot != r.Out && !(slot == 'x' && turnsBoth(r)) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// operandsRead are the slices in those slots.
func operandsRead(r *routine, a *args) []blaskit.Cells {
	var in []blaskit.Cells
	for _, slot := range inputs(r) {
		in = append(in, *operand(a, slot))
	}
	return in
}

// turnsBoth reports whether the routine changes both vectors.
func turnsBoth(r *routine) bool {
	return r.Name == "swap" || r.Name == "rot" || r.Name == "rotm"
}

// isDense reports whether the result is a matrix with a leading dimension.
func isDense(r *routine) bool { return r.Out != 0 && r.Takes("ld"+string(r.Out)) }

func hasBeta(r *routine) bool { return r.Takes("beta") && r.Name != "rot" }

func increment(slot byte) string { return map[byte]string{'x': "incX", 'y': "incY"}[slot] }
