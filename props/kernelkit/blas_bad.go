package kernelkit

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
)

var badArguments = property{
	name: "bad arguments",
	doc: "A side, triangle, transpose or diagonal that does not exist, a negative size, a leading dimension below the width, an increment " +
		"of zero, and a slice that is one element short: each panics, and nothing is written.",
	applies: every,
	cases:   props.Scale{Quick: 48, Standard: 450, Deep: 5000},
	mode:    ordinaryMode.with(func(m *mode) { m.shapes = smallShape; m.alphas = []float64{0.3}; m.betas = []float64{0.7} }),
	judge: func(t *props.T, k Kernel, p *problem) props.Ratio {
		r := p.begin()
		var choices []string
		for _, name := range strings.Fields(r.signature) {
			if r.args.spoil(name, p) {
				choices = append(choices, name)
			}
			r.args = p.begin().args // undo
		}
		name := rapid.SampledFrom(choices).Draw(t.T, "bad argument")
		r = p.begin()
		r.args.spoil(name, p)
		t.Show("bad argument", fmt.Sprintf("%s in %s", name, r.describe(r.args)))
		if _, panicked := attempt(func() { r.do(k.BLAS) }); !panicked {
			t.Show("panic", "none")
			return failed
		}
		for _, o := range p.operands {
			if !sameBits(r.backing[o.index], o.before) {
				t.Show("written before the panic", o.name)
				return failed
			}
		}
		return props.Ratio{}
	},
	faults: []string{"bad arguments accepted", "result touched before the panic"},
}

// spoil makes an argument bad, and reports whether it can.
func (a *args) spoil(name string, p *problem) bool {
	switch name {
	case "side":
		a.side = 'X'
	case "uplo":
		a.uplo = 'X'
	case "tA":
		a.tA = 'X'
	case "tB":
		a.tB = 'X'
	case "diag":
		a.diag = 'X'
	case "m":
		a.m = -1
	case "n":
		a.n = -1
	case "k":
		a.k = -1
	case "kL":
		a.kL = -1
	case "kU":
		a.kU = -1
	case "lda":
		a.lda = p.slot('a').width - 1
	case "ldb":
		a.ldb = p.slot('b').width - 1
	case "ldc":
		a.ldc = p.slot('c').width - 1
	case "incX":
		a.incX = 0
	case "incY":
		a.incY = 0
	case "a":
		a.a = a.a[:len(a.a)-1]
	case "b":
		a.b = a.b[:len(a.b)-1]
	case "c":
		a.c = a.c[:len(a.c)-1]
	case "x":
		a.x = a.x[:len(a.x)-1]
	case "y":
		a.y = a.y[:len(a.y)-1]
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
func (r *routine) describe(a args) string {
	var parts []string
	for _, name := range strings.Fields(r.signature) {
		if text := a.text(name); text != "" {
			parts = append(parts, name+"="+text)
		}
	}
	return r.name + "(" + strings.Join(parts, ", ") + ")"
}

func (a *args) text(name string) string {
	values := map[string]any{"m": a.m, "n": a.n, "k": a.k, "kL": a.kL, "kU": a.kU, "alpha": a.alpha, "beta": a.beta,
		"lda": a.lda, "ldb": a.ldb, "ldc": a.ldc, "incX": a.incX, "incY": a.incY, "param": a.param}
	flags := map[string]byte{"side": byte(a.side), "uplo": byte(a.uplo), "tA": byte(a.tA), "tB": byte(a.tB), "diag": byte(a.diag)}
	slices := map[string][]float64{"a": a.a, "b": a.b, "c": a.c, "x": a.x, "y": a.y}
	if v, ok := values[name]; ok {
		return fmt.Sprint(v)
	}
	if f, ok := flags[name]; ok {
		return string(rune(f))
	}
	if slices[name] == nil { // not bound yet
		return ""
	}
	return fmt.Sprintf("[%d]", len(slices[name]))
}
