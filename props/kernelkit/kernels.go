package kernelkit

import (
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/thm-suite/thm/impl/blas"
)

// BuiltIn are the kernels that come with the module: "thm" on the set of inner routines that is in use, the same on each
// set that runs here ("thm-avx512"), and "gonum".
func BuiltIn() []Kernel {
	list := []Kernel{thmKernel("thm")}
	for _, inner := range blas.Kernels() {
		if inner.Available {
			list = append(list, onInner(thmKernel("thm-"+inner.Name), inner.Name))
		}
	}
	return append(list, withGonumFactors(Kernel{Name: "gonum", BLAS: gonum.Implementation{}}))
}

func thmKernel(name string) Kernel {
	return withThmFactors(Kernel{Name: name, BLAS: blas.Implementation{}, SetThreads: blas.SetThreads})
}

// onInner makes the kernel run on one set of inner routines.
func onInner(k Kernel, inner string) Kernel {
	k.Prepare = func() (restore func(), err error) {
		before := chosen()
		if err := blas.SetKernel(inner); err != nil {
			return nil, err
		}
		return func() { _ = blas.SetKernel(before) }, nil
	}
	return k
}

// chosen is the set of inner routines in use.
func chosen() string {
	for _, inner := range blas.Kernels() {
		if inner.Chosen {
			return inner.Name
		}
	}
	panic("kernelkit: no set of inner routines is in use")
}
