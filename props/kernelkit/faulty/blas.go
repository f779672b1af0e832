package faulty

import (
	"math"
	"slices"
	"strings"
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
	properties string // whose checks must reject it in a routine that can have it, separated by commas
	name       string
	can        func(*routine) bool
	make       func() wrong // with a state of its own
}

// blasFaults are the generic faults that a property of a routine must reject.
func blasFaults(r *routine, property string) []Fault {
	var faults []Fault
	for _, g := range genericFaults {
		if !slices.Contains(strings.Split(g.properties, ", "), property) || !g.can(r) {
			continue
		}
		faults = append(faults, Fault{Name: r.Name + ": " + g.name, Break: func(k kernel.Kernel) kernel.Kernel {
			return interpose(k, r, g.make())
		}})
	}
	if property == "threads" {
		faults = append(faults, dependsOnThreads(r))
	}
	return faults
}

func always(w wrong) func() wrong { return func() wrong { return w } }

// given is a fault that hands a sound call other arguments.
func given(change func(r *routine, a *args)) func() wrong {
	return always(func(r *routine, a *args, sound func(*args)) {
		b := *a
		change(r, &b)
		sound(&b)
		a.Results = b.Results
	})
}

func every(*routine) bool { return true }

func takes(argument string) func(*routine) bool {
	return func(r *routine) bool { return r.Takes(argument) }
}

// genericFaults, add here.
var genericFaults = []genericFault{
	{"rounding bound", "tail of the sum dropped", func(r *routine) bool { return r.Takes("k") && r.Out == 'c' },
		given(func(_ *routine, a *args) { a.K &^= 3 })},
	{"rounding bound", "tail of n dropped", every, given(func(_ *routine, a *args) { a.N &^= 3 })},
	{"rounding bound, probe", "wrong sign", every,
		after(func(r *routine, a *args) { change(r, a, func(x float64) float64 { return -x }) })},
	{"rounding bound", "an entry off by 4500 ulp", every, after(func(r *routine, a *args) {
		change(r, a, func(x float64) float64 { return x * (1 + 4500*a.Precision.Ulp()) })
	})},
	{"rounding bound, alpha zero", "beta kept at one", hasBeta, given(func(_ *routine, a *args) {
		if a.Beta == 0 {
			a.Beta = 1
		}
	})},
	{"rounding bound, alpha zero", "beta = 0 multiplies", hasBeta,
		always(func(r *routine, a *args, sound func(*args)) {
			out := *operand(a, r.Out)
			old := out.Clone()
			sound(a)
			if a.Beta == 0 {
				for i := range out.Len() {
					out.Set(i, out.At(i)+0*old.At(i))
				}
			}
		})},
	{"alpha zero", "alpha = 0 reads the operand", takes("alpha"), after(func(r *routine, a *args) {
		in := operandsRead(r, a)[0]
		change(r, a, func(x float64) float64 {
			if a.Alpha == 0 {
				x += 0 * in.At(0)
			}
			return x
		})
	})},
	{"rounding bound", "operand transposed", takes("tA"), given(func(_ *routine, a *args) {
		if a.TA == blas.NoTrans {
			a.TA = blas.Trans
		} else {
			a.TA = blas.NoTrans
		}
	})},
	{"rounding bound", "other triangle", takes("uplo"), given(func(_ *routine, a *args) {
		if a.Uplo == blas.Upper {
			a.Uplo = blas.Lower
		} else {
			a.Uplo = blas.Upper
		}
	})},
	{"rounding bound", "unit diagonal read", takes("diag"),
		given(func(_ *routine, a *args) { a.Diag = blas.NonUnit })},
	{"rounding bound", "negative increment taken as positive",
		func(r *routine) bool { return r.Takes("incX") && !r.ForwardOnly() },
		given(func(_ *routine, a *args) { a.IncX = max(a.IncX, -a.IncX) })},
	{"rounding bound", "increment taken as one", (*routine).ForwardOnly,
		given(func(_ *routine, a *args) { a.IncX = 1 })},
	{"rounding bound", "leading dimension of the result ignored", isDense,
		given(func(r *routine, a *args) { *leading(a, r.Out) = max(1, a.N) })},
	{"surroundings", "padding overwritten",
		func(r *routine) bool { return r.Out != 0 && r.Takes(increment(r.Out)) || isDense(r) },
		after(func(r *routine, a *args) {
			out, step, entry := *operand(a, r.Out), *leading(a, r.Out), 1
			if isDense(r) {
				entry = a.N
			}
			if max(step, -step) > entry && out.Len() > entry {
				out.Set(entry, 0)
			}
		})},
	{"surroundings", "operand modified", func(r *routine) bool { return len(inputs(r)) > 0 },
		after(func(r *routine, a *args) {
			if in := operandsRead(r, a)[0]; in.Len() > 0 {
				in.Set(0, 7)
			}
		})},
	{"surroundings", "other triangle filled in",
		func(r *routine) bool { return isDense(r) && r.Takes("uplo") && !r.Takes("side") },
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
	{"exact arithmetic", "last bit of an entry", every,
		after(func(r *routine, a *args) { change(r, a, a.Precision.Next) })},
	{"exact arithmetic", "subnormal results flushed to zero", every, after(func(r *routine, a *args) {
		changeAll(r, a, func(x float64) float64 {
			if math.Abs(x) < math.Ldexp(1, a.Precision.Normal) {
				return 0
			}
			return x
		})
	})},
	{"rounding growth", "one ulp up in every addition", every, after(func(r *routine, a *args) {
		additions := max(a.M, a.N)
		if r.Takes("k") {
			additions = a.K
		}
		changeAll(r, a, func(x float64) float64 { return x * (1 + float64(additions)*a.Precision.Unit) })
	})},
	{"NaN and infinities", "zeros skipped", every, always(func(r *routine, a *args, sound func(*args)) {
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
	{"powers of two", "large intermediate values", every, always(func(r *routine, a *args, sound func(*args)) {
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
	{"probe, partition, agreement with gemm", "last column of large results wrong", isDense,
		after(func(r *routine, a *args) { nudgeLast(*operand(a, r.Out), 2500) })},
	{"agreement with gemm", "last entry of large vectors wrong",
		func(r *routine) bool { return r.Takes("lda") && (r.Out == 'x' || r.Out == 'y') },
		after(func(r *routine, a *args) { nudgeLast(*operand(a, r.Out), 50) })},
	{"aliasing", "second operand scaled in place", func(r *routine) bool { return r.Takes("ldb") || r.Takes("incY") },
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
	{"determinism", "every other call differs", every, func() wrong {
		var calls atomic.Int64
		return after(func(r *routine, a *args) {
			if calls.Add(1)%2 == 0 {
				change(r, a, a.Precision.Next)
			}
		})()
	}},
	{"concurrency", "workspace shared by all callers", every, sharedWorkspace},
	{"bad arguments", "bad arguments accepted", every, always(func(_ *routine, a *args, sound func(*args)) {
		_, _ = kit.Attempt(func() { sound(a) })
	})},
	{"bad arguments", "result touched before the panic", every, always(func(r *routine, a *args, sound func(*args)) {
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
