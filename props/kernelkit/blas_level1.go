package kernelkit

import "gonum.org/v1/gonum/blas"

var level1 = []*routine{
	{
		name: "dot", signature: "n x incX y incY", sums: true,
		call:     func(l blas.Float64, p *args) { p.result = l.Ddot(p.n, p.x, p.incX, p.y, p.incY) },
		scalings: []scaling{{"x", "", 1}, {"y", "", 1}, {"x", "y", 0}},
		pose: func(d *draw) {
			x, y := d.vectors()
			d.becomes(output{terms: []term{{1, view{o: x, transposed: true}, view{o: y}}}})
		},
	}, {
		name: "asum", signature: "n x incX", sums: true,
		call:     func(l blas.Float64, p *args) { p.result = l.Dasum(p.n, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.args.n, _, _ = d.shape(769, "n")
			x := d.vector('x', d.args.n)
			d.becomes(output{terms: []term{{1, view{o: x, transposed: true, absolute: true}, view{o: ones(d.args.n)}}}})
		},
	}, {
		name: "nrm2", signature: "n x incX",
		call:     func(l blas.Float64, p *args) { p.result = l.Dnrm2(p.n, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.args.n, _, _ = d.shape(769, "n")
			x := d.vector('x', d.args.n)
			d.becomes(output{terms: []term{{1, view{o: x, transposed: true}, view{o: x}}}, root: true})
		},
	}, {
		name: "axpy", signature: "n alpha x incX y incY", out: 'y',
		call:     func(l blas.Float64, p *args) { l.Daxpy(p.n, p.alpha, p.x, p.incX, p.y, p.incY) },
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			d.args.alpha = d.scalar("alpha", d.mode.alphas)
			x, y := d.vectors()
			d.becomes(output{to: y, terms: []term{{d.args.alpha, view{o: x}, view{number: 1}}}, beta: 1})
		},
	}, {
		name: "scal", signature: "n alpha x incX", out: 'x',
		call:     func(l blas.Float64, p *args) { l.Dscal(p.n, p.alpha, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.args.alpha = d.scalar("alpha", d.mode.alphas)
			d.args.n, _, _ = d.shape(769, "n")
			x := d.vector('x', d.args.n)
			d.becomes(output{to: x, terms: []term{{d.args.alpha, view{o: x}, view{number: 1}}}})
		},
	}, {
		name: "copy", signature: "n x incX y incY", out: 'y',
		call:     func(l blas.Float64, p *args) { l.Dcopy(p.n, p.x, p.incX, p.y, p.incY) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			x, y := d.vectors()
			d.becomes(output{to: y, terms: []term{{1, view{o: x}, view{number: 1}}}, copies: true})
		},
	}, {
		name: "swap", signature: "n x incX y incY", out: 'y',
		call:     func(l blas.Float64, p *args) { l.Dswap(p.n, p.x, p.incX, p.y, p.incY) },
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			x, y := d.vectors()
			x.written, y.written = true, true
			d.outputs = append(d.outputs,
				output{to: y, terms: []term{{1, view{o: x}, view{number: 1}}}, copies: true},
				output{to: x, terms: []term{{1, view{o: y}, view{number: 1}}}, copies: true})
		},
	}, {
		name: "rot", signature: "n x incX y incY alpha beta", out: 'y',
		call:     func(l blas.Float64, p *args) { l.Drot(p.n, p.x, p.incX, p.y, p.incY, p.alpha, p.beta) },
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			d.scalars()
			x, y := d.vectors()
			d.turn(x, y, d.args.alpha, d.args.beta, -d.args.beta, d.args.alpha)
		},
	}, {
		name: "rotm", signature: "n x incX y incY param", out: 'y',
		call:     func(l blas.Float64, p *args) { l.Drotm(p.n, p.x, p.incX, p.y, p.incY, p.param) },
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			p := &d.args.param
			p.Flag = []blas.Flag{blas.Identity, blas.Rescaling, blas.OffDiagonal, blas.Diagonal}[d.between(0, 3, []string{"flag"})[0]]
			for i := range p.H { // H is stored by columns: h11, h21, h12, h22
				p.H[i] = d.scalar("h", d.mode.alphas)
			}
			h11, h21, h12, h22 := p.H[0], p.H[1], p.H[2], p.H[3]
			switch p.Flag {
			case blas.Identity:
				x, y := d.vectors()
				x.written, y.written = true, true
				d.outputs = append(d.outputs, same(y), same(x))
				return
			case blas.OffDiagonal:
				h11, h22 = 1, 1
			case blas.Diagonal:
				h21, h12 = -1, 1
			}
			x, y := d.vectors()
			d.turn(x, y, h11, h12, h21, h22)
		},
	},
}

// vectors draws two of the same length.
func (d *draw) vectors() (x, y *operand) {
	d.args.n, _, _ = d.shape(769, "n")
	return d.vector('x', d.args.n), d.vector('y', d.args.n)
}

// same leaves a vector as it is.
func same(o *operand) output {
	return output{to: o, terms: []term{{1, view{o: o}, view{number: 1}}}, copies: true}
}

// turn is x, y = h11·x + h12·y, h21·x + h22·y.
func (d *draw) turn(x, y *operand, h11, h12, h21, h22 float64) {
	x.written, y.written = true, true
	vx, vy := view{o: x}, view{o: y}
	d.outputs = append(d.outputs,
		output{to: y, terms: []term{{1, vx, view{number: h21}}, {1, vy, view{number: h22}}}},
		output{to: x, terms: []term{{1, vx, view{number: h11}}, {1, vy, view{number: h12}}}})
}

// ones is a column of ones that no routine sees.
func ones(n int) *operand {
	o := &operand{rows: n, cols: 1, size: n, at: func(i, _ int) int { return i }}
	o.alloc(0)
	o.fill(func(int, int) float64 { return 1 })
	return o
}
