package kernelkit

import (
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
)

// genericFault is a way in which many routines can be wrong.
type genericFault struct {
	name string
	can  func(*routine) bool
	make func() wrong // with a state of its own
}

// faultsOf are the named faults that a routine can have.
func faultsOf(r *routine, names []string) []Fault {
	var faults []Fault
	for _, g := range genericFaults {
		if !slices.Contains(names, g.name) || !g.can(r) {
			continue
		}
		faults = append(faults, Fault{Name: r.name + ": " + g.name, Break: func(k Kernel) Kernel {
			k.BLAS = faulty{k.BLAS, r, g.make()}
			return k
		}})
	}
	if slices.Contains(names, threadFault) {
		faults = append(faults, Fault{Name: r.name + ": " + threadFault, Break: func(k Kernel) Kernel { return dependsOnThreads(k, r) }})
	}
	return faults
}

func always(w wrong) func() wrong { return func() wrong { return w } }

func takes(argument string) func(*routine) bool {
	return func(r *routine) bool { return r.takes(argument) }
}

// genericFaults, add here. Each must be rejected by the checks that name it.
var genericFaults = []genericFault{
	{"tail of the sum dropped", func(r *routine) bool { return r.takes("k") && r.out == 'c' }, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.k &^= 3
		sound(&b)
	})},
	{"tail of n dropped", every, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.n &^= 3
		sound(&b)
		a.result = b.result
	})},
	{"wrong sign", every, after(func(r *routine, a *args) { change(r, a, func(x float64) float64 { return -x }) })},
	{"an entry off by one part in 10^12", every, after(func(r *routine, a *args) { change(r, a, func(x float64) float64 { return x * (1 + 1e-12) }) })},
	{"beta kept at one", hasBeta, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		if b.beta == 0 {
			b.beta = 1
		}
		sound(&b)
	})},
	{"beta = 0 multiplies", hasBeta, always(func(r *routine, a *args, sound func(*args)) {
		out := *a.operand(r.out)
		old := slices.Clone(out)
		sound(a)
		if a.beta == 0 {
			for i := range out {
				out[i] += 0 * old[i]
			}
		}
	})},
	{"alpha = 0 reads the operand", takes("alpha"), after(func(r *routine, a *args) {
		in := a.inputs(r)[0]
		change(r, a, func(x float64) float64 {
			if a.alpha == 0 {
				x += 0 * in[0]
			}
			return x
		})
	})},
	{"operand transposed", takes("tA"), always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.tA = blas.NoTrans
		if a.tA == blas.NoTrans {
			b.tA = blas.Trans
		}
		sound(&b)
	})},
	{"other triangle", takes("uplo"), always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.uplo = blas.Upper
		if a.uplo == blas.Upper {
			b.uplo = blas.Lower
		}
		sound(&b)
	})},
	{"unit diagonal read", takes("diag"), always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.diag = blas.NonUnit
		sound(&b)
	})},
	{"negative increment taken as positive", func(r *routine) bool { return r.takes("incX") && !r.forwardOnly() }, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.incX = max(b.incX, -b.incX)
		sound(&b)
		a.result = b.result
	})},
	{"increment taken as one", (*routine).forwardOnly, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.incX = 1
		sound(&b)
		a.result = b.result
	})},
	{"leading dimension of the result ignored", (*routine).dense, always(func(r *routine, a *args, sound func(*args)) {
		b := *a
		*b.leading(r.out) = max(1, b.n)
		sound(&b)
	})},
	{"padding overwritten", func(r *routine) bool { return r.out != 0 && r.takes(increment(r.out)) || r.dense() }, after(func(r *routine, a *args) {
		out, step, entry := *a.operand(r.out), *a.leading(r.out), 1
		if r.dense() {
			entry = a.n
		}
		if max(step, -step) > entry && len(out) > entry {
			out[entry] = 0
		}
	})},
	{"operand modified", func(r *routine) bool { return len(r.inputs()) > 0 }, after(func(r *routine, a *args) {
		if in := a.inputs(r)[0]; len(in) > 0 {
			in[0] = 7
		}
	})},
	{"other triangle filled in", func(r *routine) bool { return r.dense() && r.takes("uplo") && !r.takes("side") }, after(func(r *routine, a *args) {
		out, ld := *a.operand(r.out), *a.leading(r.out)
		switch {
		case a.n < 2:
		case a.uplo == blas.Upper:
			out[ld] = out[1]
		default:
			out[1] = out[ld]
		}
	})},
	{"last bit of an entry", every, after(func(r *routine, a *args) {
		change(r, a, func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) })
	})},
	{"subnormal results flushed to zero", every, after(func(r *routine, a *args) {
		changeAll(r, a, func(x float64) float64 {
			if math.Abs(x) < 0x1p-1022 {
				return 0
			}
			return x
		})
	})},
	{"one ulp up in every addition", every, after(func(r *routine, a *args) {
		additions := max(a.m, a.n)
		if r.takes("k") {
			additions = a.k
		}
		changeAll(r, a, func(x float64) float64 { return x * (1 + float64(additions)*unit) })
	})},
	{"zeros skipped", every, always(func(r *routine, a *args, sound func(*args)) {
		b := *a
		for _, slot := range r.inputs() {
			in := b.operand(slot)
			*in = finite(*in)
		}
		sound(&b)
		a.result = b.result
		if len(r.inputs()) == 0 {
			changeAll(r, a, swallow)
		}
	})},
	{"large intermediate values", every, always(func(r *routine, a *args, sound func(*args)) {
		largest := 0.0
		for _, slot := range []byte("abcxy") {
			for _, v := range *a.operand(slot) {
				if math.Abs(v) > largest {
					largest = math.Abs(v)
				}
			}
		}
		sound(a)
		if largest > 0x1p100 || largest < 0x1p-100 {
			change(r, a, func(x float64) float64 { return math.Inf(1) })
		}
	})},
	{"last column of large results wrong", (*routine).dense, after(func(r *routine, a *args) {
		if out := *a.operand(r.out); len(out) > 2500 {
			out[len(out)-1] += 0.01
		}
	})},
	{"last entry of large vectors wrong", func(r *routine) bool { return r.takes("lda") && (r.out == 'x' || r.out == 'y') }, after(func(r *routine, a *args) {
		if out := *a.operand(r.out); len(out) > 50 {
			out[len(out)-1] += 0.01
		}
	})},
	{"second operand scaled in place", func(r *routine) bool { return r.takes("ldb") || r.takes("incY") }, always(func(r *routine, a *args, sound func(*args)) {
		in := a.operand('b')
		if !r.takes("ldb") {
			in = a.operand('y')
		}
		for i := range *in {
			(*in)[i] *= 2
		}
		b := *a
		b.alpha /= 2
		sound(&b)
		for i := range *in {
			(*in)[i] /= 2
		}
		a.result = b.result / 2
	})},
	{"every other call differs", every, func() wrong {
		var calls atomic.Int64
		return after(func(r *routine, a *args) {
			if calls.Add(1)%2 == 0 {
				change(r, a, func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) })
			}
		})()
	}},
	{"workspace shared by all callers", every, sharedWorkspace},
	{"bad arguments accepted", every, always(func(_ *routine, a *args, sound func(*args)) {
		_, _ = attempt(func() { sound(a) })
	})},
	{"result touched before the panic", every, always(func(r *routine, a *args, sound func(*args)) {
		value, panicked := attempt(func() { sound(a) })
		if !panicked {
			return
		}
		touched := r.out
		if touched == 0 {
			touched = 'x'
		}
		if out := *a.operand(touched); len(out) > 0 {
			out[0] = 7
		}
		panic(value)
	})},
}
