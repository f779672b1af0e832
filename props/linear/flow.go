package linear

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props/gen"
)

// flow integrates dx/dt = velocity(x) over the time t, in so many steps of the extrapolated midpoint rule of order 16
// (Gragg, Bulirsch and Stoer): eight midpoint solutions, of 2, 4, …, 16 substeps, have errors in even powers of the
// substep, of which Neville's scheme removes seven.
func flow(x []*mat.Dense, t float64, steps int, velocity func([]*mat.Dense) []*mat.Dense) []*mat.Dense {
	const columns = 8
	for range steps {
		var table [columns][]*mat.Dense
		for k := range columns {
			table[k] = midpoint(x, t/float64(steps), 2*k+2, velocity)
			for j := k - 1; j >= 0; j-- {
				ratio := float64(k+1) / float64(j+1)
				table[j] = along(table[j+1], 1/(ratio*ratio-1), along(table[j+1], -1, table[j]))
			}
		}
		x = table[0]
	}
	return x
}

// midpoint is the modified midpoint rule, with so many substeps.
func midpoint(x []*mat.Dense, t float64, substeps int, velocity func([]*mat.Dense) []*mat.Dense) []*mat.Dense {
	h := t / float64(substeps)
	before, at := x, along(x, h, velocity(x))
	for range substeps - 1 {
		before, at = at, along(before, 2*h, velocity(at))
	}
	return along(along(before, 1, at), h, velocity(at), 0.5)
}

// along returns x + scale·v of every matrix, times a factor if there is one.
func along(x []*mat.Dense, scale float64, v []*mat.Dense, factor ...float64) []*mat.Dense {
	out := make([]*mat.Dense, len(x))
	for i := range x {
		out[i] = plus(x[i], scale, v[i])
		for _, f := range factor {
			out[i].Scale(f, out[i])
		}
	}
	return out
}

// downhill is the gradient flow of the layers of a linear network under ½‖W − target‖².
func downhill(target *mat.Dense) func(layers []*mat.Dense) []*mat.Dense {
	return func(layers []*mat.Dense) []*mat.Dense {
		_, inputs := layers[0].Dims()
		var v []*mat.Dense
		for _, b := range netOf(layers, nn.Identity).Batches(identity(inputs), target) {
			g := b.WeightGrad()
			g.Scale(-1, g)
			v = append(v, g)
		}
		return v
	}
}

// alignedLayers are square layers with the same strengths between random bases, which begin with that of the inputs.
func alignedLayers(r *rand.Rand, depth, width int, strengths []float64) (bases, layers []*mat.Dense) {
	bases = append(bases, gen.Orthonormal(r, width, width))
	for l := range depth {
		bases = append(bases, gen.Orthonormal(r, width, width))
		layers = append(layers, spectral(bases[l+1], strengths, bases[l]))
	}
	return bases, layers
}

// entriesOf are integers up to 2, or normal numbers.
func entriesOf(r *rand.Rand, integers bool) func(rows, cols int) *mat.Dense {
	if integers {
		return func(rows, cols int) *mat.Dense { return gen.Integers(r, rows, cols, 2) }
	}
	return func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1) }
}

// netOf has the layers with an activation between them.
func netOf(layers []*mat.Dense, act nn.Activation) nn.Net {
	var net nn.Net
	for _, w := range layers {
		net = append(net, nn.Layer{W: w, Act: act})
	}
	net[len(net)-1].Act = nn.Identity
	return net
}

// velocity is the gradient in the end-to-end matrix, and by the product rule how fast that moves against it.
func velocity(net nn.Net, inputs, targets *mat.Dense) (g, v *mat.Dense) {
	seen := net.Batches(inputs, targets)
	v = mat.NewDense(targets.RawMatrix().Rows, inputs.RawMatrix().Rows, nil)
	for l := range net {
		term := seen[l].WeightGrad()
		for k := l - 1; k >= 0; k-- {
			term = product(term, net[k].W)
		}
		for _, above := range net[l+1:] {
			term = product(above.W, term)
		}
		v.Add(v, term)
	}
	return seen[len(net)-1].PreGrads, v
}
