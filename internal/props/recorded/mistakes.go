package recorded

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
)

// mistake is a wrong version of a link. It is what the numbers would be, up to one unknown factor where free is not
// nil: they are then fixed plus a multiple of free, and the factor is fitted. A fit of anything to anything is no
// diagnosis: named says of a factor what it is evidence of, and "" where it is none.
type mistake struct {
	name  string
	fixed *mat.Dense
	free  *mat.Dense
	named func(factor float64) string
}

// near are factors that a fit tells from one.
const near = 1e-3

// first returns the mistake that obtained numbers agree with, within what is allowed for rounding.
func first(obtained *mat.Dense, allowed float64, all []mistake) string {
	for _, k := range all {
		if (k.fixed == nil && k.free == nil) || (k.free != nil && mat.Norm(k.free, 2) == 0) {
			continue
		}
		rest := mat.DenseCopyOf(obtained)
		if k.fixed != nil {
			rest.Sub(rest, k.fixed)
		}
		name, slack := k.name, 1.0
		if k.free != nil {
			factor := inner(rest, k.free) / inner(k.free, k.free)
			rest.Sub(rest, algebra.Scaled(factor, k.free))
			if name = k.named(factor); name == "" || math.Abs(factor)*mat.Norm(k.free, 2) <= 2*allowed {
				continue
			}
			slack += math.Abs(factor)
		}
		if mat.Norm(rest, 2) <= slack*allowed {
			return name
		}
	}
	return ""
}

func inner(a, b *mat.Dense) float64 {
	sum := 0.0
	rows, _ := a.Dims()
	for i := range rows {
		sum += floats.Dot(a.RawRowView(i), b.RawRowView(i))
	}
	return sum
}

// diagnose tries the mistakes of a link of the gradients.
func (c *chain) diagnose(link string, obtained *mat.Dense, allowed float64) string {
	c.ReadBefore()
	if link == linkInputs {
		return c.diagnoseInputs(obtained, allowed)
	}
	right, batch := c.gradient.Dense, float64(c.Batch)
	_, columns := c.H.Dims()
	all := []mistake{{name: "a gradient of the opposite sign", fixed: algebra.Scaled(-1, right)}}
	if c.Batch > 1 {
		all = append(all, mistake{free: right, named: about(batch, "gradient without 1/B")},
			mistake{free: right, named: about(1/batch, "1/B taken twice")})
	}
	if square(right) {
		all = append(all, mistake{name: "transposed gradient", fixed: mat.DenseCopyOf(right.T())})
	}
	if c.GBefore != nil {
		all = append(all, mistake{name: "stale gradient: that of the step before", fixed: c.GBefore},
			mistake{name: "stale gradient: that of the step before was not set to zero",
				fixed: algebra.Sum(right, c.GBefore)})
	}
	if c.Moment != nil {
		all = append(all, mistake{fixed: right, free: c.Moment,
			named: between(0, 1.001, "momentum in the gradient, β = %.3g")})
	}
	all = append(all,
		mistake{fixed: right, free: c.W, named: between(0, math.Inf(1), "weight decay in the gradient, λ = %.3g")},
		mistake{free: right, named: other("the gradient times %.4g: clipped, or a loss that was scaled")},
		mistake{name: "centred hidden states", fixed: algebra.Product(c.Gamma, centred(c.H).T())},
		mistake{name: "centred gradients in the outputs", fixed: algebra.Product(centred(c.Gamma), c.H.T())})
	if columns > 1 {
		for _, shift := range []int{1, columns - 1} {
			all = append(all, mistake{name: "hidden states and gradients of different samples",
				fixed: algebra.Product(c.Gamma, rolled(c.H, shift).T())})
		}
		half := columns / 2
		for _, part := range [][2]int{{0, half}, {half, columns}} {
			all = append(all, mistake{free: c.part(part[0], part[1]), named: between(near, math.Inf(1),
				"the gradient of half of the batch, times %.3g")})
		}
	}
	all = append(all, mistake{free: signs(right),
		named: between(near, math.Inf(1), "the sign of the gradient, times %.3g")})
	if name := first(obtained, allowed, all); name != "" {
		return name
	}
	for _, coarse := range []string{"bfloat16", "float16"} {
		if unit := arithmetics[coarse].cast; every(obtained, func(x float64) bool { return round(x, coarse) == x }) &&
			algebra.Distance(obtained, right) <= allowed+unit*mat.Norm(right, 2) {
			return "the gradient rounded to " + coarse
		}
	}
	return ""
}

