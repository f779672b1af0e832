package spectra

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// quadraticForm sums over all values of few entries.
var quadraticForm = props.Spec{
	Statement: &theory.QuadraticForm,
	Checks:    []props.Check{formVariance, formNormal},
	Along:     &props.Along{Param: "fourth", From: 1, To: 9, Of: []string{"variance"}},
	Try:       &props.Simulation{Run: tryForm},
}.Claim()

// form is a matrix, and the law of xᵀAx as a sum over all values of the entries of x.
type form struct {
	A        *mat.Dense `npy:"A"` // n×n
	Fourth   float64    `npy:"fourth"`
	Terms    float64    `npy:"terms"` // number of values of x
	Mean     float64    `npy:"mean"`
	Variance float64    `npy:"variance"`
}

// Valid names the violated hypothesis.
func (f form) Valid() error {
	if n, m := f.A.Dims(); n != m || !(f.Fourth >= 1 && f.Terms >= 1) {
		return errors.New("the matrix must be square, and the fourth moment and the number of terms at least 1")
	}
	return nil
}

var formVariance = props.Drawn[form, func(f theory.Form, fourth float64) float64]{
	Name:    "variance for any law of the entries",
	Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 30000},
	Regimes: []string{"A not symmetric", "A symmetric", "fourth moment above 3"},
	Draw:    func(t *props.T) form { return drawForm(t, func([]float64) {}) },
	Claim:   theory.Form.Variance,
	Judge: func(r *props.Record, f form, claim func(theory.Form, float64) float64) {
		symmetric := mat.Equal(f.A, f.A.T())
		r.RegimeOf(symmetric, f.Fourth > 3)
		// A product of entries has mean μ₄ at most, in absolute value, and a term some 50 roundings.
		allowed := (f.Terms + 50) * r.Unit() * f.Fourth * math.Max(1, entries(f.A))
		r.WithinScale("E xᵀAx", f.Mean, mat.Trace(f.A), entries(f.A)+1, allowed)
		r.WithinScale("Var xᵀAx", f.Variance, claim(theory.FormOf(f.A), f.Fourth), math.Pow(entries(f.A), 2)+1,
			2*allowed*(1+entries(f.A)))
	},
	Controls: []props.Wrong[form, func(theory.Form, float64) float64]{
		{Name: "an entry that is a copy", Assumption: "independent",
			Draw: func(t *props.T) form { return drawForm(t, func(x []float64) { x[0] = x[len(x)-1] }) }},
		{Name: "mean ½", Assumption: "centred", Draw: func(t *props.T) form {
			return drawForm(t, func(x []float64) { floats.AddConst(0.5, x) })
		}},
		{Name: "mean ½, of the mean", Criterion: "E xᵀAx", As: "mean ½"},
		{Name: "variance 1.21", Assumption: "unit", Draw: func(t *props.T) form {
			return drawForm(t, func(x []float64) { floats.Scale(1.1, x) })
		}},
		{Name: "A not made symmetric", Criterion: "Var xᵀAx", Alter: func(f *form) {
			a := f.A // whose own ‖A‖² equals the one of the symmetric part of its replacement
			f.A = mat.DenseCopyOf(a)
			f.A.Apply(func(i, j int, x float64) float64 {
				if i == j {
					return x
				}
				return math.Sqrt((x*x + a.At(j, i)*a.At(j, i)) / 2)
			}, a)
		}},
		{Name: "the variance of normal entries", Criterion: "Var xᵀAx",
			Instead: func(f theory.Form, _ float64) float64 { return f.Variance(3) }},
		{Name: "the variance of complex entries", Criterion: "Var xᵀAx",
			Instead: func(f theory.Form, fourth float64) float64 { return f.Variance(fourth) - f.Variance(3)/2 }},
	},
}

// entries is the sum of their absolute values.
func entries(a *mat.Dense) float64 { return floats.Norm(a.RawMatrix().Data, 1) }

// drawForm draws A and a law of two values, and sums over all x, each changed.
func drawForm(t *props.T, change func(x []float64)) form {
	n := gen.Dim(t.T, "n", 8)
	f := form{A: gen.Integers(t.Stream("A"), n, n, 3)}
	if rapid.Bool().Draw(t.T, "symmetric") {
		f.A.Add(f.A, mat.DenseCopyOf(f.A.T()))
	}
	p := float64(rapid.IntRange(1, 7).Draw(t.T, "8p")) / 8
	f.Fourth = 1/(p*(1-p)) - 3
	square := 0.0
	overAll(n, twoValues(p), func(x []float64, chance float64) {
		change(x)
		v := valueOf(f.A, x)
		f.Mean += chance * v
		square += chance * v * v
		f.Terms++
	})
	f.Variance = square - f.Mean*f.Mean
	return f
}

func valueOf(a *mat.Dense, x []float64) float64 {
	v := mat.NewVecDense(len(x), x)
	return mat.Inner(v, a, v)
}

// normalForm is a matrix and the cumulants of its form for normal entries, from the second on, and mean and variance on
// the sphere.
type normalForm struct {
	A                     *mat.Dense
	Cumulants             [3]float64
	SphereMean, SphereVar float64
	Terms                 float64
}

// normalClaim holds the closed forms of the values that normalForm holds.
type normalClaim struct {
	cumulant func(f theory.Form, r int) float64
	sphere   func(theory.Form) float64
}

