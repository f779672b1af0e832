package spectra

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// freeProduct sums over all values of few entries, and takes limits of exact means.
var freeProduct = props.Spec{
	Statement: &theory.FreeProduct,
	Checks:    []props.Check{productsSummed, productsWide, productsDeep},
	Along: &props.Along{Param: "depth", From: 1, To: 8, Of: []string{"second"}, Places: 8,
		Each: &props.ParamSweep{Name: "width", Values: []string{"8", "16", "32"}}, Reps: 2},
	Try: &props.Simulation{Run: tryProduct},
}.Claim()

// product holds means over all products whose entries have finitely many values, divided as in the claim.
type product struct {
	Widths   []float64 `npy:"widths"` // of inputs first
	Second   float64   `npy:"second"` // of (1/N₀) tr G²
	Third    float64   `npy:"third"`
	Variance float64   `npy:"variance"` // of (1/N₀) tr G
	Terms    float64   `npy:"terms"`    // number of values of the entries
}

// Valid names the violated hypothesis.
func (p product) Valid() error {
	if len(p.Widths) < 2 || !(p.Terms >= 1) {
		return errors.New("need two widths and one term at least")
	}
	return theory.Product{Widths: p.widths()}.Valid()
}

func (p product) widths() []int {
	out := make([]int, len(p.Widths))
	for i, n := range p.Widths {
		out[i] = int(n)
	}
	return out
}

// productClaim holds the closed forms of the means that product holds.
type productClaim struct {
	moment   func(p theory.Product, k int) float64
	variance func(p theory.Product) float64
}

var productsSummed = props.Drawn[product, productClaim]{
	Name:    "traces summed over all values",
	Cases:   props.Scale{Quick: 60, Standard: 150, Deep: 5000},
	Regimes: []string{"one factor", "two", "three"},
	Draw:    func(t *props.T) product { return drawProduct(t, normalNodes(), false) },
	Claim:   productClaim{theory.Product.Moment, theory.Product.Variance},
	Judge: func(r *props.Record, p product, c productClaim) {
		layers := theory.Product{Widths: p.widths()}
		r.RegimeOf(len(p.Widths) == 3, len(p.Widths) == 4)
		allowed := (p.Terms + 300) * r.Unit() // of positive terms
		second, third := c.moment(layers, 2), c.moment(layers, 3)
		r.Within("m₂", p.Second, second, allowed*second)
		r.Within("m₃", p.Third, third, allowed*third)
		variance := c.variance(layers)
		r.Within("Var (1/N₀) tr G", p.Variance, variance, 3*allowed*(1+variance))
	},
	Controls: []props.Wrong[product, productClaim]{
		{Name: "two values", Assumption: "normal",
			Draw: func(t *props.T) product { return drawProduct(t, twoValues(0.5), false) }},
		{Name: "one matrix for all factors of its shape", Assumption: "independent",
			Draw: func(t *props.T) product { return drawProduct(t, normalNodes(), true) }},
		{Name: "the limit at finite width", Criterion: "m₃",
			Instead: productClaim{moment: theory.Product.FreeMoment}},
		{Name: "complex entries", Criterion: "m₂", Instead: productClaim{
			moment: func(p theory.Product, _ int) float64 { return secondOf(p.Widths, 0) }}},
		{Name: "independent eigenvalues", Criterion: "Var (1/N₀) tr G", Instead: productClaim{
			variance: func(p theory.Product) float64 { return (p.Moment(2) - 1) / float64(p.Widths[0]) }}},
	},
}

// secondOf is m₂ without pairings, of real entries or, where real is 0 and not 1, of complex ones with E|x|² = 1.
// With M the product of the factors on the left, E tr M² and E (tr M)² mix as one more factor joins.
func secondOf(widths []int, real float64) float64 {
	last := float64(widths[len(widths)-1])
	square, pair := last, last*last
	for i := len(widths) - 2; i >= 0; i-- {
		n, next := float64(widths[i]), float64(widths[i+1])
		square, pair = (n*(n+real)*square+n*pair)/(next*next), ((1+real)*n*square+n*n*pair)/(next*next)
	}
	return square / float64(widths[0])
}

