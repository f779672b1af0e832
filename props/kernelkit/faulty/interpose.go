package faulty

import (
	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// wrong is how a faulty routine treats a call; sound makes it as it should be.
type wrong func(r *routine, a *args, sound func(*args))

// faulty is a sound BLAS with one faulty routine, in either precision. The kit's calls arrive at Call.
type faulty struct {
	blas.Float64
	blas.Float32
	sound   kernel.Kernel
	routine *routine
	wrong   wrong
}

// interpose builds a fault into a routine of a kernel.
func interpose(k kernel.Kernel, r *routine, w wrong) kernel.Kernel {
	f := faulty{k.BLAS, k.BLAS32, k, r, w}
	if kit.PrecisionOf(k) == roundoff.Single {
		k.BLAS32 = f
	} else {
		k.BLAS = f
	}
	return k
}

// Call passes a call through, or to the fault when it is of the faulty routine.
func (f faulty) Call(r *routine, a *args) {
	sound := func(a *args) { r.Call(f.sound, a) }
	if r != f.routine {
		sound(a)
		return
	}
	a.Precision = kit.PrecisionOf(f.sound)
	f.wrong(r, a, sound)
}

var _ blaskit.Interposed = faulty{}
