package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// interpolation pairs the bound and the mean of squares with decoders of one layer.
var interpolation = props.Claim{
	Statement: &theory.Interpolation,
	Verify: []props.LegacyCheck{
		interpolationPairs(interpolationTrial{}),
		interpolationCurve(interpolationTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "GELU decoder", Assumption: "affine", Check: interpolationPairs(interpolationTrial{curved: true})},
		{Name: "extrapolation", Assumption: "between", Check: interpolationPairs(interpolationTrial{outside: true})},
		{Name: "pairs as far off as their ends", Check: interpolationCurve(interpolationTrial{unmixed: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "root", Check: interpolationRoot()},
	},
	Resolve: []props.Resolution{
		{Of: "the mean squared error", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return interpolationCurve(interpolationTrial{dose: dose}) }},
	},
}

// interpolationTrial is the version of the claim on trial. The zero value is the claim itself.
type interpolationTrial struct {
	dose    float64 // the mean of squares times 1+dose
	curved  bool
	outside bool
	unmixed bool // the mean of squares is that of the residuals
}

// decoder is an affine map of codes with the samples that it should give.
type decoder struct {
	net      nn.Net
	codes, x *mat.Dense // columns
}

func (v interpolationTrial) decoder(r *rand.Rand, codes, outputs, count int) decoder {
	act := nn.Identity
	if v.curved {
		act = nn.GELU
	}
	return decoder{nn.Net{{W: gen.Gaussian(r, outputs, codes, 1), B: gen.Gaussian(r, outputs, 1, 1).RawMatrix().Data, Act: act}},
		gen.Gaussian(r, codes, count, 1), gen.Gaussian(r, outputs, count, 1)}
}

// errors are the means over all pairs of the error and of its square.
func (d decoder) errors(alpha float64) (mean, square float64) {
	_, count := d.x.Dims()
	for i := range count {
		for j := range count {
			z, x := mixed(d.codes, i, j, alpha), mixed(d.x, i, j, alpha)
			e := floats.Distance(d.net.Forward(z, nil), x, 2)
			mean += e / float64(count*count)
			square += e * e / float64(count*count)
		}
	}
	return mean, square
}

// mixed is αaᵢ + (1−α)aⱼ for columns of a.
func mixed(a *mat.Dense, i, j int, alpha float64) []float64 {
	out := mat.Col(nil, j, a)
	floats.Scale(1-alpha, out)
	floats.AddScaled(out, alpha, mat.Col(nil, i, a))
	return out
}

// residuals are the mean length of the residuals, their first two moments, and the largest of ‖A‖‖z‖+‖b‖+‖x‖.
func (d decoder) residuals() (mean float64, e theory.Reconstruction, size float64) {
	outputs, count := d.x.Dims()
	bias := make([]float64, outputs)
	for i := range count {
		z, x := mat.Col(nil, i, d.codes), mat.Col(nil, i, d.x)
		r := d.net.Forward(z, nil)
		floats.Sub(r, x)
		length := floats.Norm(r, 2)
		mean += length / float64(count)
		e.Squares += length * length / float64(count)
		floats.AddScaled(bias, 1/float64(count), r)
		size = max(size, mat.Norm(d.net[0].W, 2)*floats.Norm(z, 2)+floats.Norm(d.net[0].B, 2)+floats.Norm(x, 2))
	}
	e.Bias = floats.Norm(bias, 2)
	return mean, e, size
}

// judge compares both means at one α with the bound and the closed form. Outside [0, 1] what is mixed grows by |α|+|1−α|.
func (v interpolationTrial) judge(d decoder, alpha float64) (ratio props.Ratio, square, claimed float64) {
	mean, square := d.errors(alpha)
	length, e, size := d.residuals()
	codes, count := d.codes.Dims()
	size *= math.Abs(alpha) + math.Abs(1-alpha)
	slack := float64(codes+8) * 0x1p-53 * size
	claimed = (1 + v.dose) * e.Interpolated(alpha)
	if v.unmixed {
		claimed = e.Squares
	}
	ratio = props.Worst(
		props.AtMost(mean, length, slack),
		props.AtMost(length, e.Bound(), slack),
		props.Within(square-claimed, 2*float64(codes+8+count)*0x1p-53*size*size),
	)
	if alpha == 0 || alpha == 1 {
		ratio = props.Worst(ratio, props.Within(mean-length, slack))
	}
	return ratio, square, claimed
}

// interpolationPairs is everything about one decoder at one α.
func interpolationPairs(v interpolationTrial) props.LegacyCheck {
	return props.Property{
		Name:  "all pairs",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			codes, outputs, count := gen.Dim(t.T, "codes", 5), gen.Dim(t.T, "outputs", 5), gen.Dim(t.T, "N", 6)
			alpha := float64(rapid.IntRange(0, 8).Draw(t.T, "8α")) / 8
			if v.outside {
				alpha += 1.125
			}
			d := v.decoder(t.Stream("entries"), codes, outputs, count)
			ratio, square, claimed := v.judge(d, alpha)
			t.Show("A", d.net[0].W)
			t.Show("b", d.net[0].B)
			t.Show("codes in columns", d.codes)
			t.Show("samples in columns", d.x)
			t.Show("α", alpha)
			t.Show("mean squared error, measured and claimed", []float64{square, claimed})
			return ratio
		},
	}.Check()
}

