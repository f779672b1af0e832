package factorkit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// eigenContract are the checks of what a routine does besides computing.
func eigenContract(check, large checker) []kit.Check {
	empty := check("empty", "A matrix without rows has no eigenvalues, and that is no error.", nil)
	empty.Make = func(k kernel.Kernel) props.Check {
		return emptySweep(empty.Name, []emptyShape{{0, 0}}, func(emptyShape) finding { return emptyEigen(subject{k}) })
	}
	return []kit.Check{
		check("storage", "The argument stays as it is, bit by bit; the triangle that is not referenced and the "+
			"storage around it are NaN and are neither read nor written.", eigenStorage),
		check("not finite", "A NaN or an infinity anywhere in the triangle is an error. Values are asked for first, "+
			"as in svd/not finite.",
			eigenNotFinite),
		large("repeatable", "The same bits again, on 1, 2 and 3 threads where that can be chosen, and in four "+
			"concurrent calls; also for a larger matrix.",
			eigenRepeatable),
		empty,
	}
}

// windowed is a symmetric matrix inside larger storage of NaN.
func windowed(a *mat.Dense) (view *mat.SymDense, storage []float64) {
	n, _ := a.Dims()
	stride := n + 4
	storage = make([]float64, (n+1)*stride)
	for i := range storage {
		storage[i] = math.NaN()
	}
	for i := range n {
		copy(storage[(i+1)*stride+i:], a.RawRowView(i)[i:n])
	}
	view = new(mat.SymDense)
	view.SetRawSymmetric(blas64.Symmetric{N: n, Stride: stride, Data: storage[stride : stride+(n-1)*stride+n],
		Uplo: blas.Upper})
	return view, storage
}

func eigenStorage(k subject, _ *props.Trial, x gallery.Instance) finding {
	for _, vectors := range []bool{false, true} {
		a := symmetricOf(x.A)
		before := slices.Clone(a.RawSymmetric().Data)
		f, bad := k.eigen(a, vectors)
		if bad != nil {
			return *bad
		}
		if !kit.SameBits(before, a.RawSymmetric().Data) {
			return found(kit.Failed, "vectors", vectors, "changed", "the argument")
		}
		view, storage := windowed(x.A)
		before = slices.Clone(storage)
		g, bad := k.eigen(view, vectors)
		if bad != nil {
			return finding{bad.ratio, "of a window: " + bad.note}
		}
		if !kit.SameBits(before, storage) {
			return found(kit.Failed, "vectors", vectors, "changed", "storage around the argument, or the argument")
		}
		if !f.equal(g) {
			return found(kit.Failed, "vectors", vectors, "w", f.s, "w of the same matrix in larger storage", g.s)
		}
	}
	return finding{}
}

func eigenNotFinite(k subject, t *props.Trial, x gallery.Instance) finding {
	n, _ := x.A.Dims()
	i, j := t.Rand.IntN(n), t.Rand.IntN(n)
	for _, poison := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := symmetricOf(x.A)
		a.SetSym(i, j, poison)
		for _, vectors := range []bool{false, true} {
			var w []float64
			var err error
			if p, panicked := kit.Attempt(func() { w, _, err = k.SymEigen(a, vectors) }); panicked {
				return found(kit.Failed, "row", i, "column", j, "entry", poison, "vectors", vectors, "panic", p)
			}
			if err == nil {
				return found(kit.Failed, "row", i, "column", j, "entry", poison, "vectors", vectors, "no error, but w",
					w)
			}
		}
	}
	return finding{}
}

func eigenRepeatable(k subject, _ *props.Trial, x gallery.Instance) finding {
	a := symmetricOf(x.A)
	for _, vectors := range []bool{false, true} {
		f, bad := k.eigen(a, vectors)
		if bad != nil {
			return *bad
		}
		again := func() bool {
			g, bad := k.eigen(a, vectors)
			return bad == nil && f.equal(g)
		}
		ok := true
		kit.EachThreads(k.Kernel, func() { ok = ok && again() })
		if !ok {
			return found(kit.Failed, "vectors", vectors, "other bits", "in a second call, or on other threads")
		}
		if !kit.Together(again) {
			return found(kit.Failed, "vectors", vectors, "other bits", "in concurrent calls")
		}
	}
	return finding{}
}

func emptyEigen(k subject) finding {
	for _, vectors := range []bool{false, true} {
		var w []float64
		var err error
		if p, panicked := kit.Attempt(func() { w, _, err = k.SymEigen(new(mat.SymDense), vectors) }); panicked {
			return found(kit.Failed, "vectors", vectors, "panic", p)
		}
		if err != nil || len(w) != 0 {
			return found(kit.Failed, "vectors", vectors, "w", w, "error", err)
		}
	}
	return finding{}
}
