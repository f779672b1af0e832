package blaskit

import (
	"fmt"
	"reflect"
	"slices"
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
	case "side", "uplo", "tA", "tB", "diag":
		a.field(name).SetUint('X')
	case "m", "n", "k", "kL", "kU":
		a.field(name).SetInt(-1)
	case "lda", "ldb", "ldc":
		a.field(name).SetInt(int64(p.slotOf(name[2:]).width - 1))
	case "incX", "incY":
		a.field(name).SetInt(0)
	case "a", "b", "c", "x", "y":
		short := a.field(name).Interface().(Cells)
		a.field(name).Set(reflect.ValueOf(short.Part(0, short.Len()-1)))
	default:
		return false
	}
	return true
}

// slotOf is the operand that is passed as the argument of a name; nil without one.
func (p *problem) slotOf(name string) *operand {
	if i := slices.IndexFunc(p.operands, func(o *operand) bool { return o.name == name }); i >= 0 {
		return p.operands[i]
	}
	return nil
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
