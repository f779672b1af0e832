package risk

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// vector is a function of z = β⋆ᵀx and of û = βᵀx/|β|, as its values at the nodes, with its linear part a z + b û and
// the variance of a part that is independent of both.
type vector struct {
	values []float64
	a, b   float64
	extra  float64
}

// population are the scalar products that samples and networks have in the limit, by Gauss and Hermite's quadrature
// in both variables with nodes for degree 15. F₀'s own left vectors are |x|²/d − 1, which is independent of z and û in
// the limit and has the variance 2/d, and 1.
func population(r theory.Risk) (theory.Forms, error) {
	f, c2 := r.Features(), r.Activation.Coefficient(2)
	z, u := grid(f.Alignment())
	width := max(r.Width, 1)
	dim := r.Psi * width
	vectors := []vector{{values: network.Map(z, func(z float64) float64 { return series(r.Teacher.Coefficients, z) }),
		a: r.Teacher.Coefficient(1), extra: r.Teacher.Noise}}
	var powers []int // of a in right vectors
	if c2 != 0 {
		vectors, powers = append(vectors, vector{values: constant(0), extra: 2 * c2 * c2 / dim}), append(powers, 0)
		if r.GaussianRows {
			vectors, powers = append(vectors, vector{values: constant(c2)}), append(powers, -1)
		}
	}
	for k := 1; k <= r.Terms; k++ {
		left, size := f.Left(k), 1.0
		if !slices.ContainsFunc(left, func(q float64) bool { return q != 0 }) {
			continue
		}
		if !math.IsInf(r.Eta, 1) {
			size, powers = math.Pow(r.Eta, float64(k)), append(powers, k)
		}
		v := vector{values: network.Map(u, func(u float64) float64 { return size * polynomial(left, f.Length()*u) })}
		v.b = mean(v.values, u)
		vectors = append(vectors, v)
	}
	if r.Intercept {
		vectors = append(vectors, vector{values: constant(1)})
	}
	penalty, err := theory.Penalty(outputs(powers, width, dim), len(vectors)-1)
	out := theory.Forms{Penalty: penalty}
	out.Linear, out.Rest = products(vectors, z, u, f.Alignment())
	return out, err
}

// products are the scalar products of linear parts and of rests.
func products(vectors []vector, z, u []float64, rho float64) (linear, rest *mat.SymDense) {
	linear, rest = mat.NewSymDense(len(vectors), nil), mat.NewSymDense(len(vectors), nil)
	for i, v := range vectors {
		floats.AddScaled(v.values, -v.a, z)
		floats.AddScaled(v.values, -v.b, u)
		for j, w := range vectors[:i+1] {
			linear.SetSym(i, j, v.a*w.a+v.b*w.b+rho*(v.a*w.b+v.b*w.a))
			rest.SetSym(i, j, mean(v.values, w.values))
		}
		rest.SetSym(i, i, rest.At(i, i)+v.extra)
	}
	return linear, rest
}

// outputs are the scalar products of powers of a with independent N(0, 1/N) entries in the limit; the power −1 is
// |w|² − 1 of Gaussian rows, which has mean 0 and variance 2/d. There are none when no term has a penalty.
func outputs(powers []int, width, dim float64) *mat.SymDense {
	if len(powers) == 0 {
		return nil
	}
	out := mat.NewSymDense(len(powers), nil)
	for i, p := range powers {
		for j, q := range powers[:i+1] {
			switch k := p + q; {
			case p < 0 && q < 0:
				out.SetSym(i, j, 2*width/dim)
			case p >= 0 && q >= 0 && k%2 == 0:
				out.SetSym(i, j, width*hermite.DoubleFactorial(k-1)*math.Pow(width, -float64(k)/2))
			}
		}
	}
	return out
}

// points is the number of nodes of a variable.
const points = 8

// nodes and weights hold the rule of Gauss and Hermite for a standard normal variable.
var nodes, weights = func() (x, w []float64) {
	x, w = make([]float64, points), make([]float64, points)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	floats.Scale(math.Sqrt2, x)
	floats.Scale(1/math.SqrtPi, w)
	return x, w
}()

// grid are z and û at all pairs of nodes, with the correlation ρ.
func grid(rho float64) (z, u []float64) {
	for _, x := range nodes {
		for _, y := range nodes {
			z, u = append(z, rho*x+math.Sqrt(1-rho*rho)*y), append(u, x)
		}
	}
	return z, u
}

func constant(c float64) []float64 {
	out := make([]float64, points*points)
	floats.AddConst(c, out)
	return out
}

// mean returns the mean of the product of two functions.
func mean(f, g []float64) float64 {
	sum := 0.0
	for i := range f {
		sum += weights[i/points] * weights[i%points] * f[i] * g[i]
	}
	return sum
}

// series is Σ c[k]Hₖ(z).
func series(c []float64, z float64) float64 {
	sum := 0.0
	for k, x := range c {
		sum += x * hermite.Polynomial(k, z)
	}
	return sum
}

// polynomial is Σ c[k]uᵏ.
func polynomial(c []float64, u float64) float64 {
	sum := 0.0
	for k := len(c) - 1; k >= 0; k-- {
		sum = sum*u + c[k]
	}
	return sum
}

// risks is the regression with several terms.
func (in instance) risks() theory.Risk {
	r := in.risk([]int{3, 2, 2, 3}[in.Kind])
	switch in.Kind {
	case 1:
		r.Intercept = true
	case 2:
		r.Eta, r.Width = in.Eta, 1000
	case 3:
		r.Eta, r.Width, r.Trained, r.GaussianRows = in.Eta, 1000, true, true
	}
	return r
}

// solveMoments solves it twice: by the closed forms and by quadrature.
func (in *instance) solveMoments() {
	r := in.risks()
	in.several = teachers.Solved(r)
	forms, err := population(r)
	if err == nil {
		in.moments, err = forms.Errors(r.Lambda, in.several.Resolvent)
	}
	if err != nil {
		in.moments.Objective = math.NaN()
	}
}

// judgeMoments compares the errors with several terms with the minimum of the quadratic form of these scalar products.
// Regressions on samples are compared with the same minimum for the scalar products of the samples.
func (in instance) judgeMoments(r *props.Record, c formsClaim) {
	want := c.several(in)
	energy, v := in.risk(0).Teacher.Energy(), in.several.Resolvent
	for _, pair := range [][3]float64{{in.moments.Objective, want.Objective, in.Lambda * v.All},
		{in.moments.Test, want.Test, v.Noise()}} {
		r.WithinScale(moments, pair[0], pair[1], pair[2]*energy, 2048*r.Unit()*pair[2]*energy*(1+in.condition()))
	}
}
