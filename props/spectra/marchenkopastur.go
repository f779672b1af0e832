package spectra

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// marchenkoPastur sums over all matrices of few entries, and draws larger ones.
var marchenkoPastur = props.Spec{
	Statement: &theory.MarchenkoPastur,
	Checks:    []props.Check{tracesSummed, momentsLimit, spectrumLimit},
	Along: &props.Along{Param: "x", From: 0.05, To: 6, Of: []string{"above"}, Draw: true, Reps: 2,
		At: map[string]string{"n": "100"}, Each: &props.ParamSweep{Name: "d", Values: []string{"50", "100", "200"}}},
	Try: &props.Simulation{
		Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
			s := drawSpectrum(t, v)
			return map[string]float64{"second": s.moment(2), "third": s.moment(3),
				"resolvent": s.resolvent(v.Float("x")), "above": s.above(v.Float("x"))}, nil
		},
		Draw: func(t *props.Trial, v statement.Values) ([]props.Figure, error) {
			return []props.Figure{spectrumFigure(v.Int("n"), v.Int("d"), drawSpectrum(t, v))}, nil
		},
	},
}.Claim()

// wishartClaim holds the closed forms for traces of powers of S.
type wishartClaim struct {
	square           func(w theory.Wishart, fourth float64) float64
	moment, variance func(w theory.Wishart, k int) float64
}

// complexMoment returns the moment for complex entries with E|x|² = 1.
func complexMoment(w theory.Wishart, k int) float64 {
	n, d := float64(w.N), float64(w.D)
	return n * d * []float64{1, n + d, n*n + 3*n*d + d*d + 1, (n+d)*(n*n+5*n*d+d*d) + 5*(n+d)}[k-1]
}

// limitMoment returns the moment of the limit.
func limitMoment(w theory.Wishart, k int) float64 {
	return float64(w.D) * math.Pow(float64(w.N), float64(k)) * theory.MP{Gamma: float64(w.D) / float64(w.N)}.Moment(k)
}

// summed are means over all matrices whose entries have finitely many values.
type summed struct {
	Size     theory.Wishart
	Normal   bool    // entries are nodes of Gaussian quadrature
	Fourth   float64 // moment of an entry
	Powers   [4]float64
	Variance float64 // of tr S²
	Terms    float64
}

var tracesSummed = props.Drawn[summed, wishartClaim]{
	Name:    "traces summed over all values",
	Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 10000},
	Regimes: []string{"two values", "normal"},
	Draw:    func(t *props.T) summed { return drawSummed(t, func([]float64, int) {}) },
	Claim:   wishartClaim{theory.Wishart.SquareOf, theory.Wishart.Moment, theory.Wishart.Variance},
	Judge: func(r *props.Record, s summed, c wishartClaim) {
		// Terms are positive. Each has up to 60 roundings, and a node, known to 8 of them, enters it to the power 8.
		allowed := (s.Terms + 200) * r.Unit()
		r.RegimeOf(s.Normal)
		square := c.square(s.Size, s.Fourth)
		r.Within("E tr S²", s.Powers[1], square, allowed*square)
		if s.Normal {
			third, fourth := c.moment(s.Size, 3), c.moment(s.Size, 4)
			r.Within("E tr S³", s.Powers[2], third, allowed*third)
			r.Within("E tr S⁴", s.Powers[3], fourth, allowed*fourth)
			r.Within("Var tr S²", s.Variance, c.variance(s.Size, 2), allowed*2*(square*square+s.Variance))
		}
	},
	Controls: []props.Wrong[summed, wishartClaim]{
		{Name: "a column that is a copy", Assumption: "independent", Draw: func(t *props.T) summed {
			return drawSummed(t, func(x []float64, d int) {
				for i := 0; i < len(x) && d > 1; i += d {
					x[i+1] = x[i]
				}
			})
		}},
		{Name: "entries of mean ½", Assumption: "centred", Draw: func(t *props.T) summed {
			return drawSummed(t, func(x []float64, _ int) { floats.AddConst(0.5, x) })
		}},
		{Name: "entries of variance 1.21", Assumption: "unit", Draw: func(t *props.T) summed {
			return drawSummed(t, func(x []float64, _ int) { floats.Scale(1.1, x) })
		}},
		{Name: "two values for normal entries", Assumption: "normal", Alter: func(s *summed) { s.Normal = true }},
		{Name: "moments of complex entries", Criterion: "E tr S³", Instead: wishartClaim{moment: complexMoment}},
		{Name: "moments of complex entries, fourth", Criterion: "E tr S⁴", As: "moments of complex entries"},
		{Name: "moments of the limit", Criterion: "E tr S³", Instead: wishartClaim{moment: limitMoment}},
		{Name: "the fourth moment of normal entries", Criterion: "E tr S²", Instead: wishartClaim{
			square: func(w theory.Wishart, _ float64) float64 { return w.Moment(2) }}},
		{Name: "variance of independent eigenvalues", Criterion: "Var tr S²", Instead: wishartClaim{
			variance: func(w theory.Wishart, _ int) float64 {
				return limitMoment(w, 4) - math.Pow(limitMoment(w, 2), 2)/float64(w.D)
			}}},
	},
}

