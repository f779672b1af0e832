package spectra

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// softEdge finds the law of the largest singular value by a Pfaffian, without sampling, and samples it.
var softEdge = props.Spec{
	Statement: &theory.SoftEdge,
	Checks:    []props.Check{largestLaw, largestSampled},
	Along: &props.Along{Param: "n", From: 20, To: 400, Of: []string{"mean"}, Y: "largest eigenvalue of XᵀX",
		At: map[string]string{"p": "20", "draws": "20"}},
	Try: &props.Simulation{Run: tryLargest, Params: []statement.Param{{Name: "draws", Symbol: "",
		Meaning: "matrices that are drawn", Domain: statement.IntegerBetween(2, 1e6), Default: "100"}}},
}.Claim()

// largestClaim is the centre and the scale of λ, and its law with mean and standard deviation.
type largestClaim struct {
	centre, scale func(theory.LargestWishart) float64
	law           func(float64) float64
	mean, sd      float64
}

var largestStated = largestClaim{theory.LargestWishart.Centre, theory.LargestWishart.Scale, tracyWidom,
	theory.TracyWidomMean, theory.TracyWidomSD}

var tracyWidomAt sync.Map // F₁(s) by s, each of them a determinant of order 64

// tracyWidom is F₁(s). Most controls ask for it at the same places.
func tracyWidom(s float64) float64 {
	if known, ok := tracyWidomAt.Load(s); ok {
		return known.(float64)
	}
	p := theory.TracyWidom(s)
	tracyWidomAt.Store(s, p)
	return p
}

// The criteria.
const (
	edgeLaw    = "P(λ ≤ x)"
	edgeMean   = "mean of (λ−μ)/s"
	edgeSD     = "standard deviation of (λ−μ)/s"
	edgeRate   = "exponent of its error"
	edgeMax    = "E σ₁ ≤ √n + √p"
	edgeMin    = "E σ_p ≥ √n − √p"
	edgeTail   = "P(σ₁ > √n + √p + t) over e^(−t²/2)"
	edgeMedian = "median of λ of samples"
	nextOrder  = "two sizes leave the next order of the limit"
)

// largestExact holds the values that the Pfaffian gives for one size.
type largestExact struct {
	N, P          int
	At, Below     []float64 // values x of λ, and P(λ ≤ x)
	Mean, SD      float64   // of λ
	Top, Bottom   float64   // E σ₁, and E σ_p at the smaller size
	Tail, TailEnd float64   // P(σ₁ > √n + √p + t) for t = ¼ and 1
}

var largestLaw = props.Grid[theory.LargestWishart, [2]largestExact, largestClaim]{
	Name: "law by a Pfaffian",
	Cells: func(e props.Effort) (out []theory.LargestWishart) {
		for _, p := range (props.Sizes{Quick: []int{4}, Standard: []int{8}, Deep: []int{7, 8}}).At(e) {
			out = append(out, theory.LargestWishart{N: p, P: p}, theory.LargestWishart{N: 2 * p, P: p},
				theory.LargestWishart{N: 8 * p, P: p})
		}
		return out
	},
	Regimes: []string{"n = p", "n = 2p", "n = 8p"},
	Measure: func(_ *props.Trial, l theory.LargestWishart) [2]largestExact {
		return [2]largestExact{exactLargest(l.N, l.P), exactLargest(8*l.N, 8*l.P)}
	},
	Claim:  largestStated,
	Judge:  judgeLargest,
	Chosen: map[string][]string{"coefficient of the next order": {edgeLaw, edgeMean, edgeSD, edgeRate}},
	Controls: []props.WrongCell[theory.LargestWishart, [2]largestExact, largestClaim]{
		{Name: "centre (√n + √p)²", Criterion: edgeMean, Instead: largestClaim{centre: func(l theory.LargestWishart) float64 {
			return l.Centre() + (math.Sqrt(float64(l.N)/float64(l.P))+math.Sqrt(float64(l.P)/float64(l.N)))/2 + 1
		}}},
		{Name: "scale without the cube root", Criterion: edgeSD,
			Instead: largestClaim{scale: func(l theory.LargestWishart) float64 { return math.Sqrt(l.Centre()) }}},
		{Name: "law of complex entries", Assumption: "real", Criterion: edgeMean,
			Instead: largestClaim{mean: -1.771086807412, sd: math.Sqrt(0.813194792821)}},
		{Name: "scale of n^(1/2)", Criterion: edgeRate, Instead: largestClaim{scale: func(l theory.LargestWishart) float64 {
			return l.Scale() * math.Pow(float64(l.P), 1./6)
		}}},
		{Name: "normal law", Criterion: edgeLaw, Instead: largestClaim{law: func(x float64) float64 {
			return distuv.Normal{Mu: theory.TracyWidomMean, Sigma: theory.TracyWidomSD}.CDF(x)
		}}},
		{Name: "√(n+p) for √n + √p", Criterion: edgeMax, Alter: func(l theory.LargestWishart, m *[2]largestExact) {
			m[0].Top += math.Sqrt(float64(l.N)) + math.Sqrt(float64(l.P)) - math.Sqrt(float64(l.N+l.P))
		}},
		{Name: "smallest singular value over √n − √p by more", Criterion: edgeMin,
			Alter: func(l theory.LargestWishart, m *[2]largestExact) { m[0].Bottom -= 1.2 * math.Sqrt(float64(l.P)) }},
		{Name: "tail of λ for that of σ₁", Criterion: edgeTail,
			Alter: func(_ theory.LargestWishart, m *[2]largestExact) { m[0].Tail = 1 }},
		{Name: "tail of λ for that of σ₁, farther out", Criterion: edgeTail,
			Alter: func(_ theory.LargestWishart, m *[2]largestExact) { m[0].TailEnd = 1 }},
	},
	Coarse: map[string]string{edgeLaw: nextOrder, edgeMean: nextOrder, edgeSD: nextOrder,
		edgeMax: "a bound that is not attained", edgeMin: "a bound that is not attained",
		edgeTail: "a bound that is far from attained"},
}

