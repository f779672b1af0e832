package kernelkit

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a caller of the shared workspace waits for another one to overwrite it: far longer than a call
// takes, also on a busy machine.
const patience = 25 * time.Millisecond

// sharedWorkspace passes results through a buffer that all callers use. It has no data race in Go's sense, so that it can
// be run under the race detector, and waits until another caller has left other numbers there, to make sure of a clash.
func sharedWorkspace() wrong {
	var mu sync.Mutex
	var buffer []float64
	return func(r *routine, a *args, sound func(*args)) {
		sound(a)
		out := []float64{a.result}
		if r.out != 0 {
			out = *a.operand(r.out)
		}
		mu.Lock()
		buffer = append(buffer[:0], out...)
		mu.Unlock()
		overwritten := func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(buffer) != len(out) || !sameBits(buffer, out)
		}
		for deadline := time.Now().Add(patience); !overwritten() && time.Now().Before(deadline); {
			time.Sleep(50 * time.Microsecond)
		}
		mu.Lock()
		copy(out, buffer)
		mu.Unlock()
		if r.out == 0 {
			a.result = out[0]
		}
	}
}

const threadFault = "bits depend on the threads"

func dependsOnThreads(k Kernel, r *routine) Kernel {
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

// after is a fault that spoils what a sound call left.
func after(spoil func(*routine, *args)) func() wrong {
	return always(func(r *routine, a *args, sound func(*args)) {
		sound(a)
		spoil(r, a)
	})
}

// change changes one entry of the result.
func change(r *routine, a *args, f func(float64) float64) {
	if r.out == 0 {
		a.result = f(a.result)
	} else if out := *a.operand(r.out); len(out) > 0 {
		out[0] = f(out[0])
	}
}

// changeAll changes all entries of the result, and what lies between them.
func changeAll(r *routine, a *args, f func(float64) float64) {
	if r.out == 0 {
		a.result = f(a.result)
		return
	}
	out := *a.operand(r.out)
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
func (a *args) operand(slot byte) *[]float64 {
	return map[byte]*[]float64{'a': &a.a, 'b': &a.b, 'c': &a.c, 'x': &a.x, 'y': &a.y}[slot]
}

// leading is the leading dimension or increment of a slot.
func (a *args) leading(slot byte) *int {
	return map[byte]*int{'a': &a.lda, 'b': &a.ldb, 'c': &a.ldc, 'x': &a.incX, 'y': &a.incY}[slot]
}

// inputs are the slots that are only read.
func (r *routine) inputs() []byte {
	var slots []byte
	for _, slot := range []byte("abxyc") {
		if r.takes(string(slot)) && slot != r.out && !(slot == 'x' && r.turns()) {
			slots = append(slots, slot)
		}
	}
	return slots
}

func (a *args) inputs(r *routine) [][]float64 {
	var in [][]float64
	for _, slot := range r.inputs() {
		in = append(in, *a.operand(slot))
	}
	return in
}

// turns reports whether the routine changes both vectors.
func (r *routine) turns() bool { return r.name == "swap" || r.name == "rot" || r.name == "rotm" }

// forwardOnly reports whether the routine works on one vector and does nothing when its increment is negative.
func (r *routine) forwardOnly() bool { return r.takes("x") && !r.takes("y") && !r.takes("a") }

// dense reports whether the result is a matrix with a leading dimension.
func (r *routine) dense() bool { return r.out != 0 && r.takes("ld"+string(r.out)) }

func hasBeta(r *routine) bool { return r.takes("beta") && r.name != "rot" }

func increment(slot byte) string { return map[byte]string{'x': "incX", 'y': "incY"}[slot] }