// drawSummed draws a shape and a law of two values, or takes the normal one, and sums over all matrices, each changed.
func drawSummed(t *props.T, change func(x []float64, d int)) summed {
	n := rapid.IntRange(1, 6).Draw(t.T, "n")
	s := summed{Size: theory.Wishart{N: n, D: rapid.IntRange(1, 6/n).Draw(t.T, "d")},
		Normal: rapid.Bool().Draw(t.T, "normal"), Fourth: 3}
	entry := normalNodes()
	if !s.Normal {
		p := float64(rapid.IntRange(1, 7).Draw(t.T, "8p")) / 8
		entry, s.Fourth = twoValues(p), 1/(p*(1-p))-3
	}
	second := 0.0
	overAll(n*s.Size.D, entry, func(x []float64, chance float64) {
		change(x, s.Size.D)
		powers := traces(x, s.Size.D)
		for k, trace := range powers {
			s.Powers[k] += chance * trace
		}
		second += chance * powers[1] * powers[1]
		s.Terms++
	})
	s.Variance = second - s.Powers[1]*s.Powers[1]
	return s
}

// law is the law of a number with finitely many values.
type law struct{ Values, Chances []float64 }

// twoValues has mean 0 and variance 1, and its larger value with probability p.
func twoValues(p float64) law {
	return law{[]float64{math.Sqrt((1 - p) / p), -math.Sqrt(p / (1 - p))}, []float64{p, 1 - p}}
}

// normalNodes returns the nodes of Gaussian quadrature: means are exact for polynomials of degree 9 of a normal number.
func normalNodes() law {
	l := law{make([]float64, 5), make([]float64, 5)}
	quad.Hermite{}.FixedLocations(l.Values, l.Chances, math.Inf(-1), math.Inf(1))
	floats.Scale(math.Sqrt2, l.Values)
	floats.Scale(1/math.SqrtPi, l.Chances)
	return l
}

// overAll visits all values of count independent numbers, in a slice that may be changed.
func overAll(count int, l law, visit func(x []float64, chance float64)) {
	x, changed := make([]float64, count), make([]float64, count)
	var next func(at int, chance float64)
	next = func(at int, chance float64) {
		if at == count {
			copy(changed, x)
			visit(changed, chance)
			return
		}
		for i, v := range l.Values {
			x[at] = v
			next(at+1, chance*l.Chances[i])
		}
	}
	next(0, 1)
}

// traces are tr Sᵏ for k from 1 to 4, of rows of d entries.
func traces(x []float64, d int) (out [4]float64) {
	var s, square [36]float64
	for i := 0; i < len(x); i += d {
		for j, a := range x[i : i+d] {
			for k, b := range x[i : i+d] {
				s[j*d+k] += a * b
			}
		}
	}
	for i := range d {
		out[0] += s[i*d+i]
		for j := range d {
			for k := range d {
				square[i*d+j] += s[i*d+k] * s[k*d+j]
			}
			out[1] += s[i*d+j] * s[i*d+j]
			out[2] += s[i*d+j] * square[i*d+j]
			out[3] += square[i*d+j] * square[i*d+j]
		}
	}
	return out
}

// momentOf is the mean of (1/d) tr Wᵏ at a size that is as good as the limit.
type momentOf struct {
	Size theory.Wishart
	K    int
	Mean float64
}

