package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/hinge"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// fits pairs what the source says of classifiers on the features of each step with fits to the end.
var fits = props.Spec{
	Statement: &theory.Fits,
	Checks: []props.Check{props.Sweep[int, fitted]{
		Name:       "second layers fitted on samples",
		Cells:      props.Scale{Quick: 1, Standard: 3, Deep: 20}.Indices,
		Regimes:    []string{"all steps"},
		Replicates: 1,
		Measure: func(t *props.Trial, _ int, done string) fitted {
			law := fair(20+t.Rand.IntN(21), 3, 0.3+0.3*t.Rand.Float64())
			if done == "uniform" {
				law.Uniform = 1
			}
			return fitAll(t.Rand, netSizes{law, 64, 4000}, done)
		},
		Judge:    judgeFitted,
		Conclude: func(r *props.Record, _ []int, all []fitted, _ string) { r.Figure(figureOfFits(all[0])) },
		Controls: []props.Control{
			{Name: "one step", Assumption: "second-step", Criterion: "error after both steps", Done: "one step"},
			{Name: "a second step of 10⁻³", Assumption: "large-second-step", Criterion: "error after both steps",
				Done: "small"},
			{Name: "uniform inputs", Assumption: "structured", Criterion: "error after both steps", Done: "uniform"},
			{Name: "uniform inputs, by their loss", Assumption: "structured", Criterion: "loss after both steps",
				Done: "uniform"},
			{Name: "both steps taken for the first", Criterion: "loss after the first step", Done: "both"},
			{Name: "both steps taken for a small second one", Criterion: "loss after a small second step", Done: "both"},
			{Name: "both steps taken for none, by the loss", Criterion: "loss of the initial neurons", Done: "both"},
			{Name: "both steps taken for none, by the error", Criterion: "error of the initial neurons", Done: "both"},
			{Name: "loss above 1.2λ after one step", Criterion: "loss after the first step", Claimed: "higher"},
			{Name: "loss above 1.2λ after a small second step", Criterion: "loss after a small second step",
				Claimed: "higher"},
			{Name: "loss above 1.6λ of the initial neurons", Criterion: "loss of the initial neurons",
				Claimed: "higher"},
			{Name: "error above 0.8λ of the initial neurons", Criterion: "error of the initial neurons",
				Claimed: "higher"},
		},
	}},
	Try: &props.Simulation{Run: fitOnce, Draw: drawFits},
}.Claim()

// fitted are the second layers on the features before, between and after the steps, and after a small second step.
type fitted struct {
	Dim                           int
	Uniform                       float64 // λ
	Initial, First, Second, Small score
}

// score is how a classifier does on fresh inputs.
type score struct {
	Wrong, Tests int
	Loss         float64
}

// err is the share of the inputs that are wrongly classified.
func (s score) err() float64 { return float64(s.Wrong) / float64(s.Tests) }

// fitAll trains, and fits a second layer on each network. A variant's features take the place of those of both steps.
func fitAll(r *rand.Rand, size netSizes, done string) fitted {
	law, nets := descendTwice(r, size, "")
	step := truncated.Step{Rate: 1e-3, Noise: truncated.Smooth(math.Pow(float64(size.law.Count), -1.5)), KeepA: 1}
	small, _ := nets[1].Descend(law.Draw(r, size.samples), step)
	samples, tests := law.Draw(r, 1000), law.Draw(r, 8000)
	last := nets[2]
	switch done {
	case "one step":
		last = nets[1]
	case "small":
		last = small
	}
	out := fitted{Dim: law.Dim, Uniform: size.law.Uniform, Second: fitBest(last, samples, tests)}
	switch done {
	case "both":
		out.Initial, out.First, out.Small = out.Second, out.Second, out.Second
	case "":
		out.Initial, out.First, out.Small = fitBest(nets[0], samples, tests), fitBest(nets[1], samples, tests),
			fitBest(small, samples, tests)
	}
	return out
}

