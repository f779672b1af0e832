package universality

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// expanded is a network after a step η = κn^α, whose features are compared with the ℓ terms that α asks for. Its
// activation ends with the second power, with a small coefficient: σ(XW₁ᵀ) − F₂ is then 2c₂c₁η diag(u)XW₀ᵀdiag(a),
// which acts as noise of relative size η/√N, and the second term can be long while this is small.
type expanded struct {
	Name         string // the regime
	Act          network.Activation
	Risk         theory.Risk
	Alpha, Kappa float64

	// Of the two ratios at √(nd) = 96: what they are off by, which falls as η²/n, and the standard deviation of one
	// network, with the power of 1/√(nd) that it falls as.
	Off, SD [2]float64
	Power   float64
}

var expansions = []expanded{
	{Name: "ℓ = 1", Act: network.Series(0, 0.8, 0.07), Alpha: 0.1, Kappa: 3, Off: [2]float64{0.0015, 0.008},
		SD: [2]float64{0.007, 0.0115}, Power: 1, Risk: theory.Risk{Phi: 0.4, Psi: 0.6, Lambda: 0.5, Terms: 1,
			Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 0.5}}},
	{Name: "ℓ = 2", Act: network.Series(0, 0.8, 0.05), Alpha: 0.3, Kappa: 2, Off: [2]float64{0.014, 0.007},
		SD: [2]float64{0.015, 0.0215}, Power: 0.6, Risk: theory.Risk{Phi: 0.3, Psi: 0.6, Lambda: 0.5, Terms: 2,
			Teacher: theory.Teacher{Coefficients: []float64{0, 1, 0.7}, Noise: 0.1}}},
}

// termSizes are √(nd).
var termSizes = props.Scale{Quick: 48, Standard: 96, Deep: 200}

// lengths are their names.
var lengths = network.Map(expansions, func(x expanded) string { return x.Name })

// byTerms is the name of a criterion.
func byTerms(kind string) string { return kind + " with σ(XW₁ᵀ) over that with F_ℓ" }

// stepped are the objective and the test error with σ(XW₁ᵀ), with F_ℓ and with one term less.
type stepped struct {
	N                   int
	Whole, Terms, Fewer [2]float64
}

// measure regresses two opposite teachers, with the features that the step of each makes.
func (x expanded) measure(t *props.Trial, size int) stepped {
	risk := x.Risk
	risk.Activation = x.Act.Closed
	d := teachers.Sample(t.Rand, x.Act, risk, size, 1, false)
	n, width := d.Features.Dims()
	risk.Width, risk.Eta = float64(width), x.Kappa*math.Pow(float64(n), x.Alpha)
	initial := must.Get(features.NewRegression(d.Features, risk.Lambda))
	terms := initial.Fits(d.Labels, d.Added(risk))
	risk.Terms--
	fewer := initial.Fits(d.Labels, d.Added(risk))
	var whole []features.Fit
	for i := range 2 {
		z := features.PreActivations(d.Fresh, d.W)
		z.RankOne(z, risk.Eta*x.Act.Closed.Coefficient(1), mat.NewVecDense(n, d.Projection.RawRowView(i)),
			mat.NewVecDense(width, d.A))
		after := must.Get(features.NewRegression(features.Overwrite(x.Act.Run, z), risk.Lambda))
		whole = append(whole, after.Fits(mat.NewDense(1, n, d.Labels.RawRowView(i)), features.Added{})...)
	}
	return stepped{n, both(whole), both(terms), both(fewer)}
}

// both are the means of the two errors.
func both(fits []features.Fit) [2]float64 {
	mean := teachers.Mean(fits)
	return [2]float64{mean.Objective, mean.LeaveOneOut}
}

// ratio is the claimed ratio of the errors to the errors with F_ℓ.
type ratio float64

func concludeTerms(r *props.Record, cells []network.Cell, all []stepped, claim ratio) {
	for _, x := range expansions {
		r.Regime(x.Name)
		mine := network.Measured(x.Name, cells, all)
		scale := 96 / (float64(mine[0].N) * math.Sqrt(x.Risk.Phi))
		for kind, name := range errorKinds {
			limit := props.Limit{Name: byTerms(name), SD: x.SD[kind] * math.Pow(scale, x.Power),
				Bias: x.Off[kind] * math.Pow(scale, 1-2*x.Alpha)}
			ratios := network.Map(mine, func(s stepped) float64 { return s.Whole[kind] / s.Terms[kind] })
			limit.Judge(r, ratios, float64(claim))
		}
	}
}