// exactLargest integrates over the law of σ₁, and of σ_p, on a range beyond which is less than 10⁻⁹.
func exactLargest(n, p int) largestExact {
	a, b := math.Sqrt(float64(n)), math.Sqrt(float64(p))
	out := largestExact{N: n, P: p, Tail: 1 - confined(n, p, 0, a+b+0.25), TailEnd: 1 - confined(n, p, 0, a+b+1)}
	for s := -3.5; s <= 0.5; s += 0.5 {
		x := (a+b)*(a+b) - (a/b+b/a)/2 - 1 + s*(a+b)*math.Cbrt(1/a+1/b)
		if x > 0 {
			out.At, out.Below = append(out.At, x), append(out.Below, confined(n, p, 0, math.Sqrt(x)))
		}
	}
	const nodes = 36
	x, w := make([]float64, nodes), make([]float64, nodes)
	lo, hi := max(0, a+b-5), a+b+4
	quad.Legendre{}.FixedLocations(x, w, lo, hi)
	mean, square, fourth := lo, lo*lo, math.Pow(lo, 4)
	for k, y := range x {
		above := 1 - confined(n, p, 0, y)
		mean, square, fourth = mean+w[k]*above, square+2*w[k]*y*above, fourth+4*w[k]*math.Pow(y, 3)*above
	}
	out.Top, out.Mean, out.SD = mean, square, math.Sqrt(fourth-square*square)
	if p > 8 { // the bounds are compared at the smaller size
		return out
	}
	lo, hi = max(0, a-b-6), a-b+4
	out.Bottom = lo + quad.Fixed(func(y float64) float64 { return confined(n, p, y, math.Inf(1)) }, lo, hi, 24,
		quad.Legendre{}, 0)
	return out
}

func judgeLargest(r *props.Record, l theory.LargestWishart, m [2]largestExact, c largestClaim) {
	r.RegimeOf(l.N == 2*l.P, l.N == 8*l.P)
	var got, want []float64
	var means, sds, errors [2]float64
	for i, e := range m {
		of := theory.LargestWishart{N: e.N, P: e.P}
		centre, scale := c.centre(of), c.scale(of)
		means[i], sds[i] = (e.Mean-centre)/scale, e.SD/scale
		errors[i] = math.Log(math.Abs(sds[i] - c.sd))
	}
	small, large := theory.LargestWishart{N: m[0].N, P: m[0].P}, theory.LargestWishart{N: m[1].N, P: m[1].P}
	skip := len(m[1].At) - len(m[0].At) // places below 0 at the small size
	for k, x := range m[0].At {
		got = append(got, extrapolated(m[0].Below[k], m[1].Below[k+skip]))
		far, near := (m[1].At[k+skip]-c.centre(large))/c.scale(large), (x-c.centre(small))/c.scale(small)
		want = append(want, extrapolated(c.law(near), c.law(far)))
	}
	next := 0.15 * math.Pow(float64(l.P), -4./3)
	r.WithinVector(edgeLaw, got, want, 0.4*next*math.Sqrt(float64(len(got))))
	r.Within(edgeMean, extrapolated(means[0], means[1]), c.mean, next)
	r.Within(edgeSD, extrapolated(sds[0], sds[1]), c.sd, next)
	r.WithinExponent(edgeRate, (errors[1]-errors[0])/math.Log(8), -2./3, 0.12*math.Pow(float64(l.P), -2./3))
	a, b := math.Sqrt(float64(l.N)), math.Sqrt(float64(l.P))
	r.AtMost(edgeMax, m[0].Top, a+b, 1e-9)
	r.AtLeast(edgeMin, m[0].Bottom, a-b, 1e-9)
	r.AtMost(edgeTail, max(m[0].Tail*math.Exp(1./32), m[0].TailEnd*math.Exp(0.5)), 1, 1e-9)
}

