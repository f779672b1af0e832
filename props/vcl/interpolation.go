package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// interpolation pairs the bound and the mean of squares with decoders of one layer.
var interpolation = props.Spec{
	Statement: &theory.Interpolation,
	Checks: []props.Check{
		props.Drawn[decoder, decoderClaim]{
			Name:    "all pairs",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Tries:   36,
			Regimes: []string{atTheEnds, inBetween, withoutBias},
			Draw:    func(t *props.T) decoder { return drawDecoder(t, 0, nn.Identity) },
			Claim: decoderClaim{theory.Reconstruction.Interpolated, decoder.errors, func(ends bool) bool { return ends },
				(*props.Record).AtMost},
			Judge: judgeDecoder,
			Proven: map[string]string{"mean error": "every rounding of both sides is counted",
				"mean error at the ends": "every rounding of both sides is counted"},
			Controls: []props.Wrong[decoder, decoderClaim]{
				{Name: "GELU decoder", Assumption: "affine", Criterion: "mean squared error",
					Draw: func(t *props.T) decoder { return drawDecoder(t, 0, nn.GELU) }},
				{Name: "extrapolation", Assumption: "between", Criterion: "mean error",
					Draw: func(t *props.T) decoder { return drawDecoder(t, 1.125, nn.Identity) }},
				{Name: "distinct pairs alone", Assumption: "ordered-pairs", Criterion: "mean squared error",
					Instead: decoderClaim{errors: decoder.errorsOfDistinct}},
				{Name: "pairs as far off as their ends", Criterion: "mean squared error",
					Instead: decoderClaim{square: func(e theory.Reconstruction, _ float64) float64 { return e.Squares }}},
				{Name: "mean error as large as the mean residual between the ends", Criterion: "mean error at the ends",
					Instead: decoderClaim{attained: func(bool) bool { return true }}},
				{Reading: "root", Criterion: "mean residual", Draw: props.Constant(workedDecoder()),
					Instead: decoderClaim{residual: (*props.Record).AtLeast}},
			},
		},
	},
	Along: &props.Along{
		Param: "alpha", To: 1, Reps: 2, Of: []string{"squared"},
		Each: &props.ParamSweep{Name: "bias", Values: []string{"0", "0.5", "1"}},
	},
	Try: &props.Simulation{
		Params: []statement.Param{
			{Name: "samples", Symbol: "N", Meaning: "number of samples", Domain: statement.IntegerBetween(2, 300),
				Default: "20"},
			{Name: "outputs", Symbol: "p", Meaning: "length of a sample", Domain: statement.IntegerBetween(1, 1000),
				Default: "10"},
			{Name: "codes", Symbol: "d", Meaning: "length of a code", Domain: statement.IntegerBetween(1, 100),
				Default: "3"},
		},
		Run: tryDecoder,
	},
}.Claim()

// decoderClaim holds the claims about the errors between codes.
type decoderClaim struct {
	square   func(e theory.Reconstruction, alpha float64) float64
	errors   func(decoder) (mean, square float64) // over the pairs that it speaks of
	attained func(ends bool) bool                 // whether the mean error is the mean residual
	residual func(r *props.Record, name string, value, bound, slack float64)
}

// The regimes of a decoder.
const (
	atTheEnds   = "α = 0 or 1"
	inBetween   = "0 < α < 1"
	withoutBias = "0 < α < 1, hardly any bias"
)

// decoder is an affine decoder, and what it makes of codes and of the points between them.
type decoder struct {
	A       *mat.Dense `npy:"A"` // p×d
	B       []float64  `npy:"b"`
	Codes   *mat.Dense `npy:"Z"`       // d×N
	Samples *mat.Dense `npy:"X"`       // p×N
	Decoded *mat.Dense `npy:"decoded"` // p×N
	Between *mat.Dense `npy:"between"` // p×N²
	Alpha   float64    `npy:"alpha"`
}

// Valid names the violated hypothesis.
func (c decoder) Valid() error {
	if !(c.Alpha >= 0 && c.Alpha <= 1) {
		return errors.New("the bound is for 0 ≤ α ≤ 1")
	}
	return nil
}

// workedDecoder is the best linear decoder of the samples 4 and −4 from the codes 1 and 0.
func workedDecoder() decoder {
	return decoder{A: mat.NewDense(1, 1, []float64{4}), B: []float64{0}, Codes: mat.NewDense(1, 2, []float64{1, 0}),
		Samples: mat.NewDense(1, 2, []float64{4, -4}), Alpha: 0.5}.decode(nn.Identity)
}

// drawDecoder draws a decoder with an activation, and α from some number on.
func drawDecoder(t *props.T, from float64, act nn.Activation) decoder {
	d, p, count := gen.Dim(t.T, "d", 8), gen.Dim(t.T, "p", 8), gen.Dim(t.T, "N", 8)
	size := gen.LogUniform(t.T, "size of the samples", 1e-3, 1e3)
	alpha := from + float64(rapid.IntRange(0, 64).Draw(t.T, "64α"))/64
	r := t.Stream("entries")
	c := decoder{A: gen.Gaussian(r, p, d, 1), B: gen.Gaussian(r, p, 1, 1).RawMatrix().Data,
		Codes:   gen.Gaussian(r, d, count, 1),
		Samples: gen.Gaussian(r, p, count, size), Alpha: alpha}.decode(act)
	if rapid.Bool().Draw(t.T, "without bias") && count > 1 { // of one sample nothing would be left
		_, mean := c.residuals()
		floats.Sub(c.B, mean)
		c = c.decode(act)
	}
	return c
}

