package hessian

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/order"
	theory "github.com/thm-suite/thm/theory/latent"
)

// size holds the numbers of dimensions and of latent directions.
type size struct{ D, R int }

// The sweep in d has alongDR latent directions, the sweep in r has dimension alongRD.
const alongDR, alongRD = 4, 128

// sizeCells returns the cells of both sweeps, in ascending order; the sweeps share one cell. One more cell has as many
// directions as dimensions.
func sizeCells(e props.Effort) []size {
	cells := []size{{alongRD, 1}, {alongRD, 2}}
	for d := 4; d <= (props.Scale{Quick: 256, Standard: 1024, Deep: 4096}).At(e); d *= 2 {
		cells = append(cells, size{d, alongDR})
	}
	return append(cells, size{alongRD, 8}, size{alongRD, 16}, size{16, 16})
}

// inD and inR return the abscissa of a cell in their sweep, or 0 for other cells.
func inD(c size) float64 {
	if c.R == alongDR {
		return float64(c.D)
	}
	return 0
}

func inR(c size) float64 {
	if c.D == alongRD {
		return float64(c.R)
	}
	return 0
}

// Targets with E f⋆² = 1 that the figures show next to the isotropic one, and that replace it in controls.
const (
	tracelessTarget = "alternating signs" // tr H = 0 for even r
	quarticTarget   = "He₄, H = 0"
	linearTarget    = "with a linear part"
	rankOneTarget   = "H of rank 1, weaker direction"
)

// comparison returns the named one of these, or else the isotropic target.
func comparison(name string, r int) theory.Target {
	switch name {
	case tracelessTarget:
		f := theory.Isotropic{D: r, R: r}.Target()
		for i := 1; i < r; i += 2 {
			f[i].Coefficient *= -1
		}
		return f
	case quarticTarget:
		return normalised(theory.Target{{Coefficient: 1, Degrees: []int{4}}})
	case linearTarget:
		return normalised(theory.Target{{Coefficient: 3, Degrees: []int{1}},
			{Coefficient: math.Sqrt(0.5), Degrees: []int{0, 2}}})
	case rankOneTarget:
		return theory.Target{{Coefficient: 0.5, Degrees: []int{2, 0}},
			{Coefficient: math.Sqrt(1. / 48), Degrees: []int{0, 4}}}
	}
	return theory.Isotropic{D: r, R: r}.Target()
}

// lengths holds means of ‖R‖ over the neurons along an orthonormal basis. For the isotropic target these are the means
// over the sphere, since the ‖Π⋆wⱼ‖² of a basis add up to r.
type lengths struct {
	Length, Error float64
	Beside        map[string]float64 // the same for other targets, and gaps
}

func measureLengths(t *props.Trial, c size) lengths {
	basis := reflectedBasis(t.Rand, c.D)
	l := lengths{Beside: map[string]float64{}}
	l.Length, l.Error = meanLength(t.Rand, theory.Isotropic(c).Target(), inPair, basis)
	for _, name := range []string{tracelessTarget, quarticTarget, linearTarget} {
		l.Beside[name], _ = meanLength(t.Rand, comparison(name, c.R), inPair, basis)
	}
	for _, name := range []string{"isotropic, r = 2", rankOneTarget} {
		f := comparison(name, 2)
		s := sphere{D: c.D}
		s.Degrees, s.Coefficients = f.Arrays(2)
		s.average(t.Rand, f, inPair)
		l.Beside[name] = math.Sqrt(max(0, s.weakest()) / s.Other)
	}
	return l
}

// cheap selects enough cells of each sweep for a slope: the error of a control shows in few dimensions.
func cheap(c size) bool { return c.D <= 64 || c.R <= 2 }

// measureWrong measures the mean length for gradients of another kind.
func measureWrong(wrong gradientOf) func(*props.Trial, size) lengths {
	return func(t *props.Trial, c size) (l lengths) {
		l.Length, l.Error = meanLength(t.Rand, theory.Isotropic(c).Target(), wrong, reflectedBasis(t.Rand, c.D))
		return l
	}
}

// of replaces the mean length for the isotropic target by the one for another target.
func of(name string) func(size, *lengths) {
	return func(_ size, l *lengths) { l.Length = l.Beside[name] }
}

// meanLength returns the mean of ‖R‖ over the neurons of a basis, and a bound on its error. The vectors of the basis
// err by some 10u, and ‖Π⋆w‖² by twice as much.
func meanLength(r *rand.Rand, f theory.Target, gradient gradientOf, basis [][]float64) (length, rounding float64) {
	p, d := target.Monomials(f), float64(len(basis))
	for _, w := range basis {
		a, s := float64(2*r.IntN(2)-1), theory.Series{Target: f, W: w}
		g := gradient(p, a, w)
		floats.Sub(g, theory.Leading(f, a, w))
		length += floats.Norm(g, 2) / d
		rounding += 2 * (target.Rounding(s, p, roundoff.Unit) + s.Rounding(roundoff.Unit)) / d
	}
	return length, rounding + 20*roundoff.Unit*math.Sqrt(d)*length
}

