package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// procrustesGap turns a solution at random and compares what that costs with the gap formula. Squared distances and a nuclear
// norm are sums over at most max(m, n)² products of entries of W and W₊ and singular values of one: 100·max(m, n)·u(‖W‖+‖W₊‖)².
func procrustesGap(v procrustesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "gap of a turned solution",
		Cases: props.Scale{Quick: 150, Standard: 400, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			p := v.draw(t)
			next, _, err := procrustesTrial{}.solve(p)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			m, _ := next.Dims()
			var turned mat.Dense
			turned.Mul(gen.Orthonormal(t.Stream("rotation"), m, m), next)
			excess, gap := distance(&turned, p.W)-distance(next, p.W), (1+v.dose)*theory.Gap(&turned, p.W)
			t.Show("excess over the solution, and the formula", []float64{excess, gap})
			unit := math.Pow(mat.Norm(next, 2)+mat.Norm(p.W, 2), 2)
			return props.Within(excess-gap, 100*float64(largest(p.W))*0x1p-53*unit)
		},
	}.Check()
}

// procrustesSecond is that a W which has lost a direction of the target has more than one solution: W₊ mirrored in the column space of
// W has the same Gram matrix, certificate and distance. For W of full rank that space holds W₊, and the mirror does nothing;
// that nothing else is a solution there is the gap formula, which vanishes for symmetric positive semidefinite W′Wᵀ only.
func procrustesSecond(v procrustesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "a second solution where rank(WGWᵀ) < rank G",
		Cases: props.Scale{Quick: 60, Standard: 200, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			p := v.draw(t)
			next, target, err := procrustesTrial{}.solve(p)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			space, _, _, err := linalg.SVD(p.W, mat.SVDThin)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			m, _ := next.Dims()
			space = mat.DenseCopyOf(space.Slice(0, m, 0, rank(p.W)))
			other := new(mat.Dense)
			other.Product(space, space.T(), next)
			other.Scale(2, other)
			other.Sub(other, next)
			t.Show("one solution", next)
			t.Show("the other", other)
			return props.Worst(
				props.Truth(math.Sqrt(distance(other, next)) > 1e-9*mat.Norm(next, 2)), // far above the rounding of a solution
				meetsGram(other, target), certified(other, p.W),
				props.Within(distance(other, p.W)-distance(next, p.W), 100*float64(largest(p.W))*0x1p-53*math.Pow(mat.Norm(next, 2)+mat.Norm(p.W, 2), 2)),
			)
		},
	}.Check()
}

// turnedCosts is what turning the solution of one layer by ever larger angles costs.
type turnedCosts struct{ angles, excess, formula, rounding []float64 }

// procrustesCurve turns solutions along a geodesic of rotations and compares with the formula at every angle: a solution
// is a minimum, so the excess is of second order in the angle.
func procrustesCurve(v procrustesTrial) props.LegacyCheck {
	return props.LegacySweep[int, turnedCosts]{
		Name:  "excess along rotations",
		Cells: func(e props.Effort) []int { return props.Indices(props.Scale{Quick: 4, Standard: 12, Deep: 100}.At(e)) },
		Measure: func(t *props.Trial, _ int) turnedCosts {
			return turnAlong(t.Rand)
		},
		Judge: func(_ []int, all []turnedCosts) props.Judgement {
			ratio := props.Ratio{}
			for _, c := range all {
				for k := range c.angles {
					ratio = props.Worst(ratio, props.Within(c.excess[k]-(1+v.dose)*c.formula[k], c.rounding[k]))
				}
			}
			c := all[0]
			return props.Judgement{
				Parts: []props.Part{{Name: "excess along rotations", Ratio: ratio}},
				Figures: []props.Figure{{
					ID:    "gap",
					Title: "What a turned solution misses",
					Caption: "Excess of the squared distance over its minimum when the solution of a 6×9 layer is turned by an angle in a random plane, on " +
						"logarithmic axes: the measured points lie on 2(‖W′Wᵀ‖_* − tr W′Wᵀ) and begin with the square of the angle.",
					X: props.Axis{Label: "angle", Log: true}, Y: props.Axis{Label: "excess of ‖W′ − W‖²", Log: true},
					Curves: []props.Curve{
						{Name: "measured", Style: props.Points, X: c.angles, Y: c.excess},
						{Name: "formula", Style: props.Dashed, X: c.angles, Y: c.formula},
					},
				}},
			}
		},
	}.Check()
}