var momentsLimit = props.Drawn[momentOf, func(theory.MP, int) float64]{
	Name:    "limit of the moments",
	Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 10000},
	Regimes: []string{"more samples", "more dimensions"},
	Draw: func(t *props.T) momentOf {
		w := theory.Wishart{N: int(gen.LogUniform(t.T, "n", 1e6, 1e8)), D: int(gen.LogUniform(t.T, "d", 1e6, 1e8))}
		k := rapid.IntRange(2, 5).Draw(t.T, "k")
		return momentOf{w, k, w.Moment(k) / float64(w.D) / math.Pow(float64(w.N), float64(k))}
	},
	Claim: theory.MP.Moment,
	Judge: func(r *props.Record, m momentOf, claim func(theory.MP, int) float64) {
		gamma := float64(m.Size.D) / float64(m.Size.N)
		r.RegimeOf(gamma > 1)
		// Of at most 945 pairings, each that crosses has one loop less than those that do not.
		allowed := 945 * math.Pow(max(1, gamma), float64(m.K-1)) / float64(min(m.Size.N, m.Size.D))
		r.Within("(1/d) tr Wᵏ", m.Mean, claim(theory.MP{Gamma: gamma}, m.K), allowed)
	},
	Controls: []props.Wrong[momentOf, func(theory.MP, int) float64]{
		{Name: "moments with γ inverted", Instead: func(m theory.MP, k int) float64 {
			return theory.MP{Gamma: 1 / m.Gamma}.Moment(k)
		}},
		{Name: "Catalan numbers", Instead: func(_ theory.MP, k int) float64 { return theory.MP{Gamma: 1}.Moment(k) }},
	},
}

// spectrumClaim holds the closed forms for the spectrum in the limit.
type spectrumClaim struct{ resolvent, above func(m theory.MP) float64 }

// spectrumCell is a batch of draws of a shape.
type spectrumCell struct {
	N, D    int
	Entries string
	Draws   int
	Index   int
}

// spectrumMean are means over a batch.
type spectrumMean struct{ Resolvent, Above float64 }

const (
	resolventAt = "(1/d) tr (W + ½)⁻¹"
	shareAbove  = "share above 0.3"

	regularisation = 0.5 // of the resolvent
	inside         = 0.3 // a place in all spectra
)

var spectrumLimit = props.Grid[spectrumCell, spectrumMean, spectrumClaim]{
	Name:    "limit of the spectrum",
	Regimes: []string{"γ = ½", "γ = 1, entries ±1", "γ = 2"},
	Cells: func(e props.Effort) (out []spectrumCell) {
		size := props.Scale{Quick: 32, Standard: 48, Deep: 96}.At(e)
		for _, k := range []int{size, 2 * size} {
			for i := range 80 {
				draws := 5 * size / k
				out = append(out, spectrumCell{2 * k, k, "normal", draws, i}, spectrumCell{k, k, "±1", draws, i},
					spectrumCell{k, 2 * k, "normal", draws, i})
			}
		}
		return out
	},
	Measure: func(t *props.Trial, c spectrumCell) spectrumMean { return measureSpectra(t, c, 1, 0) },
	Claim: spectrumClaim{
		resolvent: func(m theory.MP) float64 { s, _ := m.Stieltjes(regularisation); return s },
		above:     func(m theory.MP) float64 { return m.Above(inside) },
	},
	Conclude: concludeSpectra,
	Chosen:   map[string][]string{"scatter": {resolventAt, shareAbove}},
	Controls: []props.WrongCell[spectrumCell, spectrumMean, spectrumClaim]{
		{Name: "rows of random length", Assumption: "independent", On: smallest,
			Measure: func(t *props.Trial, c spectrumCell) spectrumMean { return measureSpectra(t, c, 1, 0.8) }},
		{Name: "variance 1.21", Assumption: "unit", On: smallest,
			Measure: func(t *props.Trial, c spectrumCell) spectrumMean { return measureSpectra(t, c, 1.1, 0) }},
		{Name: "γ inverted", Criterion: resolventAt, Instead: spectrumClaim{
			resolvent: func(m theory.MP) float64 { s, _ := theory.MP{Gamma: 1 / m.Gamma}.Stieltjes(regularisation); return s }}},
		{Name: "no mass at 0", Criterion: resolventAt, Instead: spectrumClaim{resolvent: func(m theory.MP) float64 {
			s, _ := m.Stieltjes(regularisation)
			return s - max(0, 1-1/m.Gamma)/regularisation
		}}},
		{Name: "a uniform density", Criterion: shareAbove, Instead: spectrumClaim{above: func(m theory.MP) float64 {
			lo, hi := m.Edges()
			return (hi - inside) / (hi - lo) * min(1, 1/m.Gamma)
		}}},
	},
	Replicates: 1,
}

func sign(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }

func smallest(c spectrumCell) bool { return c.N > c.D && c.Draws > 2 }