// reflectedBasis returns the rows of a random reflection I − 2vvᵀ/‖v‖².
func reflectedBasis(r *rand.Rand, d int) [][]float64 {
	v, basis := direction(r, nil, d), make([][]float64, d)
	for i := range basis {
		basis[i] = target.Scaled(v, -2*v[i])
		basis[i][i]++
	}
	return basis
}

// orders holds the claimed mean length of R, and its exponents in the dimension and in the number of latent directions.
type orders struct {
	length                func(theory.Isotropic) float64
	dimension, directions float64
}

func judgeLengths(r *props.Record, c size, l lengths, claim orders) {
	r.RegimeOf(c.R == c.D)
	r.Within("mean length over a basis", l.Length, claim.length(theory.Isotropic(c)), l.Error)
}

func concludeSizes(r *props.Record, cells []size, all []lengths, claim orders) {
	exponent := func(name string, along func(size) float64, claimed float64) {
		var x, y, errors []float64
		for i, c := range cells {
			if at := along(c); at > 0 {
				x, y, errors = append(x, at), append(y, all[i].Length), append(errors, all[i].Error)
			}
		}
		slope, allowed := order.Slope(x, y, errors)
		r.WithinExponent(name, slope, claimed, allowed+float64(10*len(x))*r.Unit())
	}
	r.Regime("r < d")
	exponent("exponent of d", inD, claim.dimension)
	exponent("exponent of r", inR, claim.directions)
	for _, f := range sizeFigures {
		r.Figure(f.filled(cells, all))
	}
}

// sizeFigure is a figure whose curves are named but not yet filled.
type sizeFigure struct {
	along func(size) float64
	props.Figure
}

func (f sizeFigure) filled(cells []size, all []lengths) props.Figure {
	out := f.Figure
	out.Curves = nil
	for _, curve := range f.Curves {
		for i, c := range cells {
			if x := f.along(c); x > 0 {
				curve.Add(x, ordinate(curve.Name, c, all[i]))
			}
		}
		out.Curves = append(out.Curves, curve)
	}
	return out
}

// ordinate returns the value of a curve at a cell.
func ordinate(name string, c size, l lengths) float64 {
	switch name {
	case "isotropic":
		return l.Length
	case "√(r/π)/d":
		return theory.Isotropic(c).Remainder()
	case "closed form":
		return theory.Isotropic{D: c.D, R: 2}.Gap()
	}
	return l.Beside[name]
}

var sizeFigures = []sizeFigure{
	{inD, props.Figure{
		ID:    "dimension",
		Title: "The remainder against the dimension",
		Caption: fmt.Sprintf("Mean length of the remainder over an orthonormal basis of neurons against the "+
			"dimension, on logarithmic axes. For the isotropic target with r = %d the points lie on √(r/π)/d. A "+
			"target with a linear part has a remainder that does not fall; for He₄, whose Hessian has mean zero, the "+
			"remainder is the whole gradient and falls as d^(−3/2).", alongDR),
		X: props.Axis{Label: "dimension d", Log: true}, Y: props.Axis{Label: "E‖R‖", Log: true},
		Curves: []props.Curve{{Name: "isotropic", Style: props.Points}, {Name: "√(r/π)/d", Style: props.Dashed},
			{Name: linearTarget, Style: props.Points}, {Name: quarticTarget, Style: props.Points}},
	}},
	{inR, props.Figure{
		ID:    "directions",
		Title: "The remainder against the number of latent directions",
		Caption: fmt.Sprintf("Mean length of the remainder for d = %d over an orthonormal basis of neurons, on "+
			"logarithmic axes. For a Hessian of one sign the points lie on √(r/π)/d; for alternating signs, whose "+
			"trace vanishes for even r, the remainder hardly grows.", alongRD),
		X: props.Axis{Label: "latent directions r", Log: true}, Y: props.Axis{Label: "E‖R‖", Log: true},
		Curves: []props.Curve{{Name: "isotropic", Style: props.Points}, {Name: "√(r/π)/d", Style: props.Dashed},
			{Name: tracelessTarget, Style: props.Points}},
	}},
	{inD, props.Figure{
		ID:    "gap",
		Title: "How clearly the gradients point into the latent directions",
		Caption: "Root mean square of the gradient along the weaker of two latent directions over that along any " +
			"other direction, on logarithmic axes. For the isotropic target it lies on the closed form and grows as " +
			"d. When H has rank 1 the weaker direction keeps a ratio of order one: it does not stand out.",
		X: props.Axis{Label: "dimension d", Log: true}, Y: props.Axis{Label: "gap", Log: true},
		Curves: []props.Curve{{Name: "isotropic, r = 2", Style: props.Points}, {Name: "closed form",
			Style: props.Dashed},
			{Name: rankOneTarget, Style: props.Points}},
	}},
}
