package faulty

import (
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

type (
	routine = blaskit.Routine
	args    = blaskit.Args
)

// genericFault is a way in which many routines can be wrong.
type genericFault struct {
	name string
	can  func(*routine) bool
	make func() wrong // with a state of its own
}

// blasFaults are the generic faults that a property of a routine must reject.
func blasFaults(r *routine, property string) []Fault {
	names := genericOf[property]
	var faults []Fault
	for _, g := range genericFaults {
		if !slices.Contains(names, g.name) || !g.can(r) {
			continue
		}
		faults = append(faults, Fault{Name: r.Name + ": " + g.name, Break: func(k kernel.Kernel) kernel.Kernel {
			return interpose(k, r, g.make())
		}})
	}
	if slices.Contains(names, threadFault) {
		faults = append(faults, Fault{Name: r.Name + ": " + threadFault,
			Break: func(k kernel.Kernel) kernel.Kernel { return dependsOnThreads(k, r) }})
	}
	return faults
}

func always(w wrong) func() wrong { return func() wrong { return w } }

func every(*routine) bool { return true }

func takes(argument string) func(*routine) bool {
	return func(r *routine) bool { return r.Takes(argument) }
}

// genericFaults, add here. Each must be rejected by the checks that name it.
var genericFaults = []genericFault{
	{"tail of the sum dropped", func(r *routine) bool { return r.Takes("k") && r.Out == 'c' },
		always(func(_ *routine, a *args, sound func(*args)) {
			b := *a
			b.K &^= 3
			sound(&b)
		})},
	{"tail of n dropped", every, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.N &^= 3
		sound(&b)
		a.Results = b.Results
	})},
	{"wrong sign", every, after(func(r *routine, a *args) { change(r, a, func(x float64) float64 { return -x }) })},
	{"an entry off by 4500 ulp", every, after(func(r *routine, a *args) {
		change(r, a, func(x float64) float64 { return x * (1 + 4500*a.Precision.Ulp()) })
	})},
	{"beta kept at one", hasBeta, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		if b.Beta == 0 {
			b.Beta = 1
		}
		sound(&b)
	})},
	{"beta = 0 multiplies", hasBeta, always(func(r *routine, a *args, sound func(*args)) {
		out := *operand(a, r.Out)
		old := out.Clone()
		sound(a)
		if a.Beta == 0 {
			for i := range out.Len() {
				out.Set(i, out.At(i)+0*old.At(i))
			}
		}
	})},
	{"alpha = 0 reads the operand", takes("alpha"), after(func(r *routine, a *args) {
		in := operandsRead(r, a)[0]
		change(r, a, func(x float64) float64 {
			if a.Alpha == 0 {
				x += 0 * in.At(0)
			}
			return x
		})
	})},
	{"operand transposed", takes("tA"), always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.TA = blas.NoTrans
		if a.TA == blas.NoTrans {
			b.TA = blas.Trans
		}
		sound(&b)
	})},
	{"other triangle", takes("uplo"), always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.Uplo = blas.Upper
		if a.Uplo == blas.Upper {
			b.Uplo = blas.Lower
		}
		sound(&b)
	})},
	{"unit diagonal read", takes("diag"), always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.Diag = blas.NonUnit
		sound(&b)
	})},
	{"negative increment taken as positive", func(r *routine) bool { return r.Takes("incX") && !r.ForwardOnly() },
		always(func(_ *routine, a *args, sound func(*args)) {
			b := *a
			b.IncX = max(b.IncX, -b.IncX)
			sound(&b)
			a.Results = b.Results
		})},
	{"increment taken as one", (*routine).ForwardOnly, always(func(_ *routine, a *args, sound func(*args)) {
		b := *a
		b.IncX = 1
		sound(&b)
		a.Results = b.Results
	})},
	{"leading dimension of the result ignored", isDense, always(func(r *routine, a *args, sound func(*args)) {
		b := *a
		*leading(&b, r.Out) = max(1, b.N)
		sound(&b)
	})},
	{"padding overwritten", func(r *routine) bool { return r.Out != 0 && r.Takes(increment(r.Out)) || isDense(r) },
		after(func(r *routine, a *args) {
			out, step, entry := *operand(a, r.Out), *leading(a, r.Out), 1
			if isDense(r) {
				entry = a.N
			}
			if max(step, -step) > entry && out.Len() > entry {
				out.Set(entry, 0)
			}
		})},
	{"operand modified", func(r *routine) bool { return len(inputs(r)) > 0 }, after(func(r *routine, a *args) {
		if in := operandsRead(r, a)[0]; in.Len() > 0 {
			in.Set(0, 7)
		}
	})},
	{"other triangle filled in", func(r *routine) bool { return isDense(r) && r.Takes("uplo") && !r.Takes("side") },
		after(func(r *routine, a *args) {
			out, ld := *operand(a, r.Out), *leading(a, r.Out)
			switch {
			case a.N < 2:
			case a.Uplo == blas.Upper:
				out.Set(ld, out.At(1))
			default:
				out.Set(1, out.At(ld))
			}
		})},
	{"last bit of an entry", every, after(func(r *routine, a *args) { change(r, a, a.Precision.Next) })},
	{"subnormal results flushed to zero", every, after(func(r *routine, a *args) {
		changeAll(r, a, func(x float64) float64 {
			if math.Abs(x) < math.Ldexp(1, a.Precision.Normal) {
				return 0
			}
			return x
		})
	})},
	{"one ulp up in every addition", every, after(func(r *routine, a *args) {
		additions := max(a.M, a.N)
		if r.Takes("k") {
			additions = a.K
		}
		changeAll(r, a, func(x float64) float64 { return x * (1 + float64(additions)*a.Precision.Unit) })
	})},
	{"zeros skipped", every, always(func(r *routine, a *args, sound func(*args)) {
		b := *a
		for _, slot := range inputs(r) {
			in := operand(&b, slot)
			*in = mapped((*in).Clone(), swallow)
		}
		sound(&b)
		a.Results = b.Results
		if len(inputs(r)) == 0 {
			changeAll(r, a, swallow)
		}
	})},
	{"large intermediate values", every, always(func(r *routine, a *args, sound func(*args)) {
		largest := 0.0
		for _, slot := range []byte("abcxy") {
			for i := range length(*operand(a, slot)) {
				if v := math.Abs((*operand(a, slot)).At(i)); v > largest {
					largest = v
				}
			}
		}
		sound(a)
		if limit := math.Ldexp(1, -a.Precision.Normal/8); largest > limit || largest < 1/limit {
			change(r, a, func(x float64) float64 { return math.Inf(1) })
		}
	})},
	{"last column of large results wrong", isDense, after(func(r *routine, a *args) {
		nudgeLast(*operand(a, r.Out), 2500)
	})},
	{"last entry of large vectors wrong", func(r *routine) bool {
		return r.Takes("lda") && (r.Out == 'x' || r.Out == 'y')
	}, after(func(r *routine, a *args) {
		nudgeLast(*operand(a, r.Out), 50)
	})},
	{"second operand scaled in place", func(r *routine) bool { return r.Takes("ldb") || r.Takes("incY") },
		always(func(r *routine, a *args, sound func(*args)) {
			in := operand(a, 'b')
			if !r.Takes("ldb") {
				in = operand(a, 'y')
			}
			mapped(*in, func(x float64) float64 { return 2 * x })
			b := *a
			b.Alpha /= 2
			sound(&b)
			mapped(*in, func(x float64) float64 { return x / 2 })
			for _, x := range b.Results {
				a.Results = append(a.Results, x/2)
			}
		})},
	{"every other call differs", every, func() wrong {
		var calls atomic.Int64
		return after(func(r *routine, a *args) {
			if calls.Add(1)%2 == 0 {
				change(r, a, a.Precision.Next)
			}
		})()
	}},
	{"workspace shared by all callers", every, sharedWorkspace},
	{"bad arguments accepted", every, always(func(_ *routine, a *args, sound func(*args)) {
		_, _ = kit.Attempt(func() { sound(a) })
	})},
	{"result touched before the panic", every, always(func(r *routine, a *args, sound func(*args)) {
		value, panicked := kit.Attempt(func() { sound(a) })
		if !panicked {
			return
		}
		touched := r.Out
		if touched == 0 {
			touched = 'x'
		}
		if out := *operand(a, touched); out.Len() > 0 {
			out.Set(0, 7)
		}
		panic(value)
	})},
}