func concludeSpectra(r *props.Record, cells []spectrumCell, all []spectrumMean, c spectrumClaim) {
	batches := map[spectrumCell][]spectrumMean{} // by shape
	var shapes []spectrumCell
	for i, cell := range cells {
		if cell.Index == 0 {
			shapes = append(shapes, cell)
		}
		cell.Index = 0
		batches[cell] = append(batches[cell], all[i])
	}
	for _, shape := range shapes {
		m, fourth := theory.MP{Gamma: float64(shape.D) / float64(shape.N)}, 3.0
		if shape.Entries == "±1" {
			fourth = 1
		}
		r.RegimeOf(m.Gamma == 1, m.Gamma == 2)
		judge := func(name string, of func(spectrumMean) float64, claimed, sd, bias float64) {
			var draws []float64
			for _, one := range batches[shape] {
				draws = append(draws, of(one)/claimed)
			}
			// A sum over eigenvalues scatters by sd, however many they are.
			scale := float64(shape.D) * claimed
			props.Limit{Name: name, SD: sd / math.Sqrt(float64(shape.Draws)) / scale, Bias: bias / scale}.Judge(r, draws, 1)
		}
		judge(resolventAt, func(x spectrumMean) float64 { return x.Resolvent }, c.resolvent(m), 0.65,
			math.Abs(m.Correction(regularisation, fourth)))
		judge(shareAbove, func(x spectrumMean) float64 { return x.Above }, c.above(m), 0.8, 0.25)
	}
}

// measureSpectra draws matrices whose entries are multiplied by a factor, and each row by one that spreads around 1.
func measureSpectra(t *props.Trial, c spectrumCell, factor, spread float64) (out spectrumMean) {
	for range c.Draws {
		x := gen.Gaussian(t.Rand, c.N, c.D, 1)
		if c.Entries == "±1" {
			x.Apply(func(_, _ int, _ float64) float64 { return sign(t.Rand) }, x)
		}
		for i := range c.N {
			floats.Scale(factor*(1+spread*sign(t.Rand)), x.RawRowView(i))
		}
		s := spectrumOf(x)
		out.Resolvent += s.resolvent(regularisation) / float64(c.Draws)
		out.Above += s.above(inside) / float64(c.Draws)
	}
	return out
}

// spectrum holds the eigenvalues of W.
type spectrum []float64

func spectrumOf(x *mat.Dense) spectrum {
	n, d := x.Dims()
	values, err := linalg.SingularValues(x)
	if err != nil {
		panic(err) // normal entries are finite
	}
	s := make(spectrum, d) // beyond n they are 0
	for i, v := range values {
		s[i] = v * v / float64(n)
	}
	return s
}

func (s spectrum) mean(f func(x float64) float64) float64 {
	sum := 0.0
	for _, x := range s {
		sum += f(x) / float64(len(s))
	}
	return sum
}

func (s spectrum) moment(k int) float64 {
	return s.mean(func(x float64) float64 { return math.Pow(x, float64(k)) })
}

func (s spectrum) resolvent(at float64) float64 {
	return s.mean(func(x float64) float64 { return 1 / (x + at) })
}

func (s spectrum) above(at float64) float64 {
	return float64(floats.Count(func(x float64) bool { return x > at }, s)) / float64(len(s))
}

// drawSpectrum draws one of the size that a user names.
func drawSpectrum(t *props.Trial, v statement.Values) spectrum {
	n, d := v.Int("n"), v.Int("d")
	t.Need(n*d <= 4e6, "n·d = %d entries are more than can be drawn here; take at most 4·10⁶", n*d)
	return spectrumOf(gen.Gaussian(t.Rand, n, d, 1))
}

// spectrumFigure is a histogram of the eigenvalues that are not 0, and the density.
func spectrumFigure(n, d int, s spectrum) props.Figure {
	m := theory.MP{Gamma: float64(d) / float64(n)}
	lo, hi := m.Edges()
	bars := props.Curve{Name: "eigenvalues", Style: props.Bars}
	line := props.Curve{Name: "density, predicted", Style: props.Dashed}
	const bins = 20
	width := (hi - lo) / bins
	for i := range bins + 1 {
		left := lo + float64(i)*width
		bars.X = append(bars.X, left)
		if i < bins {
			bars.Y = append(bars.Y, (s.above(left)-s.above(left+width))/width)
		}
	}
	for i := 1; i < 200; i++ {
		x := lo + (hi-lo)*float64(i)/200
		line.Add(x, m.Density(x))
	}
	return props.Figure{ID: "spectrum", Title: "Spectrum of a white sample covariance matrix",
		Caption: fmt.Sprintf("Histogram of the eigenvalues of one W with n = %d samples in d = %d dimensions, without those "+
			"that are 0 since d > n, as shares per unit length, and the density of the limit.", n, d),
		X: props.Axis{Label: "eigenvalue"}, Y: props.Axis{Label: "density"}, Curves: []props.Curve{bars, line}}
}