// drawProduct draws widths with at most six entries in all factors, and sums over their values. Neighbours of one size
// are copies where asked for.
func drawProduct(t *props.T, entry law, copies bool) product {
	widths := [][]int{{1, 1}, {2, 1}, {2, 3}, {3, 2}, {1, 2, 1}, {2, 1, 2}, {1, 1, 1}, {2, 2, 1}, {1, 2, 2}, {1, 3, 1},
		{3, 1, 3}, {4, 1, 2}, {1, 1, 1, 1}, {2, 1, 1, 2}, {1, 2, 1, 2}, {2, 1, 2, 1}}
	shape := widths[rapid.IntRange(0, len(widths)-1).Draw(t.T, "shape")]
	p, count := product{}, 0
	for i, n := range shape {
		p.Widths = append(p.Widths, float64(n))
		if i > 0 {
			count += n * shape[i-1]
		}
	}
	mean, square := 0.0, 0.0
	overAll(count, entry, func(x []float64, chance float64) {
		powers := productTraces(shape, x, copies)
		p.Second += chance * powers[1]
		p.Third += chance * powers[2]
		mean += chance * powers[0]
		square += chance * powers[0] * powers[0]
		p.Terms++
	})
	p.Variance = square - mean*mean
	return p
}

// productTraces are (1/N₀) tr Gᵏ for the factors whose entries stand in x one after the other.
func productTraces(widths []int, x []float64, copies bool) (out [4]float64) {
	n := widths[0]
	var room [2][16]float64 // no product of these widths has more entries
	y := room[0][:n*n]
	for i := range n {
		y[i*n+i] = 1
	}
	scale, last := 1.0, x
	for l := 1; l < len(widths); l++ {
		rows, columns := widths[l], widths[l-1]
		factor := x[:rows*columns]
		x = x[rows*columns:]
		if copies && l > 1 && len(last) == len(factor) {
			factor = last
		}
		last = factor
		next := room[l%2][:rows*n]
		clear(next)
		for i := range rows {
			for j := range columns {
				for k := range n {
					next[i*n+k] += factor[i*columns+j] * y[j*n+k]
				}
			}
		}
		y = next
		scale *= float64(rows)
	}
	out = traces(y, n)
	power := float64(n)
	for k := range out {
		power *= scale
		out[k] /= power
	}
	return out
}

// wide is the exact moment at widths that are as good as the limit.
type wide struct {
	Widths []int
	K      int
	Moment float64
}

var productsWide = props.Drawn[wide, func(theory.Product, int) float64]{
	Name:    "limit of large widths",
	Cases:   props.Scale{Quick: 100, Standard: 600, Deep: 10000},
	Regimes: []string{"widths differ", "equal widths"},
	Draw:    drawWide,
	Claim:   theory.Product.FreeMoment,
	Judge: func(r *props.Record, w wide, claim func(theory.Product, int) float64) {
		p := theory.Product{Widths: w.Widths}
		smallest, chains := w.Widths[0], 1.0
		for _, n := range w.Widths[1:] {
			smallest = min(smallest, n)
			chains *= []float64{1, 3, 15, 105}[w.K-1]
		}
		r.RegimeOf(p.FreeMoment(2) == float64(len(w.Widths)))
		// A chain of pairings that crosses has a loop less than one that does not, and widths differ by a factor of 4.
		allowed := chains * math.Pow(4, float64(w.K-1)) / float64(smallest)
		want := claim(p, w.K)
		r.Within("mₖ", w.Moment, want, allowed+200*r.Unit()*w.Moment)
	},
	Controls: []props.Wrong[wide, func(theory.Product, int) float64]{
		{Name: "Catalan numbers", Instead: func(_ theory.Product, k int) float64 { return theory.MP{Gamma: 1}.Moment(k) }},
		{Name: "outputs for inputs", Instead: func(p theory.Product, k int) float64 {
			reversed := make([]int, len(p.Widths))
			for i, n := range p.Widths {
				reversed[len(reversed)-1-i] = n
			}
			return theory.Product{Widths: reversed}.FreeMoment(k)
		}},
	},
}

