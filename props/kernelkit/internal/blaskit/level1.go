package blaskit

import "gonum.org/v1/gonum/blas"

var level1 = []*Routine{
	{
		Name: "dot", Signature: "n x incX y incY", sums: true,
		scalings: []scaling{{"x", "", 1}, {"y", "", 1}, {"x", "y", 0}},
		pose: func(d *draw) {
			x, y := d.vectors()
			d.becomes(output{terms: []term{{1, view{o: x, transposed: true}, view{o: y}}}})
		},
	}, {
		Name: "asum", Signature: "n x incX", sums: true,
		scalings: vectorScaling,
		pose: func(d *draw) {
			d.args.N, _, _ = d.shape(769, "n")
			x := d.vector('x', d.args.N)
			d.becomes(output{terms: []term{{1, view{o: x, transposed: true, absolute: true}, view{o: d.ones(d.args.N)}}}})
		},
	}, {
		Name: "nrm2", Signature: "n x incX",
		scalings: vectorScaling,
		pose: func(d *draw) {
			d.args.N, _, _ = d.shape(769, "n")
			x := d.vector('x', d.args.N)
			d.becomes(output{terms: []term{{1, view{o: x, transposed: true}, view{o: x}}}, root: true})
		},
	}, {
		Name: "axpy", Signature: "n alpha x incX y incY", Out: 'y',
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			d.options()
			x, y := d.vectors()
			d.becomes(output{to: y, terms: []term{{d.args.Alpha, view{o: x}, view{number: 1}}}, beta: 1})
		},
	}, {
		Name: "scal", Signature: "n alpha x incX", Out: 'x',
		scalings: vectorScaling,
		pose: func(d *draw) {
			d.options()
			d.args.N, _, _ = d.shape(769, "n")
			x := d.vector('x', d.args.N)
			d.becomes(output{to: x, terms: []term{{d.args.Alpha, view{o: x}, view{number: 1}}}})
		},
	}, {
		Name: "copy", Signature: "n x incX y incY", Out: 'y',
		scalings: vectorScaling,
		pose: func(d *draw) {
			x, y := d.vectors()
			d.becomes(output{to: y, terms: []term{{1, view{o: x}, view{number: 1}}}, copies: true})
		},
	}, {
		Name: "swap", Signature: "n x incX y incY", Out: 'y',
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			x, y := d.vectors()
			x.written, y.written = true, true
			d.outputs = append(d.outputs,
				output{to: y, terms: []term{{1, view{o: x}, view{number: 1}}}, copies: true},
				output{to: x, terms: []term{{1, view{o: y}, view{number: 1}}}, copies: true})
		},
	}, {
		Name: "rot", Signature: "n x incX y incY alpha beta", Out: 'y',
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			d.options()
			x, y := d.vectors()
			d.turn(x, y, d.args.Alpha, d.args.Beta, -d.args.Beta, d.args.Alpha)
		},
	}, {
		Name: "rotm", Signature: "n x incX y incY param", Out: 'y',
		scalings: []scaling{{"xy", "", 1}},
		pose: func(d *draw) {
			p := &d.args.Param
			p.Flag = []blas.Flag{blas.Identity, blas.Rescaling, blas.OffDiagonal,
				blas.Diagonal}[d.between(0, 3, []string{"flag"})[0]]
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
	d.args.N, _, _ = d.shape(769, "n")
	return d.vector('x', d.args.N), d.vector('y', d.args.N)
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
func (d *draw) ones(n int) *operand {
	o := &operand{rows: n, cols: 1, size: n, at: func(i, _ int) int { return i }}
	o.alloc(d.args.Precision, 0)
	o.fill(func(int, int) float64 { return 1 })
	return o
}
