package blaskit

import (
	"fmt"
	"sync"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// aliasing passes the same memory as two operands that are only read.
var aliasing = property{
	name: "aliasing",
	doc: "The same slice as both operands that are only read gives what two equal slices give, within the rounding " +
		"bound.",
	applies: func(r *Routine) bool {
		return r.Name == "gemm" || r.Name == "syr2k" || r.Name == "dot" || r.Name == "syr2"
	},
	cases: props.Scale{Quick: 32, Standard: 300, Deep: 5000},
	mode: ordinaryMode.with(func(m *mode) {
		m.alphas = []float64{1, -1.7}
		m.shapes = func(d *draw, _ int, names []string) []int {
			n := d.between(1, 30, []string{"all sizes"})[0]
			return []int{n, n, n}[:len(names)]
		}
	}),
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		first, second := p.operands[0], p.operands[1]
		second.fill(func(i, j int) float64 { return first.before.At(first.offset + first.at(i, j)) })
		r := p.begin()
		p.shared = true
		switch first.slot {
		case 'a':
			r.args.B, r.args.Ldb = r.args.A, r.args.Lda
		case 'x':
			r.args.Y, r.args.IncY = r.args.X, r.args.IncX
		}
		if !kit.Survives(t, func() { r.do(k) }) {
			return kit.Failed
		}
		return props.Worst(r.componentwise(t), r.surroundings(t))
	},
}

var determinism = property{
	name:    "determinism",
	doc:     "The same call gives the same bits again.",
	applies: func(r *Routine) bool { return !r.compact() },
	cases:   props.Scale{Quick: 4, Standard: 90, Deep: 1500},
	mode:    ordinaryMode.with(func(m *mode) { m.shapes = bigShape }),
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		return p.repeats(t, k, 3, func(int) {})
	},
}

var threadIndependence = property{
	name:    "threads",
	doc:     "1, 2, 3 threads and the number that the kernel chooses give the same bits.",
	part:    kit.ThreadsPart,
	applies: func(r *Routine) bool { return !r.compact() },
	cases:   props.Scale{Quick: 4, Standard: 90, Deep: 1500},
	mode:    ordinaryMode.with(func(m *mode) { m.shapes = bigShape }),
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		defer kit.LockThreads(k)()
		return p.repeats(t, k, 4, k.SetThreads)
	},
}

// repeats makes the same call some times, each after change, and compares the bits.
func (p *problem) repeats(t *props.T, k kernel.Kernel, times int, change func(call int)) props.Ratio {
	var first *run
	for call := range times {
		r := p.begin()
		change(call)
		if !kit.Survives(t, func() { r.do(k) }) {
			return kit.Failed
		}
		if first == nil {
			first = r
		}
		if !sameResults(first, r) {
			t.Show("other bits in call", call)
			return kit.Failed
		}
	}
	return props.Ratio{}
}

// concurrentMode is the mode of concurrency.
var concurrentMode = ordinaryMode.with(func(m *mode) { m.shapes = bigShape; m.alphas = []float64{1, -1.7} })

var concurrency = property{
	name: "concurrency",
	doc: "Eight calls at the same time, on the same operands and on others, with results of their own, give the bits of " +
		"the same call alone.",
	applies: func(r *Routine) bool { return !r.compact() },
	cases:   props.Scale{Quick: 3, Standard: 60, Deep: 1000},
	mode:    concurrentMode,
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		const callers = 8
		alone := []*run{p.begin(), concurrentMode.pose(t, p.Routine, p.args.Precision).begin()}
		for _, r := range alone {
			if !kit.Survives(t, func() { r.do(k) }) {
				return kit.Failed
			}
		}
		var group sync.WaitGroup
		same := make([]bool, callers)
		for caller := range callers {
			want := alone[caller%2]
			r := want.besides()
			group.Go(func() {
				_, panicked := kit.Attempt(func() { r.do(k) })
				same[caller] = !panicked && sameResults(want, r)
			})
		}
		group.Wait()
		for caller, ok := range same {
			if !ok {
				t.Show("differs", fmt.Sprintf("caller %d of %d", caller+1, callers))
				return kit.Failed
			}
		}
		return props.Ratio{}
	},
}

// besides is another run of the same problem, which shares what is only read.
func (r *run) besides() *run {
	other := r.begin()
	for _, o := range r.operands {
		if !o.written {
			other.args.bind(o, o.slice(r.backing[o.index]))
		}
	}
	return other
}