func (c *chain) diagnoseInputs(obtained *mat.Dense, allowed float64) string {
	of := func(w mat.Matrix) *mat.Dense {
		p := algebra.Product(w, c.Gamma)
		if c.ImageGrad != nil {
			p = c.Conv.Fold(p)
		}
		return p
	}
	right, after := of(c.W.T()), of(c.Next.T())
	undone := of(algebra.Sum(c.W, algebra.Scaled(c.Rate, c.G)).T())
	all := []mistake{{name: "weights after the step in place of those before", fixed: after},
		{name: "weights after the step in place of those before", fixed: undone},
		{name: "a gradient in the inputs of the opposite sign", fixed: algebra.Scaled(-1, right)}}
	if c.WBefore != nil {
		all = append(all, mistake{name: "stale weights: those before the step before", fixed: of(c.WBefore.T())})
	}
	if square(c.W) {
		all = append(all, mistake{name: "transposed weight", fixed: of(c.W)})
	}
	if m, n := c.W.Dims(); m == n && c.ImageGrad == nil {
		all = append(all, mistake{name: "a skip connection around the layer in the gradient of its inputs",
			fixed: algebra.Sum(right, c.Gamma)})
	}
	if c.Batch > 1 {
		batch := float64(c.Batch)
		all = append(all, mistake{free: right, named: about(batch, "gradient in the inputs without 1/B")},
			mistake{free: right, named: about(1/batch, "gradient in the inputs with 1/B taken twice")})
	}
	all = append(all, mistake{free: right, named: other("the gradient in the inputs times %.4g")})
	if _, columns := c.H.Dims(); columns > 1 && c.ImageGrad == nil {
		all = append(all, mistake{name: "inputs and gradients of different samples", fixed: rolled(right, 1)},
			mistake{name: "inputs and gradients of different samples", fixed: rolled(right, columns-1)})
	}
	return first(obtained, allowed, all)
}

// diagnoseUpdate tries the mistakes of a step on the change of the weights, which is known to the rounding of both.
func (c *chain) diagnoseUpdate() string {
	c.ReadBefore()
	change := algebra.Difference(c.Next, c.W)
	allowed := 2*kept[c.DType]*(mat.Norm(c.Next, 2)+c.Rate*mat.Norm(c.G, 2)) + 0x1p-1000
	down := algebra.Scaled(-c.Rate, c.G)
	if decay := c.Number("weight_decay"); decay != 0 {
		down = algebra.Scaled(-c.Rate, algebra.Sum(c.G, algebra.Scaled(decay, c.W)))
		if name := first(change, allowed, []mistake{
			{name: "no weight decay in the step", fixed: algebra.Scaled(-c.Rate, c.G)}}); name != "" {
			return name
		}
	}
	switch {
	case mat.Norm(change, 2) == 0:
		return "no step"
	case algebra.Distance(change, down) <= allowed:
		return "the step in another arithmetic: it differs in the last bits"
	}
	all := []mistake{{name: "step uphill", fixed: algebra.Scaled(-1, down)}}
	if square(c.G) {
		all = append(all, mistake{name: "transposed gradient in the step", fixed: mat.DenseCopyOf(down.T())})
	}
	if c.GBefore != nil {
		stale := algebra.Scaled(-c.Rate, c.GBefore)
		all = append(all, mistake{name: "stale gradient in the step: that of the step before", fixed: stale},
			mistake{name: "stale gradient in the step: that of the step before is added",
				fixed: algebra.Sum(down, stale)})
	}
	if c.Batch > 1 {
		all = append(all, mistake{free: down, named: about(float64(c.Batch), "gradient without 1/B in the step")},
			mistake{free: down, named: about(1/float64(c.Batch), "1/B taken twice in the step")})
	}
	all = append(all,
		mistake{free: down, named: other("a step %.4g times as long")},
		mistake{free: down, named: between(math.Inf(-1), -near, "step uphill, %.4g times as long")},
		mistake{fixed: down, free: c.W, named: func(f float64) string {
			return between(0, math.Inf(1), "weight decay in the step, λ = %.3g")(-f / c.Rate)
		}})
	if c.WBefore != nil {
		before := algebra.Difference(c.W, c.WBefore)
		all = append(all, mistake{fixed: down, free: before, named: between(0, 1.001, "momentum in the step, β = %.3g")},
			mistake{fixed: before, free: down,
				named: between(near, 1e3, "momentum in the step, β = 1, and %.3g of the gradient")})
	}
	all = append(all, mistake{free: algebra.Scaled(-c.Rate, signs(c.G)),
		named: between(near, math.Inf(1), "the sign of the gradient, times %.3g")})
	if name := first(change, allowed, all); name != "" {
		return name
	}
	if c.WBefore != nil { // momentum that also weighs the gradient: two factors, in turn
		if name := c.dampened(change, allowed); name != "" {
			return name
		}
	}
	return c.adaptive(change)
}

