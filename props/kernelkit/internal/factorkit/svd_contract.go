package factorkit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// svdContract are the checks of what a routine does besides computing.
func svdContract(check, large checker) []kit.Check {
	empty := check("empty", "A matrix without rows or columns has no singular values, and that is no error.", nil)
	empty.Make = func(k kernel.Kernel) props.Check { return emptySVD(subject{k}, empty.Name) }
	return []kit.Check{
		check("storage", "The argument stays as it is, bit by bit, and a matrix that is a window of a larger one, "+
			"with NaN around it, gives the bits of its copy.", svdStorage),
		check("not finite", "A NaN or an infinity anywhere is an error. Values are asked for first; a kernel that "+
			"does not notice is not asked for vectors, because iterations on such numbers need not end "+
			"(Reference-LAPACK issue 1409).",
			svdNotFinite),
		large("repeatable", "The same bits again, on 1, 2 and 3 threads where that can be chosen, and in four "+
			"concurrent calls; also for a larger matrix.",
			svdRepeatable),
		empty,
	}
}

// window is a copy of a matrix inside a larger one of NaN.
func window(a *mat.Dense) (view *mat.Dense, storage []float64) {
	m, n := a.Dims()
	const left, right = 2, 3
	stride := left + n + right
	storage = make([]float64, (m+2)*stride)
	for i := range storage {
		storage[i] = math.NaN()
	}
	for i := range m {
		copy(storage[(i+1)*stride+left:], a.RawRowView(i)[:n])
	}
	view = new(mat.Dense)
	view.SetRawMatrix(blas64.General{Rows: m, Cols: n, Stride: stride, Data: storage[stride+left : (m+1)*stride-right]})
	return view, storage
}

func svdStorage(k subject, _ *props.Trial, x gallery.Instance) finding {
	for _, kind := range kinds {
		before := slices.Clone(x.A.RawMatrix().Data)
		f, bad := k.svd(x.A, kind)
		if bad != nil {
			return *bad
		}
		if !kit.SameBits(before, x.A.RawMatrix().Data) {
			return found(kit.Failed, "kind", kind, "changed", "the argument")
		}
		view, storage := window(x.A)
		before = slices.Clone(storage)
		g, bad := k.svd(view, kind)
		if bad != nil {
			return finding{bad.ratio, "of a window: " + bad.note}
		}
		if !kit.SameBits(before, storage) {
			return found(kit.Failed, "kind", kind, "changed", "storage around the argument, or the argument")
		}
		if !f.equal(g) {
			return found(kit.Failed, "kind", kind, "σ", f.s, "σ of the same matrix as a window", g.s)
		}
	}
	return finding{}
}

// equal compares bits.
func (f factors) equal(g factors) bool {
	same := func(a, b *mat.Dense) bool {
		if a == nil || b == nil {
			return a == b
		}
		return mat.Equal(a, b)
	}
	return kit.SameBits(f.s, g.s) && same(f.u, g.u) && same(f.v, g.v)
}

func svdNotFinite(k subject, t *props.Trial, x gallery.Instance) finding {
	m, n := x.A.Dims()
	i, j := t.Rand.IntN(m), t.Rand.IntN(n)
	for _, poison := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := mat.DenseCopyOf(x.A)
		a.Set(i, j, poison)
		for _, kind := range kinds {
			var err error
			var s []float64
			if p, panicked := kit.Attempt(func() { _, s, _, err = k.SVD(a, kind) }); panicked {
				return found(kit.Failed, "row", i, "column", j, "entry", poison, "kind", kind, "panic", p)
			}
			if err == nil {
				return found(kit.Failed, "row", i, "column", j, "entry", poison, "kind", kind, "no error, but σ", s)
			}
		}
	}
	return finding{}
}

func svdRepeatable(k subject, _ *props.Trial, x gallery.Instance) finding {
	for _, kind := range kinds {
		if m, _ := x.A.Dims(); m == largeSize && kind != mat.SVDThin {
			continue // for the time it takes
		}
		f, bad := k.svd(x.A, kind)
		if bad != nil {
			return *bad
		}
		again := func() bool {
			g, bad := k.svd(x.A, kind)
			return bad == nil && f.equal(g)
		}
		ok := true
		kit.EachThreads(k.Kernel, func() { ok = ok && again() })
		if !ok {
			return found(kit.Failed, "kind", kind, "other bits", "in a second call, or on other threads")
		}
		if !kit.Together(again) {
			return found(kit.Failed, "kind", kind, "other bits", "in concurrent calls")
		}
	}
	return finding{}
}

// emptyShape is a cell of the checks of empty matrices.
type emptyShape struct{ Rows, Cols int }

func (s emptyShape) matrix() *mat.Dense {
	var a mat.Dense
	a.SetRawMatrix(blas64.General{Rows: s.Rows, Cols: s.Cols, Stride: max(1, s.Cols)})
	return &a
}

func emptySVD(k subject, name string) props.Check {
	return emptySweep(name, []emptyShape{{0, 0}, {0, 3}, {3, 0}}, func(s emptyShape) finding {
		for _, kind := range kinds {
			var values []float64
			var err error
			if p, panicked := kit.Attempt(func() { _, values, _, err = k.SVD(s.matrix(), kind) }); panicked {
				return found(kit.Failed, "shape", s, "kind", kind, "panic", p)
			}
			if err != nil || len(values) != 0 {
				return found(kit.Failed, "shape", s, "kind", kind, "σ", values, "error", err)
			}
		}
		return finding{}
	})
}

func emptySweep(name string, shapes []emptyShape, measure func(emptyShape) finding) props.Check {
	return props.Grid[emptyShape, finding, struct{}]{
		Name:     name,
		Cells:    func(props.Effort) []emptyShape { return shapes },
		Measure:  func(_ *props.Trial, s emptyShape) finding { return measure(s) },
		Conclude: func(r *props.Record, _ []emptyShape, all []finding, _ struct{}) { conclude(r, name, all) },
	}
}
