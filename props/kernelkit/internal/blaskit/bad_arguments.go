package blaskit

import (
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

var badArguments = property{
	name: "bad arguments",
	doc: "A side, triangle, transpose or diagonal that does not exist, a negative size, a leading dimension below " +
		"the width, an increment of zero, and a slice that is one element short: each panics, and nothing is written.",
	applies: every,
	cases:   props.Scale{Quick: 48, Standard: 450, Deep: 5000},
	mode: ordinaryMode.with(func(m *mode) {
		m.shapes = smallShape
		m.alphas = []float64{0.3}
		m.betas = []float64{0.7}
	}),
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		r := p.begin()
		var choices []string
		for _, name := range strings.Fields(r.Signature) {
			if r.args.degrade(name, p) {
				choices = append(choices, name)
			}
			r.args = p.begin().args // undo
		}
		name := rapid.SampledFrom(choices).Draw(t.T, "bad argument")
		r = p.begin()
		r.args.degrade(name, p)
		t.Show("bad argument", fmt.Sprintf("%s in %s", name, r.describe(r.args)))
		if _, panicked := kit.Attempt(func() { r.do(k) }); !panicked {
			t.Show("panic", "none")
			return kit.Failed
		}
		for _, o := range p.operands {
			if !SameBits(r.backing[o.index], o.before) {
				t.Show("written before the panic", o.name)
				return kit.Failed
			}
		}
		return props.Ratio{}
	},
}

// degrade makes an argument bad, and reports whether it can.
func (a *Args) degrade(name string, p *problem) bool {
	switch name {
	case "side":
		a.Side = 'X'
	case "uplo":
		a.Uplo = 'X'
	case "tA":
		a.TA = 'X'
	case "tB":
		a.TB = 'X'
	case "diag":
		a.Diag = 'X'
	case "m":
		a.M = -1
	case "n":
		a.N = -1
	case "k":
		a.K = -1
	case "kL":
		a.KL = -1
	case "kU":
		a.KU = -1
	case "lda":
		a.Lda = p.slot('a').width - 1
	case "ldb":
		a.Ldb = p.slot('b').width - 1
	case "ldc":
		a.Ldc = p.slot('c').width - 1
	case "incX":
		a.IncX = 0
	case "incY":
		a.IncY = 0
	case "a", "b", "c", "x", "y":
		short := a.field(name).Interface().(Cells)
		a.field(name).Set(reflect.ValueOf(short.Part(0, short.Len()-1)))
	default:
		return false
	}
	return true
}

func (p *problem) slot(slot byte) *operand {
	for _, o := range p.operands {
		if o.slot == slot {
			return o
		}
	}
	panic("kernelkit: no such operand")
}

// String prints the call.
func (p *problem) String() string { return p.describe(p.args) }

// describe prints a call as name(argument=value, …), with the lengths of slices that are there.
func (r *Routine) describe(a Args) string {
	var parts []string
	for _, name := range strings.Fields(r.Signature) {
		if text := a.text(name); text != "" {
			parts = append(parts, name+"="+text)
		}
	}
	return r.Name + "(" + strings.Join(parts, ", ") + ")"
}

func (a *Args) text(name string) string {
	switch x := a.field(name).Interface().(type) {
	case blas.Side, blas.Uplo, blas.Transpose, blas.Diag:
		return string(rune(a.field(name).Uint()))
	case Cells:
		return fmt.Sprintf("[%d]", x.Len())
	case nil: // memory that is not bound yet
		return ""
	default:
		return fmt.Sprint(x)
	}
}