// dampened fits −aγG + β(W − W before).
func (c *chain) dampened(change *mat.Dense, allowed float64) string {
	g, d := algebra.Scaled(-c.Rate, c.G), algebra.Difference(c.W, c.WBefore)
	gg, gd, dd, gc, dc := inner(g, g), inner(g, d), inner(d, d), inner(g, change), inner(d, change)
	det := gg*dd - gd*gd
	if !(det > 1e-9*gg*dd) {
		return ""
	}
	a, beta := (gc*dd-dc*gd)/det, (dc*gg-gc*gd)/det
	fit := algebra.Sum(algebra.Scaled(a, g), algebra.Scaled(beta, d))
	if !(algebra.Distance(fit, change) <= (1+math.Abs(a)+math.Abs(beta))*allowed && beta >= near && beta <= 1.001) {
		return ""
	}
	return fmt.Sprintf("momentum in the step, β = %.3g, with %.3g of the gradient", beta, a)
}

// adaptive recognises a step that divides every entry of a gradient by a size of its own, as Adam does: the entries go
// down, by about the step size, however different those of the gradient are.
func (c *chain) adaptive(change *mat.Dense) string {
	down, moved, long := 0, 0, 0
	rows, _ := change.Dims()
	for i := range rows {
		d, g := change.RawRowView(i), c.G.RawRowView(i)
		for j := range d {
			if d[j] == 0 || g[j] == 0 {
				continue
			}
			moved++
			if d[j]*g[j] < 0 {
				down++
			}
			if r := math.Abs(d[j]) / c.Rate; r > 0.1 && r < 1.5 {
				long++
			}
		}
	}
	if moved >= 20 && down*4 > moved*3 && long*2 > moved {
		return "a step of about the step size in every entry, as of Adam"
	}
	return ""
}

// part is ΓHᵀ of a range of columns.
func (c *chain) part(from, to int) *mat.Dense {
	m, n := c.W.Dims()
	return algebra.Product(c.Gamma.Slice(0, m, from, to), c.H.Slice(0, n, from, to).T())
}

// about names a factor that is the given one, to a thousandth.
func about(factor float64, name string) func(float64) string {
	return func(f float64) string {
		if !(math.Abs(f/factor-1) <= near) {
			return ""
		}
		return name
	}
}

// between names a factor of an open range.
func between(lo, hi float64, format string) func(float64) string {
	return func(f float64) string {
		if !(f > lo && f < hi) {
			return ""
		}
		return fmt.Sprintf(format, f)
	}
}

// other names a positive factor that is not one.
func other(format string) func(float64) string {
	return func(f float64) string {
		if math.Abs(f-1) <= near {
			return ""
		}
		return between(near, math.Inf(1), format)(f)
	}
}

func square(a *mat.Dense) bool { m, n := a.Dims(); return m == n && m > 1 }

func every(a *mat.Dense, is func(float64) bool) bool {
	rows, _ := a.Dims()
	for i := range rows {
		for _, x := range a.RawRowView(i) {
			if !is(x) {
				return false
			}
		}
	}
	return true
}

func signs(a *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(a)
	out.Apply(func(_, _ int, x float64) float64 {
		if x == 0 {
			return 0
		}
		return math.Copysign(1, x)
	}, out)
	return out
}

// centred takes the mean of its row from every entry.
func centred(a *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(a)
	rows, cols := out.Dims()
	for i := range rows {
		mean := 0.0
		for _, x := range out.RawRowView(i) {
			mean += x / float64(cols)
		}
		for j := range cols {
			out.RawRowView(i)[j] -= mean
		}
	}
	return out
}

// rolled moves every column on.
func rolled(a *mat.Dense, by int) *mat.Dense {
	rows, cols := a.Dims()
	out := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j, x := range a.RawRowView(i) {
			out.RawRowView(i)[(j+by)%cols] = x
		}
	}
	return out
}
