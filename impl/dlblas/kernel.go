package dlblas

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
)

// Kernel offers what the library has in double precision, with divide and conquer for its factorisations.
func (l *Library) Kernel() kernel.Kernel { return l.threaded(l.double()) }

func (l *Library) double() kernel.Kernel {
	k := offer(&l.lapack, l.Name, false)
	if len(l.delegated) < reflect.TypeFor[blas.Float64]().NumMethod() {
		k.BLAS = l
	}
	if l.HasRotations() {
		k.Rotations = l
	}
	return k
}

// Kernels offers all that the library has: the kernel, its other drivers (gesvd and syevr), and the same in single
// precision. What has nothing is left out.
func (l *Library) Kernels() []kernel.Kernel {
	single := offer(&l.lapack32, l.Name+"-single", false)
	single.Single = true
	if len(l.single.functions) > 0 {
		single.BLAS32 = l.single
	}
	otherSingle := offer(&l.lapack32, l.Name+"-single-gesvd", true)
	otherSingle.Single = true
	var out []kernel.Kernel
	for _, k := range []kernel.Kernel{l.double(), offer(&l.lapack, l.Name+"-gesvd", true), single, otherSingle} {
		if k.BLAS != nil || k.BLAS32 != nil || k.Rotations != nil || k.SVD != nil || k.SymEigen != nil || k.QR != nil ||
			k.Cholesky != nil {
			out = append(out, l.threaded(k))
		}
	}
	return out
}

// offer is a kernel of the factorisations of one precision, or of its second drivers alone.
func offer[F float32 | float64](r *lapackRoutines[F], name string, second bool) kernel.Kernel {
	k := kernel.Kernel{Name: name}
	k.C = func(part string) (symbol, file string) {
		driver := map[string]string{"svd": "gesdd", "symeigen": "syevd", "qr": "geqrf", "cholesky": "potrf"}[part]
		if second {
			driver = map[string]string{"svd": "gesvd", "symeigen": "syevr"}[part]
		}
		return r.letter + driver + "_", r.file
	}
	if r.gesdd != nil && !second || r.gesvd != nil && second {
		k.SVD = r.svd(second)
	}
	if r.syevd != nil && !second || r.syevr != nil && second {
		k.SymEigen = r.symEigen(second)
	}
	if r.geqrf != nil && r.orgqr != nil && !second {
		k.QR = r.qr
	}
	if r.potrf != nil && !second {
		k.Cholesky = r.cholesky
	}
	return k
}

// symbol says how a routine is called in C.
func (l *Library) symbol(method string) (symbol, arrangement string) {
	switch lower := strings.ToLower(method); {
	case method == "threads":
		return map[string]string{"openblas": "openblas_set_num_threads", "blis": "bli_thread_set_num_threads"}[l.Name], ""
	case l.exports("cblas_" + lower):
		return "cblas_" + lower, ""
	case l.exports(lower + "_"):
		for _, f := range fortran {
			if slices.Contains(strings.Fields(f.names), "D"+method[1:]) {
				return lower + "_", f.fortran
			}
		}
		return lower + "_", ""
	}
	return "", ""
}

// threaded adds the number of threads where that is a setting, and how to call the library in C.
func (l *Library) threaded(k kernel.Kernel) kernel.Kernel {
	driver := k.C
	k.File, k.C = l.File, func(method string) (string, string) {
		if symbol, file := driver(method); len(symbol) > 2 {
			return symbol, file
		}
		return l.symbol(method)
	}
	if threads := l.Threads(); l.SetThreads(threads) {
		k.SetThreads = func(n int) { l.SetThreads(cmp.Or(n, threads)) }
	}
	return k
}
