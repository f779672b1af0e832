package blaskit

import (
	"math"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
)

// probes multiply both sides of the definition by a vector, and so need no reference of the same cost as the product.
var probes = property{
	name: "probe",
	doc: "At sizes of hundreds C·z agrees with α·A·(B·z) + β·C₀·z for random signs z. If C is off by E then ‖E·z‖ " +
		"has the mean square ‖E‖_F², and the bound is that of the rounding growth.",
	applies: func(r *Routine) bool { return r.Takes("ldb") || r.Name == "syrk" },
	cases:   props.Scale{Quick: 4, Standard: 90, Deep: 1500},
	mode: ordinaryMode.with(func(m *mode) {
		m.shapes = bigShape
		m.alphas = []float64{1, -1.7}
		m.betas = []float64{1, 0.3, 0}
	}),
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		signs := t.Stream("signs")
		return once(func(r *run, t *props.T) props.Ratio {
			return r.probe(t, func() bool { return signs.IntN(2) == 0 })
		})(t, k, p)
	},
}

// probe judges the first output.
func (r *run) probe(t *props.T, heads func() bool) props.Ratio {
	out := &r.outputs[0]
	z := make([]float64, out.to.cols)
	for i := range z {
		z[i] = 1
		if heads() {
			z[i] = -1
		}
	}
	old, now := out.view, out.view
	now.after = true
	left := make([]doubledouble.Sum, out.to.rows)
	if out.solve { // the equation is about alpha times the old
		r.multiply(left, out.beta, old, z)
	} else {
		r.multiply(left, 1, now, z)
		if out.beta != 0 {
			r.multiply(left, -out.beta, old, z)
		}
	}
	longest := 0
	for _, term := range out.terms {
		inner, _ := term.right.dims()
		longest += inner
		middle, values := make([]doubledouble.Sum, inner), make([]float64, inner)
		r.multiply(middle, 1, term.right, z)
		for i := range middle {
			values[i] = middle[i].Hi
		}
		r.multiply(left, -term.coef, term.left, values)
		for i := range middle {
			values[i] = middle[i].Lo
		}
		r.multiply(left, -term.coef, term.left, values)
	}
	err := 0.0
	for _, s := range left {
		err = math.Hypot(err, s.Float64())
	}
	size := 0.0
	if out.beta != 0 {
		size = math.Abs(out.beta) * r.norm(old)
	}
	t.Show("‖E·z‖", err)
	return props.Within(err, r.allowance(out, longest, size))
}

// multiply adds c·M·z to y.
func (r *run) multiply(y []doubledouble.Sum, c float64, m view, z []float64) {
	rows, cols := m.dims()
	for i := range rows {
		var s doubledouble.Sum
		for j := range cols {
			if x, present := m.at(r, i, j); present {
				s.AddProduct(x, z[j])
			}
		}
		y[i].AddMultiple(c, s)
	}
}
