package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// linearCell is a linear network of so many layers on its way to a teacher.
type linearCell struct{ Depth, Network int }

// spectra are the eigenvalues of W₁ᵀW₁ and of AGOP after training, and how far rounding and the method of integration may have
// moved those of AGOP.
type spectra struct {
	gram, agop []float64 // descending
	beyond     []float64 // absolute errors of agop
	imbalance  float64   // ‖W_{l+1}ᵀW_{l+1} − W_lW_lᵀ‖, the largest
	allowed    float64   // what the method of integration may leave of it
	message    string    // why there is no result
}

// ansatzExponent fits the exponent between the eigenvalues of W₁ᵀW₁ and AGOP.
func ansatzExponent(v ansatzTrial) props.LegacyCheck {
	share := ""
	if !v.unbalanced && !v.euler {
		share = "flows"
	}
	return props.LegacySweep[linearCell, spectra]{
		Name:  "exponent of balanced linear networks",
		Share: share,
		Cells: func(e props.Effort) []linearCell {
			var cells []linearCell
			for _, depth := range []int{2, 3, 4} {
				for k := range (props.Scale{Quick: 3, Standard: 10, Deep: 200}).At(e) {
					cells = append(cells, linearCell{depth, k})
				}
			}
			return cells
		},
		Measure: func(t *props.Trial, c linearCell) spectra { return v.flow(t.Rand, c.Depth) },
		Judge:   v.judgeExponent,
	}.Check()
}

// flow trains a network of 5×5 layers towards a teacher with singular values 3 … 0.5, by gradient flow to time 2.
func (v ansatzTrial) flow(r *rand.Rand, depth int) spectra {
	const n = 5
	start, teacher := balancedStart(r, n, depth)
	if v.unbalanced {
		start[0].Scale(1.5, start[0])
	}
	fine, coarse := integrate(start, teacher, 1./64), integrate(start, teacher, 1./32)
	// By the method's fourth order the fine imbalance is a sixteenth of the coarse one; the rounding of 128 steps of a few
	// products of layers of size one is added.
	allowed := math.Abs(imbalance(coarse)-imbalance(fine)) + 128*8*n*0x1p-53
	if v.euler {
		fine = descendLinear(start, teacher, 0.05)
	}
	out := spectra{imbalance: imbalance(fine), allowed: allowed}
	var err error
	if out.gram, out.agop, out.beyond, err = eigenvalues(fine, allowed); err != nil {
		out.message = err.Error()
	}
	return out
}

// balancedStart draws a teacher and layers that are multiples of orthogonal matrices, whose product is a scaled rotation
// not far from the teacher's orthogonal factor: a determinant of the wrong sign would lead the flow into a saddle.
func balancedStart(r *rand.Rand, n, depth int) (layers []*mat.Dense, teacher *mat.Dense) {
	u, w := gen.Orthonormal(r, n, n), gen.Orthonormal(r, n, n)
	var us, factor mat.Dense
	us.CloneFrom(u)
	for j := range n {
		gain := 3 * math.Pow(0.5/3, float64(j)/float64(n-1))
		for i := range n {
			us.Set(i, j, us.At(i, j)*gain)
		}
	}
	teacher = new(mat.Dense)
	teacher.Mul(&us, w.T())
	factor.Mul(u, w.T())
	rest := mat.DenseCopyOf(&factor)
	rest.Mul(mat.DenseCopyOf(rest), smallRotation(r, n))
	for range depth - 1 {
		q := gen.Orthonormal(r, n, n)
		layers = append(layers, q)
		rest.Mul(mat.DenseCopyOf(rest), q.T())
	}
	layers = append(layers, rest)
	for _, l := range layers {
		l.Scale(math.Pow(0.5, 1/float64(depth)), l)
	}
	return layers, teacher
}

// smallRotation is the orthogonal factor of I + G/5 for a Gaussian G, with the signs that bring it close to I.
func smallRotation(r *rand.Rand, n int) *mat.Dense {
	near := gen.Gaussian(r, n, n, 0.2)
	for i := range n {
		near.Set(i, i, near.At(i, i)+1)
	}
	var qr mat.QR
	var q, upper mat.Dense
	qr.Factorize(near)
	qr.QTo(&q)
	qr.RTo(&upper)
	for j := range n {
		if upper.At(j, j) < 0 {
			for i := range n {
				q.Set(i, j, -q.At(i, j))
			}
		}
	}
	return &q
}

// integrate follows the gradient flow of ½‖W_L⋯W₁ − T‖² to time 2 by the classical Runge–Kutta method.
func integrate(start []*mat.Dense, teacher *mat.Dense, step float64) []*mat.Dense {
	w := copies(start)
	for range int(2 / step) {
		k1 := linearGradient(w, teacher)
		k2 := linearGradient(moved(w, -step/2, k1), teacher)
		k3 := linearGradient(moved(w, -step/2, k2), teacher)
		k4 := linearGradient(moved(w, -step, k3), teacher)
		for i, k := range [][]*mat.Dense{k1, k2, k3, k4} {
			w = moved(w, -step*[]float64{1. / 6, 1. / 3, 1. / 3, 1. / 6}[i], k)
		}
	}
	return w
}

// descendLinear takes plain gradient steps to time 2.
func descendLinear(start []*mat.Dense, teacher *mat.Dense, step float64) []*mat.Dense {
	w := copies(start)
	for range int(2 / step) {
		w = moved(w, -step, linearGradient(w, teacher))
	}
	return w
}

func copies(layers []*mat.Dense) []*mat.Dense {
	out := make([]*mat.Dense, len(layers))
	for l, w := range layers {
		out[l] = mat.DenseCopyOf(w)
	}
	return out
}