// largestBatch is a batch of matrices of one size.
type largestBatch struct{ N, P, Matrices, Batch int }

var largestSampled = props.Grid[largestBatch, []float64, largestClaim]{
	Name: "median of sampled matrices",
	Cells: func(e props.Effort) (out []largestBatch) {
		for _, n := range []int{20, 40} {
			for i := range 32 {
				matrices := props.Scale{Quick: 50, Standard: 150, Deep: 4000}.At(e)
				if n == 20 && e != props.Quick { // cheap, and the coarser one
					matrices *= 4
				}
				out = append(out, largestBatch{n, n / 2, matrices, i})
			}
		}
		return out
	},
	Regimes: []string{"n = 20", "n = 40"},
	Measure: func(t *props.Trial, b largestBatch) []float64 {
		return b.sample(func() *mat.Dense { return gen.Gaussian(t.Rand, b.N, b.P, 1) })
	},
	Claim: largestStated,
	Conclude: func(r *props.Record, cells []largestBatch, all [][]float64, c largestClaim) {
		for _, n := range []int{20, 40} {
			var values []float64
			for i, b := range cells {
				if b.N == n {
					values = append(values, all[i]...)
				}
			}
			if values == nil { // a control that is tried on the other size
				continue
			}
			r.RegimeOf(n == 40)
			l := theory.LargestWishart{N: n, P: n / 2}
			claimed := c.centre(l) + quantileOf(c.law, 0.5, -6, 4)*c.scale(l)
			margin := stat.MedianMargin(stat.SkewedTail(0.3), 1.27*l.Scale(), len(values), stat.CriterionAlpha,
				stat.CriterionUndecided)
			margin += 0.3 * math.Pow(float64(l.P), -2./3) * l.Scale()
			r.Equals(edgeMedian, stat.Median(values, stat.CriterionAlpha), claimed, margin)
		}
	},
	Chosen: map[string][]string{"coefficient of the next order": {edgeMedian}},
	Controls: []props.WrongCell[largestBatch, []float64, largestClaim]{
		{Name: "Student's law with three degrees of freedom", Assumption: "gaussian",
			On: func(b largestBatch) bool { return b.N == 40 },
			Measure: func(t *props.Trial, b largestBatch) []float64 {
				student := distuv.StudentsT{Sigma: 1 / math.Sqrt(3), Nu: 3, Src: t.Rand}
				return b.sample(func() *mat.Dense {
					x := mat.NewDense(b.N, b.P, nil)
					x.Apply(func(_, _ int, _ float64) float64 { return student.Rand() }, x)
					return x
				})
			}},
		{Name: "centre (1 + γ)n",
			Instead: largestClaim{centre: func(l theory.LargestWishart) float64 { return float64(l.N + l.P) }}},
	},
}

// sample draws λ.
func (b largestBatch) sample(draw func() *mat.Dense) []float64 {
	out := make([]float64, b.Matrices)
	for i := range out {
		values, err := linalg.SingularValues(draw())
		if err != nil {
			out[i] = math.NaN()
			continue
		}
		out[i] = values[0] * values[0]
	}
	return out
}

func tryLargest(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, p, draws := v.Int("n"), v.Int("p"), v.Int("draws")
	t.Need(p*draws <= 1e7, "p times the number of draws is %d; take at most 10⁷", p*draws)
	mean, square, top := 0.0, 0.0, 0.0
	for range draws {
		x, _ := gaussianBidiagonal(t.Rand, n, p).gram().largest()
		mean, square, top = mean+x/float64(draws), square+x*x/float64(draws), top+math.Sqrt(x)/float64(draws)
	}
	return map[string]float64{"mean": mean, "sd": math.Sqrt((square - mean*mean) * float64(draws) / float64(draws-1)),
		"largest": top}, nil
}
