package vcl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
)

// covarianceSpec is figure 1.
var covarianceSpec = experiment.Spec[Sizes, Seeded, CovarianceRun]{
	About: experiment.About{
		Name: "vcl/covariance", Title: "Virtual covariance, Gram matrix and AGOP", Source: poster, Data: pictures,
		Cost: "6 min",
		Claims: []experiment.Claim{
			{ID: correlates, Title: "Closer than AGOP", Sentence: "The diagonal of WᵀW correlates better with that of " +
				"the accumulated virtual covariance than with that of AGOP (printed for CIFAR-10: 0.9854 against " +
				"0.7167).",
				Quantity: "difference of the two correlations"},
			{ID: increments, Title: "The increment is the virtual covariance", Sentence: "All entries of WᵀW − W₀ᵀW₀ " +
				"correlate with those of the accumulated virtual covariance at 0.99 or more.", Quantity: "correlation"},
		},
	},
	Version: 1,
	Sizes:   sizes,
	Runs:    seeds,
	Cells:   func(_ props.Effort, run int, dataset string) []Seeded { return []Seeded{{dataset, run}} },
	Train: func(ctx context.Context, env *experiment.Env, s Sizes, c Seeded) (CovarianceRun, error) {
		t, err := taskOf(env, s, c.Dataset, s.Fine)
		if err != nil {
			return CovarianceRun{}, err
		}
		run, err := runCovariance(ctx, t, s, streamsOf(env, "covariance", c.Dataset, "", c.Seed))
		run.trim(c.Seed == 0)
		return run, err
	},
	Judge: judgeCovariance,
}

const (
	correlates = "diagonals"
	increments = "increment"
	// minCorrelation is from where on the increment of the Gram matrix counts as the virtual covariance.
	minCorrelation = 0.99
)

func judgeCovariance(set experiment.Setting, s Sizes,
	runs []experiment.Run[Seeded, CovarianceRun]) experiment.Judgement {
	out := experiment.Judgement{Setup: []string{cut(s), fmt.Sprintf("The first layer of a two-layer GELU network of %d "+
		"units under gradient descent at γ = 0.05, on squares of %d×%d pixels, %d epochs. Intervals are Student's over "+
		"runs.", s.Wide, s.Fine, s.Fine, s.Epochs)}}
	for _, d := range set.Datasets {
		of := experiment.Among(runs, func(c Seeded) bool { return c.Dataset == d })
		of = list.Where(of, func(r CovarianceRun) bool { return len(r.Epochs) > 0 })
		f, complete := experiment.Finding{Claim: correlates, Row: experiment.Title(d)}, len(of) >= seeds[set.Effort]
		out.Findings = append(out.Findings, f.AtLeast(0,
			experiment.Mean(of, func(r CovarianceRun) float64 { return r.end().Shift - r.end().AGOP }), complete))
		f.Claim = increments
		out.Findings = append(out.Findings, f.AtLeast(minCorrelation,
			experiment.Mean(of, func(r CovarianceRun) float64 { return r.end().Increment }), complete))
		if len(of) > 0 {
			out.Sections = append(out.Sections, covarianceSection(d, of))
		}
	}
	return out
}

// end is how well the matrices agree after the last epoch.
func (r CovarianceRun) end() Agreement { return r.Epochs[len(r.Epochs)-1] }

// covarianceSection shows the diagonals of the first run as pictures, with the numbers of all runs.
func covarianceSection(dataset string, runs []CovarianceRun) experiment.Section {
	s := experiment.Section{Title: "Virtual covariance on " + experiment.Title(dataset),
		Text: "Means (and ranges) over runs at the end of training:", Figures: []figure.Figure{agreeing(dataset, runs)}}
	if len(runs[0].Gram) > 0 {
		s.Figures = append(s.Figures, diagonals(dataset, runs[0]))
	}
	end := func(of func(Agreement) float64) string {
		mean, lo, hi := experiment.Spread(runs, func(r CovarianceRun) float64 { return of(r.end()) })
		return fmt.Sprintf("%s (%s to %s)", draw.Digits(mean, 4), draw.Digits(lo, 4), draw.Digits(hi, 4))
	}
	accuracy, _, _ := experiment.Spread(runs, func(r CovarianceRun) float64 { return r.Accuracy })
	s.Facts = []string{
		"diagonals of WᵀW and virtual covariance: " + end(Agreement.shift) + "; printed for CIFAR-10: 0.9854",
		"diagonals of WᵀW and AGOP: " + end(Agreement.agop) + "; printed for CIFAR-10: 0.7167",
		"all entries of the increment and the virtual covariance: " + end(Agreement.increment),
		"relative difference of the increment and the virtual covariance: " +
			end(func(a Agreement) float64 { return a.Error }),
		"test accuracy at the end: " + draw.Number(accuracy),
	}
	return s
}