// alongAlpha is one decoder at α = 0, ⅛, … 1.
type alongAlpha struct {
	alpha, square, claimed []float64 // means of squares over that of the residuals
	ratio                  props.Ratio
}

// interpolationCurve is the mean of squares along α, of decoders with less and less bias.
func interpolationCurve(v interpolationTrial) props.LegacyCheck {
	return props.LegacySweep[int, alongAlpha]{
		Name: "along α",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 6, Standard: 20, Deep: 1000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) alongAlpha {
			d := v.decoder(t.Rand, 3, 4, 12)
			d.unbias(math.Pow(0.5, float64(cell%6)))
			var a alongAlpha
			_, e, _ := d.residuals()
			for k := range 9 {
				ratio, square, claimed := v.judge(d, float64(k)/8)
				a.ratio = props.Worst(a.ratio, ratio)
				a.alpha, a.square, a.claimed = append(a.alpha, float64(k)/8), append(a.square, square/e.Squares), append(a.claimed, claimed/e.Squares)
			}
			return a
		},
		Judge: func(_ []int, all []alongAlpha) props.Judgement {
			ratio, curves := props.Ratio{}, []props.Curve{}
			for i, a := range all {
				ratio = props.Worst(ratio, a.ratio)
				if i%5 == 0 && i < 6 {
					curves = append(curves, props.Curve{Name: fmt.Sprintf("bias times %.3g", math.Pow(0.5, float64(i))), Style: props.Points, X: a.alpha, Y: a.square},
						props.Curve{Name: fmt.Sprintf("closed form, %.3g", math.Pow(0.5, float64(i))), Style: props.Dashed, X: a.alpha, Y: a.claimed})
				}
			}
			return props.Judgement{
				Parts: []props.Part{{Name: "both means along α", Ratio: ratio}},
				Figures: []props.Figure{{
					ID:    "alpha",
					Title: "Interpolation error between two samples",
					Caption: "Mean squared interpolation error over mean squared residual against the weight of the first sample, for one decoder with its bias and one with " +
						"hardly any: the points lie on the closed form, and without bias the error halves midway.",
					X: props.Axis{Label: "α"}, Y: props.Axis{Label: "mean squared error over that of the residuals"}, Curves: curves,
				}},
			}
		},
	}.Check()
}

// unbias leaves so much of the mean residual.
func (d decoder) unbias(rest float64) {
	outputs, count := d.x.Dims()
	for k := range outputs {
		mean := 0.0
		for i := range count {
			mean += (d.net.Forward(mat.Col(nil, i, d.codes), nil)[k] - d.x.At(k, i)) / float64(count)
		}
		d.net[0].B[k] -= (1 - rest) * mean
	}
}

// interpolationRoot is the printed remark on the worked case, with the spread √(e₀/N) = 4 for the unit. The best linear decoder is approached by a
// penalty of 10⁻¹².
func interpolationRoot() props.LegacyCheck {
	return props.Example("the bound is √(1−T₀)", func() (props.Ratio, string) {
		h, y := mat.NewDense(1, 2, []float64{1, 0}), []float64{4, -4}
		fitted, err := features.Ridge(h, y, 1e-12)
		if err != nil {
			return props.Truth(true), err.Error()
		}
		bound, squares := 0.0, 0.0
		for i := range y {
			bound += math.Abs(y[i]-fitted[i]) / 2
			squares += math.Pow(y[i]-fitted[i], 2)
		}
		root := math.Sqrt(squares/32) * math.Sqrt(32./2) // e₀ = 32, N = 2
		return props.Within(bound-root, 1e-9), fmt.Sprintf("codes 1 and 0, samples 4 and −4: bound %.6g, √(1−T₀)√(e₀/N) = %.6g", bound, root)
	})
}
