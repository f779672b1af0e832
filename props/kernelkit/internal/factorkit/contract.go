package factorkit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// contract is a routine as the checks of what it does besides computing see it.
type contract struct {
	calls                    func(a *mat.Dense, window bool) []call // in every way, of a or of a window of larger storage
	symmetric                bool
	storage, notFinite, void string // the docs of these checks; of a routine without the last the matrix is never empty
	shapes                   []emptyShape
}

// call is one call of a routine.
type call struct {
	how    string
	memory []float64 // of the argument and around it
	make   func(subject) (factors, error)
	brief  bool // not on a large matrix, for the time it takes
}

// checks returns the checks of a routine's contract.
func (c contract) checks(check, large checker) []kit.Check {
	list := []kit.Check{
		check("storage", c.storage, c.keepsStorage),
		check("not finite", c.notFinite, c.refuses),
		large("repeatable", "The same bits again, on 1, 2 and 3 threads where that can be chosen, and in eight "+
			"concurrent calls; also for a larger matrix.", c.repeats),
	}
	if c.void != "" {
		empty := check("empty", c.void, nil)
		empty.Make = func(k kernel.Kernel) props.Check { return c.ofNothing(subject{k}, empty.Name) }
		list = append(list, empty)
	}
	return list
}

// do makes the call. A panic is a finding.
func (q call) do(k subject) (f factors, bad *finding, err error) {
	if p, panicked := kit.Attempt(func() { f, err = q.make(k) }); panicked {
		return f, &finding{kit.Failed, fmt.Sprintf("%s: panic: %v\n", q.how, p)}, nil
	}
	return f, nil, err
}

// expect makes the call. An error is a finding as well.
func (q call) expect(k subject) (factors, *finding) {
	f, bad, err := q.do(k)
	if err != nil {
		bad = &finding{kit.Failed, fmt.Sprintf("%s: error: %v\n", q.how, err)}
	}
	return f, bad
}

// untouched makes the call. What it changes in memory is a finding.
func (q call) untouched(k subject) (factors, *finding) {
	before := slices.Clone(q.memory)
	f, bad := q.expect(k)
	if bad == nil && !kit.SameBits(before, q.memory) {
		bad = &finding{kit.Failed, q.how + ": the argument has changed, or the storage around it\n"}
	}
	return f, bad
}

func (c contract) keepsStorage(k subject, _ *props.Trial, x gallery.Instance) finding {
	windows := c.calls(x.A, true)
	for i, q := range c.calls(x.A, false) {
		f, bad := q.untouched(k)
		if bad != nil {
			return *bad
		}
		g, bad := windows[i].untouched(k)
		if bad != nil {
			return finding{bad.ratio, "of a window: " + bad.note}
		}
		if !f.equal(g) {
			return found(kit.Failed, "called", q.how, "values", f.s, "values of the same matrix as a window", g.s)
		}
	}
	return finding{}
}

func (c contract) refuses(k subject, t *props.Trial, x gallery.Instance) finding {
	m, n := x.A.Dims()
	i, j := t.Rand.IntN(m), t.Rand.IntN(n)
	for _, poison := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := mat.DenseCopyOf(x.A)
		if a.Set(i, j, poison); c.symmetric {
			a.Set(j, i, poison)
		}
		for _, q := range c.calls(a, false) {
			f, bad, err := q.do(k)
			if bad != nil || err == nil {
				return found(kit.Failed, "row", i, "column", j, "entry", poison, "called", q.how, "panic", bad != nil,
					"values", f.s)
			}
		}
	}
	return finding{}
}

func (c contract) repeats(k subject, _ *props.Trial, x gallery.Instance) finding {
	m, _ := x.A.Dims()
	for _, q := range c.calls(x.A, false) {
		if m == largeSize && q.brief {
			continue
		}
		f, bad := q.expect(k)
		if bad != nil {
			return *bad
		}
		again := func() bool {
			g, bad := q.expect(k)
			return bad == nil && f.equal(g)
		}
		ok := true
		kit.EachThreads(k.Kernel, func() { ok = ok && again() })
		if !ok {
			return found(kit.Failed, "called", q.how, "other bits", "in a second call, or on other threads")
		}
		if !kit.Together(again) {
			return found(kit.Failed, "called", q.how, "other bits", "in concurrent calls")
		}
	}
	return finding{}
}

// emptyShape is a cell of the checks of empty matrices.
type emptyShape struct{ Rows, Cols int }

func (c contract) ofNothing(k subject, name string) props.Check {
	return props.Grid[emptyShape, finding, struct{}]{
		Name:  name,
		Cells: func(props.Effort) []emptyShape { return c.shapes },
		Measure: func(_ *props.Trial, s emptyShape) finding {
			var a mat.Dense
			a.SetRawMatrix(blas64.General{Rows: s.Rows, Cols: s.Cols, Stride: max(1, s.Cols)})
			for _, q := range c.calls(&a, false) {
				if f, bad := q.expect(k); bad != nil {
					return *bad
				} else if len(f.s) != 0 {
					return found(kit.Failed, "shape", s, "called", q.how, "values", f.s)
				}
			}
			return finding{}
		},
		Conclude: func(r *props.Record, _ []emptyShape, all []finding, _ struct{}) { conclude(r, name, all) },
	}
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

// window is a copy of a matrix inside a larger one of NaN.
func window(a *mat.Dense) (view *mat.Dense, storage []float64) {
	m, n := a.Dims()
	const left, right = 2, 3
	stride := left + n + right
	storage = slices.Repeat([]float64{math.NaN()}, (m+2)*stride)
	for i := range m {
		copy(storage[(i+1)*stride+left:], a.RawRowView(i)[:n])
	}
	view = new(mat.Dense)
	view.SetRawMatrix(blas64.General{Rows: m, Cols: n, Stride: stride, Data: storage[stride+left : (m+1)*stride-right]})
	return view, storage
}