// turnAlong turns the solution of a 6×9 layer by 2⁻⁸ … 2⁰ in the plane of two random directions.
func turnAlong(r *rand.Rand) turnedCosts {
	const m, n, batch = 6, 9, 4
	p := routes.Problem{W: gen.Gaussian(r, m, n, 1/math.Sqrt(n)), Gamma: gen.Gaussian(r, m, batch, 1), H: gen.Gaussian(r, n, batch, 1), Rate: 0.1}
	next, _, err := procrustesTrial{}.solve(p)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	plane := gen.Orthonormal(r, m, 2)
	var c turnedCosts
	for e := -8; e <= 0; e++ {
		angle := math.Ldexp(1, e)
		sin, cos := math.Sincos(angle)
		inPlane := mat.NewDense(2, 2, []float64{cos - 1, -sin, sin, cos - 1})
		var turn, turned mat.Dense
		turn.Product(plane, inPlane, plane.T(), next)
		turned.Add(next, &turn)
		unit := math.Pow(mat.Norm(next, 2)+mat.Norm(p.W, 2), 2)
		c.angles = append(c.angles, angle)
		c.excess = append(c.excess, distance(&turned, p.W)-distance(next, p.W))
		c.formula = append(c.formula, theory.Gap(&turned, p.W))
		c.rounding = append(c.rounding, 100*n*0x1p-53*unit)
	}
	return c
}

// procrustesSpectral asks whether the solution is nearest in the spectral norm too, among rotations of a grid of angles.
func procrustesSpectral() props.LegacyCheck {
	return props.Property{
		Name:  "nearest in the spectral norm",
		Cases: props.Scale{Quick: 20, Standard: 40, Deep: 500},
		Prop: func(t *props.T) props.Ratio {
			r := t.Stream("entries")
			p := routes.Problem{W: gen.Gaussian(r, 2, 2, 1), Gamma: gen.Gaussian(r, 2, 2, 1), H: gen.Gaussian(r, 2, 2, 1),
				Rate: float64(rapid.IntRange(1, 4).Draw(t.T, "γ"))}
			next, _, err := procrustesTrial{}.solve(p)
			if err != nil {
				return props.Truth(false)
			}
			best := math.Inf(1)
			for k := range 360 {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / 360)
				var turned mat.Dense
				turned.Mul(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), next)
				best = min(best, spectralDistance(&turned, p.W))
			}
			own := spectralDistance(next, p.W)
			t.Show("W", p.W)
			t.Show("solution", next)
			t.Show("spectral distance of the solution and of the best rotation", []float64{own, best})
			return props.AtMost(own, best, 1e-9*own) // far above the rounding of 2×2 matrices, far below the excess found
		},
	}.Check()
}

func spectralDistance(a, b *mat.Dense) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	values, err := linalg.SingularValues(&diff)
	if err != nil {
		return math.NaN()
	}
	return values[0]
}

// procrustesSquareRoot is the submitted Proposition 4 on the smallest case: it should leave no more of the target than the
// best Gram matrix of rank 1 does, 0.5.
func procrustesSquareRoot() props.LegacyCheck {
	return props.Example("solution by the n×n square root", func() (props.Ratio, string) {
		w, g := mat.NewDense(1, 2, []float64{1, 0}), mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1})
		// Eigenvalues 3/2 and 1/2 along (1, 1) and (1, −1): the root has (√3+1)/(2√2) on the diagonal and (√3−1)/(2√2) off it.
		on, off := (math.Sqrt(3)+1)/(2*math.Sqrt2), (math.Sqrt(3)-1)/(2*math.Sqrt2)
		root := mat.NewDense(2, 2, []float64{on, off, off, on})
		var product, turn, next, gram mat.Dense
		product.Mul(w, root)
		p, _, q, err := linalg.SVD(&product, mat.SVDThin)
		if err != nil {
			return props.Truth(true), err.Error()
		}
		turn.Mul(p, q.T())
		next.Mul(&turn, root)
		gram.Mul(next.T(), &next)
		gram.Sub(&gram, g)
		left := mat.Norm(&gram, 2)
		return props.AtMost(left, 0.5, 1e-12), fmt.Sprintf("W = (1, 0), G = [[1, ½], [½, 1]]: W₊ = (%.6g, %.6g), ‖W₊ᵀW₊ − G‖ = %.6g", next.At(0, 0), next.At(0, 1), left)
	})
}