// drawWide draws a number of factors, and widths from 10⁸ on.
func drawWide(t *props.T) wide {
	w := wide{K: rapid.IntRange(2, 4).Draw(t.T, "k")}
	equal := rapid.Bool().Draw(t.T, "equal")
	factors := 4
	if w.K == 4 { // whose chains of more factors are too many
		factors = 2
	}
	for i := range rapid.IntRange(1, factors).Draw(t.T, "factors") + 1 {
		n := gen.LogUniform(t.T, "width", 1e8, 4e8)
		if equal && i > 0 {
			n = float64(w.Widths[0])
		}
		w.Widths = append(w.Widths, int(n))
	}
	w.Moment = theory.Product{Widths: w.Widths}.Moment(w.K)
	return w
}

// deepClaim is m₂ of square factors, by its closed form and by pairings, and its limit over the width.
type deepClaim struct {
	second, limit func(theory.Square) float64
	moment        func(p theory.Product, k int) float64
}

// deep is m₂ of square factors, one after the other.
type deep struct {
	theory.Square
	Second float64
}

var productsDeep = props.Drawn[deep, deepClaim]{
	Name:    "depth next to width",
	Cases:   props.Scale{Quick: 100, Standard: 300, Deep: 5000},
	Regimes: []string{"wider than deep", "deeper than wide", "large"},
	Draw: func(t *props.T) deep {
		s := theory.Square{Width: rapid.IntRange(1, 50).Draw(t.T, "N"), Depth: rapid.IntRange(1, 50).Draw(t.T, "L")}
		if rapid.IntRange(0, 2).Draw(t.T, "large") == 0 {
			s.Width, s.Depth = 4000, 1000*rapid.IntRange(1, 8).Draw(t.T, "L/1000")
		}
		return deep{s, secondOf(squareWidths(s), 1)}
	},
	Claim: deepClaim{theory.Square.Second, theory.Square.DeepSecond, theory.Product.Moment},
	Judge: func(r *props.Record, s deep, c deepClaim) {
		n, l := float64(s.Width), float64(s.Depth)
		r.RegimeOf(s.Depth > s.Width, s.Width == 4000)
		want := c.second(s.Square)
		allowed := (20*l + 20) * r.Unit() * want // the pairings of a factor are three
		r.Within("m₂", s.Second, want, allowed)
		r.Within("m₂ by pairings", s.Second, c.moment(theory.Product{Widths: squareWidths(s.Square)}, 2), allowed)
		if s.Width == 4000 {
			a := l / n
			limit := c.limit(s.Square)
			r.Within("m₂/N", s.Second/n, limit, (1+3*a)*math.Exp(2*a)/n) // from log(1+2/N)L = 2a − 2a/N, and N+2 for N
		}
	},
	Controls: []props.Wrong[deep, deepClaim]{
		{Name: "the limit of width alone", Assumption: "shallow", Criterion: "m₂", Instead: deepClaim{
			second: func(s theory.Square) float64 { return float64(s.Depth + 1) }}},
		{Name: "complex entries, square factors", Criterion: "m₂", Instead: deepClaim{
			second: func(s theory.Square) float64 { return secondOf(squareWidths(s), 0) }}},
		{Name: "the free product at finite width", Criterion: "m₂ by pairings",
			Instead: deepClaim{moment: theory.Product.FreeMoment}},
		{Name: "e^a for e^(2a)", Criterion: "m₂/N", Instead: deepClaim{
			limit: func(s theory.Square) float64 { return math.Sinh(float64(s.Depth) / float64(s.Width)) }}},
	},
}

// squareWidths are the widths of square factors.
func squareWidths(s theory.Square) []int {
	widths := make([]int, s.Depth+1)
	for i := range widths {
		widths[i] = s.Width
	}
	return widths
}

// tryProduct draws 100 products of square factors.
func tryProduct(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, depth, draws := v.Int("width"), v.Int("depth"), 100
	t.Need(float64(n)*float64(n)*float64(n)*float64(depth) <= 1e8, "width³·depth may be at most 10⁸ here")
	m := map[string]float64{}
	for range draws {
		y := gen.Gaussian(t.Rand, n, n, 1/math.Sqrt(float64(n)))
		for range depth - 1 {
			y.Mul(gen.Gaussian(t.Rand, n, n, 1/math.Sqrt(float64(n))), mat.DenseCopyOf(y))
		}
		var g, square mat.Dense
		g.Mul(y.T(), y)
		square.Mul(&g, &g)
		m["second"] += mat.Trace(&square) / float64(n*draws)
		square.Mul(&square, &g)
		m["third"] += mat.Trace(&square) / float64(n*draws)
	}
	return m, nil
}
