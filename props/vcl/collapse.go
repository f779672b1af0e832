package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// collapse pairs the maximum with collapsed features, with features on their way there, and with ridge regressions on them.
var collapse = props.Claim{
	Statement: &theory.Collapse,
	Verify: []props.LegacyCheck{
		collapseAttained(collapseTrial{}),
		collapseRemainder(collapseTrial{}),
		collapseLinear(collapseTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "features a thousandth apart within a class", Assumption: "nc1", Check: collapseAttained(collapseTrial{spread: true})},
		{Name: "orthogonal class means", Assumption: "nc2", Check: collapseAttained(collapseTrial{orthogonal: true})},
		{Name: "one-hot targets", Assumption: "centred", Check: collapseAttained(collapseTrial{uncentred: true})},
		{Name: "spectral norm of G in the bound", Check: collapseRemainder(collapseTrial{spectral: true})},
		{Name: "one class twice as large, target linearity", Assumption: "balanced", Check: collapseLinear(collapseTrial{unbalanced: true})},
		{Name: "orthogonal class means, target linearity", Assumption: "nc2", Check: collapseLinear(collapseTrial{orthogonal: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the largest similarity", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return collapseAttained(collapseTrial{dose: dose}) }},
		{Of: "what is missing from it", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return collapseRemainder(collapseTrial{dose: dose}) }},
		{Of: "the rest of the target linearity", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return collapseLinear(collapseTrial{dose: dose}) }},
	},
}

// collapseTrial is the version of the claim on trial. The zero value is the claim itself.
type collapseTrial struct {
	dose       float64 // similarity, what is missing, and 1−T times 1+dose
	spread     bool
	orthogonal bool
	unbalanced bool
	uncentred  bool
	spectral   bool
}

// collapsed are features of a simplex with their targets.
type collapsed struct {
	theory.Simplex
	h *mat.Dense // d×N
	y *mat.Dense // N×K
}

// features builds collapsed features in d dimensions, d at least the number of classes, as the version on trial has them.
func (v collapseTrial) features(r *rand.Rand, s theory.Simplex, d int) collapsed {
	k := s.Classes
	means, squared := gen.Orthonormal(r, d, k), 1.0
	if !v.orthogonal {
		means, squared = centred(means), float64(k-1)/float64(k)
	}
	means.Scale(math.Sqrt(s.Length/squared), means)
	var of []int
	for class := range k {
		size := s.Size
		if v.unbalanced && class == 0 {
			size *= 2
		}
		for range size {
			of = append(of, class)
		}
	}
	c := collapsed{s, mat.NewDense(d, len(of), nil), mat.NewDense(len(of), k, nil)}
	for i, class := range of {
		c.h.SetCol(i, mat.Col(nil, class, means))
		for j := range k {
			if !v.uncentred {
				c.y.Set(i, j, -1/float64(k))
			}
		}
		c.y.Set(i, class, c.y.At(i, class)+1)
	}
	if v.spread {
		noise := gen.Gaussian(r, d, len(of), 1e-3*math.Sqrt(s.Length))
		c.h.Add(c.h, noise)
	}
	return c
}

// similar is S(G) with the norms that bound it.
type similar struct {
	similarity    float64
	gram, targets float64 // ‖G‖_F, ‖YYᵀ‖_F
	apart         float64 // ‖G/‖G‖ − YYᵀ/‖YYᵀ‖‖²
	spectral      float64 // ‖G‖₂
	rounding      float64
}

// similarity is S(G) = ‖HY‖², which does not form G.
func (c collapsed) similarity() similar {
	var hy, gram, targets mat.Dense
	hy.Mul(c.h, c.y)
	gram.Mul(c.h.T(), c.h)
	targets.Mul(c.y, c.y.T())
	s := similar{similarity: math.Pow(mat.Norm(&hy, 2), 2), gram: mat.Norm(&gram, 2), targets: mat.Norm(&targets, 2)}
	values, err := linalg.SingularValues(c.h)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	s.spectral = values[0] * values[0]
	n, k := c.y.Dims()
	s.rounding = float64(2*n+k+16) * 0x1p-53 * s.gram * s.targets
	gram.Scale(1/s.gram, &gram)
	targets.Scale(1/s.targets, &targets)
	s.apart = distance(&gram, &targets)
	return s
}

// drawSimplex draws sizes of a simplex and the dimension of its features.
func drawSimplex(t *props.T) (theory.Simplex, int) {
	s := theory.Simplex{Classes: 1 + gen.Dim(t.T, "K−1", 5), Size: gen.Dim(t.T, "N/K", 5), Length: gen.Scale(t.T, "a", 0.1, 10)}
	return s, s.Classes - 1 + gen.Dim(t.T, "d−K+1", 5)
}

// collapseAttained is that collapsed features have the largest similarity for their norm, and the numbers of the closed form.
func collapseAttained(v collapseTrial) props.LegacyCheck {
	return props.Property{
		Name:  "largest similarity",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			simplex, d := drawSimplex(t)
			c := v.features(t.Stream("features"), simplex, d)
			s := c.similarity()
			t.Show("H", c.h)
			t.Show("Y", c.y)
			t.Show("S, and ‖G‖‖YYᵀ‖", []float64{s.similarity, s.gram * s.targets})
			attained := props.Within((1+v.dose)*s.gram*s.targets-s.similarity, s.rounding)
			if v != (collapseTrial{dose: v.dose}) { // the closed form speaks about collapsed features only
				return attained
			}
			return props.Worst(attained,
				props.Within(c.TargetNorm()-s.targets, s.rounding/s.gram),
				props.Within(c.Gram()-s.gram, s.rounding/s.targets),
				props.Within((1+v.dose)*c.Similarity()-s.similarity, s.rounding),
				props.Within(c.Uncentred()-uncentredShare(c), 2*s.rounding/(s.gram*s.targets)))
		},
	}.Check()
}