var formNormal = props.Drawn[normalForm, normalClaim]{
	Name:  "normal entries, and the sphere",
	Cases: props.Scale{Quick: 60, Standard: 600, Deep: 10000},
	Draw:  func(t *props.T) normalForm { return drawNormal(t, normalNodes(), 1) },
	Claim: normalClaim{theory.Form.NormalCumulant, theory.Form.OnSphere},
	Judge: func(r *props.Record, f normalForm, c normalClaim) {
		n, _ := f.A.Dims()
		// The mean of a product of entries is at most 3, 15 and 105 for 4, 6 and 8 of them, and the moments enter
		// cumulants with coefficients of sum 2, 6 and 26.
		size := 1 + entries(f.A)
		for k, bound := range []float64{2 * 3, 6 * 15, 26 * 105} {
			name := []string{"second cumulant", "third cumulant", "fourth cumulant"}[k]
			scale := bound * math.Pow(size, float64(k+2))
			r.WithinScale(name, f.Cumulants[k], c.cumulant(theory.FormOf(f.A), k+2), math.Pow(size, float64(k+2)),
				(f.Terms+200)*r.Unit()*scale)
		}
		allowed := (f.Terms + 200) * r.Unit()
		r.WithinScale("mean on the sphere", f.SphereMean, mat.Trace(f.A)/float64(n), size/float64(n), allowed*size)
		r.WithinScale("variance on the sphere", f.SphereVar, c.sphere(theory.FormOf(f.A)), size*size/float64(n*(n+2)),
			6*(f.Terms+200)*r.Unit()*size*size/float64(n*(n+2)))
	},
	Controls: []props.Wrong[normalForm, normalClaim]{
		{Name: "two values", Assumption: "normal", Criterion: "third cumulant",
			Draw: func(t *props.T) normalForm { return drawNormal(t, twoValues(0.5), 1) }},
		{Name: "two values, variance", Criterion: "second cumulant", As: "two values"},
		{Name: "two values, fourth cumulant", Criterion: "fourth cumulant", As: "two values"},
		{Name: "a point in the ball", Assumption: "sphere", Criterion: "variance on the sphere",
			Draw: func(t *props.T) normalForm { return drawNormal(t, normalNodes(), 1.3) }},
		{Name: "a point in the ball, of the mean", Criterion: "mean on the sphere", As: "a point in the ball"},
		{Name: "the trace not subtracted", Criterion: "variance on the sphere", Instead: normalClaim{
			sphere: func(f theory.Form) float64 { return f.Variance(3) / float64(f.N*(f.N+2)) }}},
		{Name: "normal entries of variance 1/n", Criterion: "variance on the sphere", Instead: normalClaim{
			sphere: func(f theory.Form) float64 { return f.Variance(3) / float64(f.N*f.N) }}},
		{Name: "r! for (r−1)!", Criterion: "fourth cumulant", Instead: normalClaim{
			cumulant: func(f theory.Form, r int) float64 { return f.NormalCumulant(r) * float64(r) }}},
	},
}

// drawNormal sums over entries that take the values of a law, and over points of a sphere of that radius.
func drawNormal(t *props.T, entry law, radius float64) normalForm {
	n := gen.Dim(t.T, "n", 5)
	f := normalForm{A: gen.Integers(t.Stream("A"), n, n, 3)}
	var m [5]float64
	overAll(n, entry, func(x []float64, chance float64) {
		for k := range m {
			m[k] += chance * math.Pow(valueOf(f.A, x), float64(k))
		}
		f.Terms++
	})
	f.Cumulants = [3]float64{m[2] - m[1]*m[1], m[3] - 3*m[2]*m[1] + 2*math.Pow(m[1], 3),
		m[4] - 4*m[3]*m[1] - 3*m[2]*m[2] + 12*m[2]*m[1]*m[1] - 6*math.Pow(m[1], 4)}
	mean, square := 0.0, 0.0
	onSphere(make([]float64, 0, n), n, radius, 1, func(u []float64, chance float64) {
		v := valueOf(f.A, u)
		mean += chance * v
		square += chance * v * v
	})
	f.SphereMean, f.SphereVar = mean, square-mean*mean
	return f
}

// onSphere visits nodes on a sphere in n dimensions, whose means are exact for polynomials of degree 5. On the unit
// sphere a coordinate has E c² = 1/n and E c⁴ = 3/(n(n+2)), as it has with the three nodes below, and the others are a
// point of the sphere of what is left of the length.
func onSphere(u []float64, n int, radius, chance float64, visit func(u []float64, chance float64)) {
	left := float64(n - len(u))
	if left == 0 {
		visit(u, chance)
		return
	}
	node, edge := math.Sqrt(3/(left+2)), (left+2)/(6*left)
	for _, side := range []float64{-1, 0, 1} {
		weight := edge
		if side == 0 {
			weight = 1 - 2*edge
		}
		onSphere(append(u, side*node*radius), n, radius*math.Sqrt(max(0, 1-side*side*node*node)), chance*weight, visit)
	}
}

// tryForm draws 4000 points for the matrix of a on the diagonal and b off it.
func tryForm(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, p := v.Int("n"), (1+math.Sqrt(1-4/(v.Float("fourth")+3)))/2
	t.Need(n <= 1000, "n = %d is more than can be drawn here; take at most 1000", n)
	entry := twoValues(p)
	value := func(x []float64) float64 {
		sum, square := floats.Sum(x), floats.Dot(x, x)
		return v.Float("a")*square + v.Float("b")*(sum*sum-square)
	}
	iid, sphere := make([]float64, 4000), make([]float64, 4000)
	for k := range iid {
		x, g := make([]float64, n), make([]float64, n)
		for i := range x {
			g[i], x[i] = t.Rand.NormFloat64(), entry.Values[1]
			if t.Rand.Float64() < p {
				x[i] = entry.Values[0]
			}
		}
		floats.Scale(1/floats.Norm(g, 2), g)
		iid[k], sphere[k] = value(x), value(g)
	}
	mean, variance := stat.MeanVariance(iid, nil)
	return map[string]float64{"mean": mean, "variance": variance, "sphere": stat.Variance(sphere, nil)}, nil
}