// moved returns w + step·by.
func moved(w []*mat.Dense, step float64, by []*mat.Dense) []*mat.Dense {
	out := make([]*mat.Dense, len(w))
	for l := range w {
		out[l] = new(mat.Dense)
		out[l].Scale(step, by[l])
		out[l].Add(out[l], w[l])
	}
	return out
}

// linearGradient returns ∂/∂W_l = (W_L⋯W_{l+1})ᵀ(W_L⋯W₁ − T)(W_{l−1}⋯W₁)ᵀ for every layer.
func linearGradient(w []*mat.Dense, teacher *mat.Dense) []*mat.Dense {
	before := []*mat.Dense{nil} // before[l] = W_{l−1}⋯W₁ of the l layers below; nil for none
	for _, layer := range w {
		before = append(before, times(layer, before[len(before)-1]))
	}
	var back mat.Dense
	back.Sub(before[len(w)], teacher)
	grads, g := make([]*mat.Dense, len(w)), &back
	for l := len(w) - 1; l >= 0; l-- {
		grads[l] = g
		if before[l] != nil {
			grads[l] = new(mat.Dense)
			grads[l].Mul(g, before[l].T())
		}
		next := new(mat.Dense)
		next.Mul(w[l].T(), g)
		g = next
	}
	return grads
}

// times is a·b, and a when there is no b.
func times(a, b *mat.Dense) *mat.Dense {
	if b == nil {
		return a
	}
	var c mat.Dense
	c.Mul(a, b)
	return &c
}

// imbalance is the largest ‖W_{l+1}ᵀW_{l+1} − W_lW_lᵀ‖_F.
func imbalance(w []*mat.Dense) float64 {
	largest := 0.0
	for l := range len(w) - 1 {
		var above, below mat.Dense
		above.Mul(w[l+1].T(), w[l+1])
		below.Mul(w[l], w[l].T())
		above.Sub(&above, &below)
		largest = max(largest, mat.Norm(&above, 2))
	}
	return largest
}

// eigenvalues returns those of W₁ᵀW₁ and of AGOP, and by how much an imbalance of delta may have moved the latter.
func eigenvalues(w []*mat.Dense, delta float64) (gram, agop, beyond []float64, err error) {
	smallest, largest := math.Inf(1), 0.0
	var first []float64
	var product *mat.Dense
	for l, layer := range w {
		values, err := linalg.SingularValues(layer)
		if err != nil {
			return nil, nil, nil, err
		}
		if l == 0 {
			first = values
		}
		smallest, largest = min(smallest, values[len(values)-1]), max(largest, values[0])
		product = times(layer, product)
	}
	whole, err := linalg.SingularValues(product)
	if err != nil {
		return nil, nil, nil, err
	}
	effect := theory.ImbalanceEffect(len(w), delta, smallest*smallest, largest*largest)
	for k := range whole {
		gram, agop = append(gram, first[k]*first[k]), append(agop, whole[k]*whole[k])
		beyond = append(beyond, agop[k]*effect)
	}
	return gram, agop, beyond, nil
}

// exponent is the exponent that the version on trial claims.
func (v ansatzTrial) exponent(depth int) float64 {
	switch {
	case v.exponentOne:
		return 1
	case v.deeper:
		depth++
	}
	return theory.Balanced{Depth: depth, Gain: 1}.Exponent() + v.dose
}

// judgeExponent fits the slope of log AGOP against log Gram, whose reciprocal is the exponent.
func (v ansatzTrial) judgeExponent(cells []linearCell, all []spectra) props.Judgement {
	balance, ratio := props.Ratio{}, props.Ratio{}
	fitted, count := map[int]float64{}, map[int]float64{}
	curves := map[int]props.Curve{}
	for i, c := range cells {
		s := all[i]
		if s.message != "" {
			panic("vcl: " + s.message)
		}
		slope, allowed := logSlope(s.gram, s.agop, s.beyond)
		balance = props.Worst(balance, props.Within(s.imbalance, s.allowed))
		ratio = props.Worst(ratio, props.Within(slope-1/v.exponent(c.Depth), allowed))
		fitted[c.Depth] += 1 / slope
		count[c.Depth]++
		curves[c.Depth] = props.Curve{Name: fmt.Sprintf("%d layers", c.Depth), Style: props.Points, X: s.agop, Y: s.gram}
	}
	j := props.Judgement{Parts: []props.Part{{Name: "balance kept", Ratio: balance}, {Name: "exponent", Ratio: ratio}}}
	figure := props.Figure{
		ID:    "exponent",
		Title: "Eigenvalues of W₁ᵀW₁ against those of AGOP",
		Caption: "One balanced linear network each with 2, 3 and 4 layers after gradient flow to time 2, on logarithmic axes: the points lie on " +
			"lines of slope 1/2, 1/3 and 1/4.",
		X: props.Axis{Label: "eigenvalue of AGOP", Log: true}, Y: props.Axis{Label: "eigenvalue of W₁ᵀW₁", Log: true},
	}
	for _, depth := range []int{2, 3, 4} {
		mean, claimed := fitted[depth]/count[depth], v.exponent(depth)
		j.Facts = append(j.Facts, props.Noted(fmt.Sprintf("mean exponent with %d layers", depth), mean, claimed))
		line := props.Curve{Name: fmt.Sprintf("slope 1/%d", depth), Style: props.Dashed, X: curves[depth].X}
		for _, x := range line.X {
			line.Y = append(line.Y, math.Pow(x, 1/float64(depth)))
		}
		figure.Curves = append(figure.Curves, curves[depth], line)
		j.Counterexample += fmt.Sprintf("%d layers: fitted exponent %.6g, claimed %.6g\n", depth, mean, claimed)
	}
	j.Figures = []props.Figure{figure}
	return j
}