// uncentredShare is S(G)/(‖G‖‖YYᵀ‖) for one-hot targets.
func uncentredShare(c collapsed) float64 {
	n, k := c.y.Dims()
	hot := collapsed{c.Simplex, c.h, mat.NewDense(n, k, nil)}
	hot.y.Apply(func(i, j int, _ float64) float64 { return c.y.At(i, j) + 1/float64(k) }, hot.y)
	s := hot.similarity()
	return s.similarity / (s.gram * s.targets)
}

// approach is one set of features on the way from noise to collapse.
type approach struct {
	noise []float64
	seen  []similar
}

// collapseRemainder is the bound and what is missing from it, for collapsed features under noise of 2⁻⁶ … 2³ times their length.
func collapseRemainder(v collapseTrial) props.LegacyCheck {
	return props.LegacySweep[int, approach]{
		Name:  "what is missing",
		Share: "approaches",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 12, Standard: 60, Deep: 2000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) approach {
			s := theory.Simplex{Classes: 2 + cell%4, Size: 3, Length: 1}
			d := s.Classes + 3
			c := collapseTrial{}.features(t.Rand, s, d)
			_, n := c.h.Dims()
			noise := gen.Gaussian(t.Rand, d, n, 1/math.Sqrt(float64(d)))
			var a approach
			for e := -6; e <= 3; e++ {
				var by, h mat.Dense
				by.Scale(math.Ldexp(1, e), noise)
				h.Add(c.h, &by)
				a.noise, a.seen = append(a.noise, math.Ldexp(1, e)), append(a.seen, collapsed{s, &h, c.y}.similarity())
			}
			return a
		},
		Judge: func(_ []int, all []approach) props.Judgement { return v.judge(all) },
	}.Check()
}

func (v collapseTrial) judge(all []approach) props.Judgement {
	bound, exact, curves := props.Ratio{}, props.Ratio{}, []props.Curve{}
	for i, a := range all {
		measured := props.Curve{Name: fmt.Sprintf("%d classes", 2+i%4), Style: props.Points, X: a.noise}
		formula := props.Curve{Name: fmt.Sprintf("formula, %d classes", 2+i%4), Style: props.Dashed, X: a.noise}
		for _, s := range a.seen {
			norm, missing := s.gram, (1+v.dose)*s.apart/2
			if v.spectral {
				norm = s.spectral
			}
			bound = props.Worst(bound, props.AtMost(s.similarity, norm*s.targets, s.rounding))
			exact = props.Worst(exact, props.Within(s.gram*s.targets*(1-missing)-s.similarity, 4*s.rounding))
			measured.Y, formula.Y = append(measured.Y, s.similarity/(s.gram*s.targets)), append(formula.Y, 1-missing)
		}
		if i < 4 {
			curves = append(curves, measured, formula)
		}
	}
	return props.Judgement{
		Parts: []props.Part{{Name: "bound", Ratio: bound}, {Name: "what is missing", Ratio: exact}},
		Figures: []props.Figure{{
			ID:    "noise",
			Title: "Similarity of features on the way to collapse",
			Caption: "Similarity of targets and Gram matrix over its bound, for collapsed features under noise, against the size of the noise on a logarithmic axis: " +
				"the points lie on one minus half of the squared distance of the two matrices, and reach one as the noise vanishes.",
			X: props.Axis{Label: "noise over length of the class means", Log: true}, Y: props.Axis{Label: "S(G)/(‖G‖‖YYᵀ‖)"}, Curves: curves,
		}},
	}
}

// collapseLinear is the target linearity of ridge regressions on collapsed features, with vcl/linearity's rounding.
func collapseLinear(v collapseTrial) props.LegacyCheck {
	return props.Property{
		Name:  "target linearity of collapsed features",
		Cases: props.Scale{Quick: 100, Standard: 500, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			simplex, d := drawSimplex(t)
			c := v.features(t.Stream("features"), simplex, d)
			lambda := gen.Scale(t.T, "λ", 0.1, 10)
			n, k := c.y.Dims()
			rest, whole := 0.0, 0.0
			for j := range k {
				y := mat.Col(nil, j, c.y)
				fitted, err := features.Ridge(c.h, y, lambda)
				if err != nil {
					t.Show("error", err)
					return props.Truth(false)
				}
				rest += math.Pow(floats.Distance(y, fitted, 2), 2)
				whole += floats.Dot(y, y)
			}
			top := math.Pow(mat.Norm(c.h, 2), 2)
			t.Show("H", c.h)
			t.Show("λ", lambda)
			t.Show("T, measured and claimed", []float64{1 - rest/whole, c.Linearity(lambda)})
			slack := float64(8*d*d+4*n+40) * 0x1p-53 * (1 + top/lambda)
			return props.Within(rest/whole-(1+v.dose)*(1-c.Linearity(lambda)), slack)
		},
	}.Check()
}
