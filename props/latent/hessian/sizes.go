package hessian

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	"github.com/thm-suite/thm/props/order"
	theory "github.com/thm-suite/thm/theory/latent"
)

// size is a number of dimensions and of latent directions.
type size struct{ D, R int }

// The sweep in d has alongDR latent directions, the sweep in r has dimension alongRD.
const alongDR, alongRD = 4, 128

func sizeCells(e props.Effort) []size {
	var cells []size
	for d := 4; d <= (props.Scale{Quick: 256, Standard: 1024, Deep: 4096}).At(e); d *= 2 {
		cells = append(cells, size{d, alongDR})
	}
	for _, r := range []int{1, 2, 8, 16} {
		cells = append(cells, size{alongRD, r})
	}
	return append(cells, size{16, 16})
}

// named are the targets of the figures, with E f⋆² = 1.
var named = map[string]func(r int) theory.Target{
	"": func(r int) theory.Target { return theory.Isotropic{D: r, R: r}.Target() },
	"alternating": func(r int) theory.Target { // tr H = 0 for even r
		f := theory.Isotropic{D: r, R: r}.Target()
		for i := 1; i < r; i += 2 {
			f[i].Coefficient *= -1
		}
		return f
	},
	"He₄": func(int) theory.Target { return theory.Target{{Coefficient: 1 / math.Sqrt(24), Degrees: []int{4}}} },
	"x + He₂": func(int) theory.Target {
		return theory.Target{{Coefficient: 3 / math.Sqrt(10), Degrees: []int{1}}, {Coefficient: 1 / math.Sqrt(20), Degrees: []int{0, 2}}}
	},
	"He₂ + He₄": func(int) theory.Target {
		return theory.Target{{Coefficient: 0.5, Degrees: []int{2, 0}}, {Coefficient: 1 / math.Sqrt(48), Degrees: []int{0, 4}}}
	},
}

// lengths are means of ‖R‖ over the neurons that look along an orthonormal basis, which for the isotropic target are those
// over the sphere, since the ‖Π⋆wⱼ‖² of a basis add up to r. And gaps over the sphere.
type lengths struct {
	Isotropic, Error                 float64 // or what a control has in place of the isotropic target
	Alternating, Quartic, WithLinear float64
	Gap, GapDeficient                float64 // for two latent directions, the second with a Hessian of rank 1
}

func measureLengths(t *props.Trial, c size, done string) lengths {
	var l lengths
	basis := reflectedBasis(t.Rand, c.D)
	name := ""
	if _, other := named[done]; other {
		name = done
	}
	l.Isotropic, l.Error = meanLength(t.Rand, done, named[name](c.R), basis)
	if done != "" {
		return l
	}
	l.Alternating, _ = meanLength(t.Rand, "", named["alternating"](c.R), basis)
	if c.R == alongDR {
		l.Quartic, _ = meanLength(t.Rand, "", named["He₄"](c.R), basis)
		l.WithLinear, _ = meanLength(t.Rand, "", named["x + He₂"](c.R), basis)
		l.Gap = weakerGap(t.Rand, named[""](2), c.D)
		l.GapDeficient = weakerGap(t.Rand, named["He₂ + He₄"](2), c.D)
	}
	return l
}

// meanLength is the mean of ‖R‖ over the neurons of a basis, and a bound on its error.
func meanLength(r *rand.Rand, done string, f theory.Target, basis [][]float64) (length, rounding float64) {
	p, share := target.Monomials(disturbed(done, f)), 1/float64(len(basis))
	for _, w := range basis {
		a := float64(2*r.IntN(2) - 1)
		g := neuronGradient(done, p, a, w)
		floats.Sub(g, theory.Leading(f, a, w))
		length += share * floats.Norm(g, 2)
		s := theory.Series{Target: f, W: w}
		rounding += share * 2 * (target.Rounding(s, p, 0x1p-53) + s.Rounding(0x1p-53))
	}
	return length, rounding
}

// weakerGap is the gap between the weakest of the latent directions and the others.
func weakerGap(r *rand.Rand, f theory.Target, d int) float64 {
	var s sphere
	s.D = d
	s.Degrees, s.Coefficients = f.Arrays(f.Coordinates())
	s.average(r, "", f)
	return s.gap()
}

// reflectedBasis returns the rows of a random reflection I − 2vvᵀ/‖v‖².
func reflectedBasis(r *rand.Rand, d int) [][]float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	basis, square := make([][]float64, d), floats.Dot(v, v)
	for i := range basis {
		basis[i] = target.Scaled(v, -2*v[i]/square)
		basis[i][i]++
	}
	return basis
}

// judgeLengths adds to the errors of the gradients those of the basis: its vectors err by some 10u, and ‖Π⋆w‖² by twice
// as much.
func judgeLengths(r *props.Record, c size, l lengths, _ string) {
	r.Regime("r < d")
	if c.R == c.D {
		r.Regime("r = d")
	}
	want := theory.Isotropic(c).Remainder()
	r.Within("mean length over a basis", l.Isotropic, want, l.Error+20*r.Unit()*math.Sqrt(float64(c.D))*want)
}