// fitBest minimises the hinge loss on the samples over outputs of mean square at most 4, up to 0.1, and scores the
// minimiser. The features are turned to an orthonormal basis first: those after a small step are nearly constant.
func fitBest(net truncated.Net, samples, tests data.Sample) score {
	const reach, gap, steps, enough = 2, 0.02, 1500, 0.1
	failed := score{Tests: len(tests.P), Wrong: len(tests.P), Loss: math.NaN()}
	features := net.Features(samples, 0)
	rows, _ := features.Dims()
	var svd mat.SVD
	if !svd.Factorize(features, mat.SVDThin) {
		return failed
	}
	sizes, rank := svd.Values(nil), 0
	for rank < len(sizes) && sizes[rank] > 1e-9*sizes[0] {
		rank++
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	basis := mat.DenseCopyOf(u.Slice(0, rows, 0, rank))
	basis.Scale(math.Sqrt(float64(rows)), basis)
	found, err := hinge.Problem{Features: basis, Y: samples.Y, P: samples.P}.InBall(reach, gap, steps)
	if err != nil && !(found.Loss-found.Lower <= enough) {
		return failed
	}
	for j := range found.W { // from the basis to the features: u = features·v/size
		found.W[j] *= math.Sqrt(float64(rows)) / sizes[j]
	}
	var out, weights mat.VecDense
	columns, _ := v.Dims()
	weights.MulVec(v.Slice(0, columns, 0, rank), mat.NewVecDense(rank, found.W))
	out.MulVec(net.Features(tests, 0), &weights)
	s := score{Tests: len(tests.P)}
	for i, p := range tests.P {
		margin := tests.Y[i] * out.AtVec(i)
		s.Loss += p * max(0, 1-margin)
		if !(margin > 0) {
			s.Wrong++
		}
	}
	return s
}

func judgeFitted(r *props.Record, _ int, f fitted, claimed string) {
	r.Regime("all steps")
	first, initial, wrong := 0.7*f.Uniform, f.Uniform, 0.4*f.Uniform
	if claimed == "higher" {
		first, initial, wrong = 1.2*f.Uniform, 1.6*f.Uniform, 0.8*f.Uniform
	}
	share := stat.Proportion(f.Second.Wrong, f.Second.Tests, stat.CriterionAlpha)
	r.EstimateAtMost("error after both steps", share, 0.01, 0.01)
	r.AtMost("loss after both steps", f.Second.Loss, 0.05, 1e-12)
	if f.Initial.Tests == 0 {
		return
	}
	r.AtLeast("loss after the first step", f.First.Loss, first, 1e-12)
	r.AtLeast("loss after a small second step", f.Small.Loss, first, 1e-12)
	r.AtLeast("loss of the initial neurons", f.Initial.Loss, initial, 1e-12)
	r.AtLeast("error of the initial neurons", f.Initial.err(), wrong, 1e-12)
	r.MeasuredValue("loss after the first step over λ", f.First.Loss/f.Uniform, 1)
}

// figureOfFits draws loss and error, step by step.
func figureOfFits(f fitted) props.Figure {
	loss, wrong := props.Curve{Name: "hinge loss", Style: props.Line}, props.Curve{Name: "error", Style: props.Line}
	for i, s := range []score{f.Initial, f.First, f.Second} {
		loss.X, wrong.X = append(loss.X, float64(i)), append(wrong.X, float64(i))
		loss.Y, wrong.Y = append(loss.Y, s.Loss), append(wrong.Y, s.err())
	}
	return props.Figure{ID: "fits", Title: "The best second layer, step by step",
		Caption: "Hinge loss and error on fresh inputs of the second layer that fits 1000 samples best, on the " +
			"neurons before training, after the first step and after the second.",
		X: props.Axis{Label: "steps taken"}, Y: props.Axis{Label: "on fresh inputs"},
		Curves: []props.Curve{loss, wrong}}
}

// fitsOf trains and fits at a user's parameters.
func fitsOf(t *props.Trial, v values.Values) (fitted, error) {
	size := netSizes{fair(v.Int("D"), v.Int("k"), v.Float("uniform")), v.Int("m"), 4000}
	if size.law.Dim*size.neurons > 20000 {
		return fitted{}, fmt.Errorf("the sizes D=%d, m=%d cannot be simulated: D·m is at most 20000", size.law.Dim,
			size.neurons)
	}
	return fitAll(t.Rand, size, ""), nil
}

// fitOnce measures the losses at a user's parameters.
func fitOnce(t *props.Trial, v values.Values) (map[string]float64, error) {
	f, err := fitsOf(t, v)
	return map[string]float64{"initial": f.Initial.Loss, "first": f.First.Loss, "second": f.Second.Loss}, err
}

// drawFits draws them.
func drawFits(t *props.Trial, v values.Values) ([]props.Figure, error) {
	f, err := fitsOf(t, v)
	return []props.Figure{figureOfFits(f)}, err
}