// diagonals draws those of a run as pictures.
func diagonals(dataset string, r CovarianceRun) figure.Figure {
	f := figure.Figure{ID: "diagonals-" + dataset, Title: experiment.Title(dataset) + ": diagonals",
		Caption: "The diagonals of WᵀW, of its increment WᵀW − W₀ᵀW₀, of the virtual covariance and of AGOP over the " +
			"pixels of " + experiment.Title(dataset) + " in the first run, each scaled from its smallest entry to its largest.",
		X: figure.Axis{Label: "column of pixels"}, Y: figure.Axis{Label: "row of pixels"},
		Z: figure.Axis{Label: "from the smallest entry to the largest"}}
	for _, p := range []struct {
		name   string
		values []float64
	}{{"WᵀW", r.Gram}, {"increment", r.Increment}, {"covariance", r.Shift}, {"AGOP", r.AGOP}} {
		lo, hi := slices.Min(p.values), slices.Max(p.values)
		scaled := experiment.Each(p.values, func(x float64) float64 { return (x - lo) / (hi - lo) })
		scaled = rounded(scaled, 3)
		f.Curves = append(f.Curves, figure.HeatMap(p.name, r.Side, r.Side, func(i, j int) float64 {
			return scaled[i*r.Side+j]
		}))
	}
	return f
}

// agreeing draws the three correlations over epochs.
func agreeing(dataset string, runs []CovarianceRun) figure.Figure {
	f := figure.Figure{ID: "agreeing-" + dataset, Title: experiment.Title(dataset) + ": correlations",
		Caption: fmt.Sprintf("Correlations on %s over training, mean and range of %d runs: the diagonal of WᵀW with "+
			"that of the virtual covariance and with that of AGOP, and all entries of the increment WᵀW − W₀ᵀW₀ with "+
			"the virtual covariance.", experiment.Title(dataset), len(runs)),
		X: figure.Axis{Label: "epoch"}, Y: figure.Axis{Label: "Pearson correlation"}}
	epochs := experiment.Each(runs[0].Epochs, func(a Agreement) float64 { return float64(a.Epoch) })
	for _, q := range []struct {
		name string
		of   func(Agreement) float64
	}{{"diagonal, virtual covariance", Agreement.shift}, {"diagonal, AGOP", Agreement.agop},
		{"increment, all entries", Agreement.increment}} {
		f.Curves = append(f.Curves, experiment.MeanAndRange(q.name, epochs, runs, func(r CovarianceRun, i int) float64 {
			return q.of(r.Epochs[i])
		})...)
	}
	return f
}

// trim rounds the diagonals, which are only drawn, or drops them.
func (r *CovarianceRun) trim(keep bool) {
	for _, d := range []*[]float64{&r.Gram, &r.Shift, &r.AGOP, &r.Increment} {
		if *d = rounded(*d, 4); !keep {
			*d = nil
		}
	}
}

// Agreement is how well three n×n matrices of the first layer agree after an epoch: the Gram matrix WᵀW, the sum Σ of
// all shifts of the virtual covariance so far, and the average gradient outer product of the outputs, (1/N) Σ JᵀJ.
type Agreement struct {
	Epoch     int     `json:"epoch"`
	Shift     float64 `json:"shift"`     // Pearson's correlation of the diagonals of WᵀW and Σ, as in figure 1
	AGOP      float64 `json:"agop"`      // the same of WᵀW and AGOP
	Increment float64 `json:"increment"` // correlation over all entries of WᵀW − W₀ᵀW₀ and Σ
	Error     float64 `json:"error"`     // ‖WᵀW − W₀ᵀW₀ − Σ‖ / ‖Σ‖
}

func (a Agreement) shift() float64     { return a.Shift }
func (a Agreement) agop() float64      { return a.AGOP }
func (a Agreement) increment() float64 { return a.Increment }

