package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// decay pairs the law with steps of networks whose gradients come from backpropagation.
var decay = props.Spec{
	Statement: &theory.Decay,
	Checks: []props.Check{
		props.Drawn[decayedStep, decayTerms]{
			Name:    "identity within rounding",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   12,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) decayedStep { return drawDecayedStep(t, ownWeights) },
			Claim:   decayedStep.terms,
			Judge: func(r *props.Record, s decayedStep, claim decayTerms) {
				r.Regime(layers.Shape(s.W))
				m, _ := s.W.Dims()
				_, batch := s.H.Dims()
				r.WithinMatrix("what decay adds", s.added(), claim(s),
					float64(2*(m+batch)+12)*r.Unit()*s.size())
			},
			Controls: []props.Wrong[decayedStep, decayTerms]{
				{Name: "decay of the new weights", Assumption: "plain-descent",
					Draw: func(t *props.T) decayedStep {
						return drawDecayedStep(t, func(s gramStep) *mat.Dense { return s.Next })
					}},
				{Name: "first order only, −2γλWᵀW",
					Instead: func(s decayedStep) *mat.Dense {
						return algebra.Scaled(-2*s.Rate*s.Lambda, algebra.Product(s.W.T(), s.W))
					}},
				{Name: "without cross terms of decay and gradient", Instead: decayedStep.withoutCrossTerms},
			},
		},
		props.Drawn[decayedStep, decayTerms]{
			Name:    "identity on integers",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: layers.Shapes,
			Draw: func(t *props.T) decayedStep {
				l := integerLayer(t)
				l.practice = practices[0]
				return newDecayed(l, float64(rapid.IntRange(1, 3).Draw(t.T, "λ")), ownWeights)
			},
			Claim: decayedStep.terms,
			Judge: func(r *props.Record, s decayedStep, claim decayTerms) {
				r.Regime(layers.Shape(s.W))
				r.ExactlyMatrix("what decay adds", s.added(), claim(s))
			},
			Controls: []props.Wrong[decayedStep, decayTerms]{{Name: "without cross terms, on integers",
				Instead: decayedStep.withoutCrossTerms}},
		},
	},
	Along: &props.Along{
		Param: "step", To: 2, Of: []string{"change"}, At: map[string]string{"g": "-0.5"},
		Each: &props.ParamSweep{Name: "lambda", Values: []string{"0", "0.2", "0.5"}},
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
		w, rate, lambda := v.Float("w"), v.Float("step"), v.Float("lambda")
		plain := w - rate*v.Float("g")*v.Float("h")
		next := plain - rate*lambda*w
		return map[string]float64{"change": next*next - w*w, "decay": next*next - plain*plain}, nil
	}},
}.Claim()

// decayTerms gives the terms that decay adds.
type decayTerms func(decayedStep) *mat.Dense

// decayedStep is one step with weight decay.
type decayedStep struct {
	W      *mat.Dense `npy:"W"`
	H      *mat.Dense `npy:"H"`
	Gamma  *mat.Dense `npy:"Gamma"`
	Next   *mat.Dense `npy:"W_next"`
	Rate   float64    `npy:"step"`
	Lambda float64    `npy:"lambda"`
}

// ownWeights decay, and not the new ones.
func ownWeights(s gramStep) *mat.Dense { return s.W }

func drawDecayedStep(t *props.T, decaying func(gramStep) *mat.Dense) decayedStep {
	l := realLayer(t, layerLike{})
	l.practice = practices[0]
	return newDecayed(l, gen.LogUniform(t.T, "λ", 1e-4, 10), decaying)
}

func newDecayed(l batchLayer, lambda float64, decaying func(gramStep) *mat.Dense) decayedStep {
	s := l.step()
	next := algebra.Sum(s.Next, algebra.Scaled(-s.Rate*lambda, decaying(s)))
	return decayedStep{s.W, s.Inputs, s.PreGrads, next, s.Rate, lambda}
}

func (s decayedStep) step() theory.LayerStep {
	return theory.LayerStep{W: s.W, Inputs: s.H, PreGrads: s.Gamma, Step: s.Rate, Convention: theory.Sum}
}

// added is W⁺ᵀW⁺ − WᵀW − D − R.
func (s decayedStep) added() *mat.Dense {
	out := algebra.Product(s.Next.T(), s.Next)
	for _, part := range []*mat.Dense{algebra.Product(s.W.T(), s.W), s.step().Shift(), s.step().Residual()} {
		out.Sub(out, part)
	}
	return out
}

// terms is −γλ(2−γλ)WᵀW + γ²λ(PHᵀ + HPᵀ).
func (s decayedStep) terms() *mat.Dense { return s.step().Decay(s.Lambda) }

// withoutCrossTerms returns the terms for a gradient of zero.
func (s decayedStep) withoutCrossTerms() *mat.Dense {
	alone := s.step()
	alone.PreGrads = mat.DenseCopyOf(s.Gamma)
	alone.PreGrads.Zero()
	return alone.Decay(s.Lambda)
}

// size bounds what is added up.
func (s decayedStep) size() float64 {
	grown, shrink := s.step(), s.Rate*s.Lambda
	grown.W = algebra.Scaled(math.Abs(1-shrink)+shrink, s.W)
	return grown.Magnitude()
}
