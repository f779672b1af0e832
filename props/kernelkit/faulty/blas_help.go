package faulty

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// patience is how long a caller of the shared workspace waits for another one to overwrite it: far longer than a call
// takes, also on a busy machine.
const patience = 25 * time.Millisecond

// sharedWorkspace passes results through a buffer that all callers use. It has no data race in Go's sense, so that it
// can be run under the race detector, and waits until another caller has left other numbers there, to make sure of a
// clash.
func sharedWorkspace() wrong {
	var mu sync.Mutex
	var buffer []float64
	return func(r *routine, a *args, sound func(*args)) {
		sound(a)
		out := []float64{a.Result}
		if r.Out != 0 {
			out = *operand(a, r.Out)
		}
		mu.Lock()
		buffer = append(buffer[:0], out...)
		mu.Unlock()
		overwritten := func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(buffer) != len(out) || !kit.SameBits(buffer, out)
		}
		for deadline := time.Now().Add(patience); !overwritten() && time.Now().Before(deadline); {
			time.Sleep(50 * time.Microsecond)
		}
		mu.Lock()
		copy(out, buffer)
		mu.Unlock()
		if r.Out == 0 {
			a.Result = out[0]
		}
	}
}

const threadFault = "bits depend on the threads"

func dependsOnThreads(k kernel.Kernel, r *routine) kernel.Kernel {
	var n atomic.Int64
	set := k.SetThreads
	k.SetThreads = func(threads int) {
		n.Store(int64(threads))
		if set != nil {
			set(threads)
		}
	}
	k.BLAS = faulty{k.BLAS, r, after(func(r *routine, a *args) {
		if n.Load() > 1 {
			change(r, a, func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) })
		}
	})()}
	return k
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
	if r.Out == 0 {
		a.Result = f(a.Result)
	} else if out := *operand(a, r.Out); len(out) > 0 {
		out[0] = f(out[0])
	}
}

// changeAll changes all entries of the result, and what lies between them.
func changeAll(r *routine, a *args, f func(float64) float64) {
	if r.Out == 0 {
		a.Result = f(a.Result)
		return
	}
	out := *operand(a, r.Out)
	for i := range out {
		out[i] = f(out[i])
	}
}

func swallow(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// finite is a copy with zeros for NaN and infinities.
func finite(x []float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		y[i] = swallow(y[i])
	}
	return y
}

// operand is the slice in a slot.
func operand(a *args, slot byte) *[]float64 {
	return map[byte]*[]float64{'a': &a.A, 'b': &a.B, 'c': &a.C, 'x': &a.X, 'y': &a.Y}[slot]
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
func operandsRead(r *routine, a *args) [][]float64 {
	var in [][]float64
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