func concludeSizes(r *props.Record, cells []size, all []lengths, claimed string) {
	r.Regime("r < d")
	for _, e := range []struct {
		name    string
		along   func(size) float64
		claimed float64
	}{{"exponent of d", inD, -1}, {"exponent of r", inR, 0.5}} {
		var x, y, errors []float64
		for i, c := range cells {
			if at := e.along(c); at > 0 {
				x, y = append(x, at), append(y, all[i].Isotropic)
				errors = append(errors, all[i].Error+20*r.Unit()*math.Sqrt(float64(c.D))*all[i].Isotropic)
			}
		}
		slope, allowed := order.Slope(x, y, errors)
		r.WithinExponent(e.name, slope, e.claimed, allowed+float64(10*len(x))*r.Unit())
	}
	sizeFigures(r, cells, all)
}

// inD and inR are the abscissae of the cells of one sweep, and 0 for the others.
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

func sizeFigures(r *props.Record, cells []size, all []lengths) {
	curve := func(name string, style props.Style, along func(size) float64, y func(size, lengths) float64) props.Curve {
		return curveOf(name, style, cells, all, along, y)
	}
	remainder := func(c size, _ lengths) float64 { return theory.Isotropic(c).Remainder() }
	timesD := func(y func(size, lengths) float64) func(size, lengths) float64 {
		return func(c size, l lengths) float64 { return float64(c.D) * y(c, l) }
	}
	isotropic := func(_ size, l lengths) float64 { return l.Isotropic }
	r.Figure(props.Figure{
		ID:    "dimension",
		Title: "The remainder against the dimension",
		Caption: fmt.Sprintf("Mean length of the remainder over an orthonormal basis of neurons against the dimension, on logarithmic axes. For "+
			"the isotropic target with r = %d the points lie on √(r/π)/d. A target with a linear part has a remainder that does not fall; "+
			"for He₄, whose Hessian has mean zero, the remainder is the whole gradient and falls as d^(−3/2).", alongDR),
		X: props.Axis{Label: "dimension d", Log: true}, Y: props.Axis{Label: "E‖R‖", Log: true},
		Curves: []props.Curve{
			curve("isotropic, r = 4", props.Points, inD, isotropic),
			curve("√(r/π)/d", props.Dashed, inD, remainder),
			curve("with a linear part", props.Points, inD, func(_ size, l lengths) float64 { return l.WithLinear }),
			curve("He₄, H = 0", props.Points, inD, func(_ size, l lengths) float64 { return l.Quartic }),
		},
	})
	r.Figure(props.Figure{
		ID:    "directions",
		Title: "The remainder against the number of latent directions",
		Caption: fmt.Sprintf("Mean length of the remainder times d = %d over an orthonormal basis of neurons, on logarithmic axes. For a Hessian "+
			"of one sign the points lie on √(r/π); for alternating signs, whose trace vanishes, the remainder hardly grows.", alongRD),
		X: props.Axis{Label: "latent directions r", Log: true}, Y: props.Axis{Label: "d E‖R‖", Log: true},
		Curves: []props.Curve{
			curve("isotropic", props.Points, inR, timesD(isotropic)),
			curve("√(r/π)", props.Dashed, inR, timesD(remainder)),
			curve("alternating signs", props.Points, inR, timesD(func(c size, l lengths) float64 { return l.Alternating })),
		},
	})
	r.Figure(props.Figure{
		ID:    "gap",
		Title: "How clearly the gradients point into the latent directions",
		Caption: "Root mean square of the gradient along the weaker of two latent directions over that along any other direction, on logarithmic " +
			"axes. For the isotropic target it lies on the closed form and grows as d. When H has rank 1 the weaker direction keeps a ratio of " +
			"order one: it does not stand out.",
		X: props.Axis{Label: "dimension d", Log: true}, Y: props.Axis{Label: "gap", Log: true},
		Curves: []props.Curve{
			curve("isotropic, r = 2", props.Points, inD, func(_ size, l lengths) float64 { return l.Gap }),
			curve("closed form", props.Dashed, inD, func(c size, _ lengths) float64 { return theory.Isotropic{D: c.D, R: 2}.Gap() }),
			curve("H of rank 1, weaker direction", props.Points, inD, func(_ size, l lengths) float64 { return l.GapDeficient }),
		},
	})
}

// curveOf takes the cells of one sweep in the order of their sizes.
func curveOf(name string, style props.Style, cells []size, all []lengths, along func(size) float64, y func(size, lengths) float64) props.Curve {
	at := map[float64]float64{}
	for i, c := range cells {
		if x := along(c); x > 0 {
			at[x] = y(c, all[i])
		}
	}
	out := props.Curve{Name: name, Style: style, X: slices.Sorted(maps.Keys(at))}
	for _, x := range out.X {
		out.Y = append(out.Y, at[x])
	}
	return out
}