// CovarianceRun is one run of the experiment covariance. The diagonals, of side² entries, are those after the last
// epoch.
type CovarianceRun struct {
	Accuracy  float64     `json:"accuracy"` // on the test set, at the end
	Epochs    []Agreement `json:"epochs"`
	Side      int         `json:"side"`
	Gram      []float64   `json:"gram"`
	Shift     []float64   `json:"shift"`
	AGOP      []float64   `json:"agop"`
	Increment []float64   `json:"increment"`
}

// runCovariance trains the two-layer GELU network of figure 1 by gradient descent at the printed step size, with the
// shift of every batch evaluated in expanded form at the weights before the step.
func runCovariance(ctx context.Context, t task, s Sizes, stream func(label string) *rand.Rand) (CovarianceRun, error) {
	model := t.model(stream("weights"), TwoLayer, s.Wide)
	y := t.train.targets(TwoLayer, t.classes)
	spy := &shiftSpy{rate: figureRate}
	trainer := &optim.Trainer{Model: model, Rules: []optim.Rule{spy, optim.SGD{Gamma: figureRate}}}
	start := dense.Gram(model.Stages[0].W.T())
	out := CovarianceRun{Side: t.side}
	order := stream("order")
	for epoch := 1; epoch <= s.Epochs; epoch++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if _, err := trainer.Epoch(order, t.train.x, y, s.Batch); err != nil {
			return out, err
		}
		gram, agop := dense.Gram(model.Stages[0].W.T()), agop(model, t.train.x)
		out.Epochs = append(out.Epochs, agreement(epoch, gram, start, spy.sum, agop))
		if epoch == s.Epochs {
			out.Gram, out.Shift, out.AGOP = diagonal(gram), diagonal(spy.sum), diagonal(agop)
			var moved mat.Dense
			moved.Sub(gram, start)
			out.Increment = diagonal(&moved)
		}
	}
	out.Accuracy = nn.Accuracy(model.Predict(t.test.x), t.test.labels)
	return out, nil
}

// shiftSpy is gradient descent that adds up the shifts of the virtual covariance.
type shiftSpy struct {
	rate float64
	sum  *mat.Dense
}

// Rate implements optim.Rule.
func (s *shiftSpy) Rate() float64 { return s.rate }

// Next implements optim.Rule.
func (s *shiftSpy) Next(v *nn.View) (*mat.Dense, optim.Report, error) {
	shift := procrustes.Problem{W: v.Stage.W, Gamma: v.PreGrad.T(), H: v.Inputs.T(), Rate: s.rate}.Shift()
	if s.sum != nil {
		shift.Add(shift, s.sum)
	}
	s.sum = shift
	return optim.SGD{Gamma: s.rate}.Next(v)
}

// agop is the average gradient outer product of a two-layer network's outputs in its inputs, W₁ᵀ(W₂ᵀW₂ ∘ S)W₁ with
// S the mean of σ'(z)σ'(z)ᵀ over the rows of x.
func agop(m *nn.Model, x *mat.Dense) *mat.Dense {
	first, second := m.Stages[0], m.Stages[1]
	slopes := dense.Mul(x, first.W.T())
	slopes.Apply(func(_, j int, z float64) float64 { return first.Act.Slope(z + first.B[j]) }, slopes)
	inner := dense.Gram(slopes.T())
	rows, _ := x.Dims()
	inner.Scale(1/float64(rows), inner)
	inner.MulElem(inner, dense.Gram(second.W.T()))
	return dense.Mul(first.W.T(), dense.Mul(inner, first.W))
}

func agreement(epoch int, gram, start, shift, agop *mat.Dense) Agreement {
	var moved, left mat.Dense
	moved.Sub(gram, start)
	left.Sub(&moved, shift)
	return Agreement{
		Epoch:     epoch,
		Shift:     stat.Correlation(diagonal(gram), diagonal(shift), nil),
		AGOP:      stat.Correlation(diagonal(gram), diagonal(agop), nil),
		Increment: stat.Correlation(moved.RawMatrix().Data, shift.RawMatrix().Data, nil),
		Error:     mat.Norm(&left, 2) / mat.Norm(shift, 2),
	}
}

// diagonal returns a copy of the diagonal.
func diagonal(a *mat.Dense) []float64 {
	n, _ := a.Dims()
	return list.Fill(n, func(i int) float64 { return a.At(i, i) })
}

// rounded keeps so many significant digits, for numbers that are only drawn.
func rounded(xs []float64, digits int) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		if x != 0 {
			scale := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(x))))
			out[i] = math.Round(x*scale) / scale
		}
	}
	return out
}