// decode runs the decoder as a network of one layer.
func (c decoder) decode(act nn.Activation) decoder {
	net := nn.Net{{W: c.A, B: c.B, Act: act}}
	p, count := c.Samples.Dims()
	c.Decoded, c.Between = mat.NewDense(p, count, nil), mat.NewDense(p, count*count, nil)
	for i := range count {
		c.Decoded.SetCol(i, net.Forward(mat.Col(nil, i, c.Codes), nil))
		for j := range count {
			c.Between.SetCol(i*count+j, net.Forward(mixed(c.Codes, i, j, c.Alpha), nil))
		}
	}
	return c
}

// mixed is αaᵢ + (1−α)aⱼ for columns of a.
func mixed(a *mat.Dense, i, j int, alpha float64) []float64 {
	out := mat.Col(nil, j, a)
	floats.Scale(1-alpha, out)
	floats.AddScaled(out, alpha, mat.Col(nil, i, a))
	return out
}

// residuals are the lengths of the residuals, and their mean.
func (c decoder) residuals() (lengths, mean []float64) {
	p, count := c.Samples.Dims()
	mean = make([]float64, p)
	for i := range count {
		r := mat.Col(nil, i, c.Decoded)
		floats.Sub(r, mat.Col(nil, i, c.Samples))
		lengths = append(lengths, floats.Norm(r, 2))
		floats.AddScaled(mean, 1/float64(count), r)
	}
	return lengths, mean
}

// errors are the means over the pairs of the error and of its square.
func (c decoder) errors() (mean, square float64) {
	return c.errorsOf(func(i, j int) bool { return true })
}

// errorsOfDistinct returns the errors over distinct pairs, where there are any.
func (c decoder) errorsOfDistinct() (mean, square float64) {
	_, count := c.Samples.Dims()
	return c.errorsOf(func(i, j int) bool { return i != j || count == 1 })
}

func (c decoder) errorsOf(pair func(i, j int) bool) (mean, square float64) {
	_, count := c.Samples.Dims()
	pairs := 0.0
	for i := range count {
		for j := range count {
			if !pair(i, j) {
				continue
			}
			e := floats.Distance(mat.Col(nil, i*count+j, c.Between), mixed(c.Samples, i, j, c.Alpha), 2)
			mean, square, pairs = mean+e, square+e*e, pairs+1
		}
	}
	return mean / pairs, square / pairs
}

// size is the largest of ‖A‖‖z‖+‖b‖+‖x‖. Outside [0, 1] what is mixed grows by |α|+|1−α|.
func (c decoder) size() float64 {
	_, count := c.Samples.Dims()
	largest := 0.0
	for i := range count {
		z, x := mat.Col(nil, i, c.Codes), mat.Col(nil, i, c.Samples)
		largest = max(largest, mat.Norm(c.A, 2)*floats.Norm(z, 2)+floats.Norm(c.B, 2)+floats.Norm(x, 2))
	}
	return largest * (math.Abs(c.Alpha) + math.Abs(1-c.Alpha))
}

func judgeDecoder(r *props.Record, c decoder, claim decoderClaim) {
	lengths, bias := c.residuals()
	d, count := c.Codes.Dims()
	squares := floats.Dot(lengths, lengths) / float64(count)
	e := theory.Reconstruction{Squares: squares, Bias: min(floats.Norm(bias, 2), math.Sqrt(squares))}
	ends := c.Alpha == 0 || c.Alpha == 1
	r.RegimeOf(!ends, !ends && e.Bias < 1e-3*e.Bound())
	mean, square := claim.errors(c)
	// Between codes an error has d+1 roundings of the decoder, two each of the mixed codes and samples and one of their
	// difference: (d+6)u of the size; a residual d+2. Norms of p entries err by (5p+4)u/2 on either side, as a scaled
	// sum of squares has at most five roundings per entry, and means by N²+1 and N+1.
	p, _ := c.Samples.Dims()
	err := float64(d+8) * r.Unit() * c.size()
	sum := float64(count*count+count+5*p+8) * r.Unit()
	r.Within("mean squared error", square, claim.square(e, c.Alpha),
		4*math.Sqrt(squares+square)*err+4*err*err+sum*(squares+square))
	length := floats.Sum(lengths) / float64(count)
	slack := 2*err + sum*length
	r.AtMost("mean error", mean, length, slack)
	if claim.attained(ends) {
		r.Within("mean error at the ends", mean, length, slack)
	}
	claim.residual(r, "mean residual", length, e.Bound(), slack)
}

// tryDecoder draws a random decoder and samples with the wanted two moments of the residuals.
func tryDecoder(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, d, count := v.Int("outputs"), v.Int("codes"), v.Int("samples")
	noise := centred(gen.Gaussian(t.Rand, p, count, 1))
	c := decoder{A: gen.Gaussian(t.Rand, p, d, 1), B: gen.Gaussian(t.Rand, p, 1, 1).RawMatrix().Data,
		Codes:   gen.Gaussian(t.Rand, d, count, 1),
		Samples: mat.NewDense(p, count, nil), Alpha: v.Float("alpha")}.decode(nn.Identity)
	spread := math.Sqrt(max(0, v.Float("squares")-math.Pow(v.Float("bias"), 2))*float64(count)) / mat.Norm(noise, 2)
	noise.Apply(func(_, _ int, x float64) float64 { return spread*x + v.Float("bias")/math.Sqrt(float64(p)) }, noise)
	c.Samples.Sub(c.Decoded, noise)
	_, square := c.errors()
	return map[string]float64{"squared": square}, nil
}
