package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// bilinear pairs the step of W_QᵀW_K with a head whose weights and form are differentiated apart.
var bilinear = props.Spec{
	Statement: &theory.Bilinear,
	Checks: []props.Check{
		props.Drawn[queryKey, crossClaim]{
			Name:    "virtual cross-covariance",
			Cases:   props.Scale{Quick: 60, Standard: 200, Deep: 10000},
			Regimes: []string{"no mask", "causal mask"},
			Draw:    func(t *props.T) queryKey { return drawQueryKey(t, nil) },
			Claim:   crossClaim{exchanged, theory.CrossResidual},
			Judge: func(r *props.Record, s queryKey, claim crossClaim) {
				r.RegimeOf(s.causal)
				pulledT, pulledV := claim.signals(s)
				gap := algebra.Difference(s.product(), theory.CrossShift(s.Tokens, pulledT, pulledV, s.Rate))
				r.WithinMatrix("residual", gap,
					claim.residual(s.Tokens, s.QuerySignals, s.KeySignals, pulledT, pulledV, s.Rate),
					s.doubled().rounding(r.Unit()))
			},
			Proven: map[string]string{"residual": "every rounding is counted, see gramStep.rounding and Block.Apart"},
			Controls: []props.Wrong[queryKey, crossClaim]{
				{Name: "own signals in place of the exchanged", Instead: crossClaim{
					signals: func(s queryKey) (t, v *mat.Dense) {
						return algebra.Product(s.Query.T(), s.QuerySignals), algebra.Product(s.Key.T(), s.KeySignals)
					}}},
				{Name: "cross residual with the opposite sign", Instead: crossClaim{
					residual: func(x, q, k, t, v *mat.Dense, step float64) *mat.Dense {
						return algebra.Scaled(-1, theory.CrossResidual(x, q, k, t, v, step))
					}}},
				{Name: "one token left out", Assumption: "all-tokens", Alter: func(s *queryKey) {
					for _, m := range []**mat.Dense{&s.Tokens, &s.QuerySignals, &s.KeySignals} {
						rows, tokens := (*m).Dims()
						*m = mat.DenseCopyOf((*m).Slice(0, rows, 1, tokens))
					}
				}},
				{Name: "weight decay in the step", Assumption: "plain-descent", Alter: func(s *queryKey) {
					s.NextKey = algebra.Difference(s.NextKey, algebra.Scaled(0.1*s.Rate, s.Key))
				}},
				{Name: "keys stay", Assumption: "both", Alter: func(s *queryKey) { s.NextKey = s.Key }},
			},
		},
		props.Drawn[formed, formsClaim]{
			Name:    "closed system",
			Cases:   props.Scale{Quick: 60, Standard: 200, Deep: 10000},
			Tries:   28,
			Regimes: []string{"no mask", "causal mask"},
			Draw:    func(t *props.T) formed { return drawFormed(t, nil) },
			Claim:   theory.Forms.NextProduct,
			Judge: func(r *props.Record, s formed, claim formsClaim) {
				r.RegimeOf(s.causal)
				f, rounding := theory.NewForms(s.Query, s.Key, s.Form, s.Rate), s.rounding(r.Unit())
				r.WithinMatrix("B⁺", algebra.Product(s.NextQuery.T(), s.NextKey), claim(f), rounding)
				r.WithinMatrix("A_Q⁺", algebra.Product(s.NextQuery.T(), s.NextQuery), f.NextQueryGram(), rounding)
				r.WithinMatrix("A_K⁺", algebra.Product(s.NextKey.T(), s.NextKey), f.NextKeyGram(), rounding)
			},
			Proven: map[string]string{"B⁺": formsProven, "A_Q⁺": formsProven, "A_K⁺": formsProven},
			Controls: []props.Wrong[formed, formsClaim]{
				{Name: "gradient descent on the product", Instead: func(f theory.Forms) *mat.Dense {
					return algebra.Difference(f.Product, algebra.Scaled(f.Step, f.Gradient))
				}},
				{Name: "Gram matrices exchanged", Instead: func(f theory.Forms) *mat.Dense {
					f.QueryGram, f.KeyGram = f.KeyGram, f.QueryGram
					return f.NextProduct()
				}},
				{Name: "no term of second order", Instead: func(f theory.Forms) *mat.Dense {
					second := algebra.Product(f.Gradient, f.Product.T(), f.Gradient)
					return algebra.Difference(f.NextProduct(), algebra.Scaled(f.Step*f.Step, second))
				}},
				{Name: "form's gradient transposed", Alter: func(s *formed) { s.Form = mat.DenseCopyOf(s.Form.T()) }},
				{Name: "rotary positions", Assumption: "form", Draw: func(t *props.T) formed {
					return drawFormed(t, func(b *attention.Block) { b.Mistake = attention.Rotary })
				}},
				{Name: "keys step after the queries, at the new weights", Assumption: "both", Draw: func(t *props.T) formed {
					s := drawFormed(t, nil)
					late := s.block.With(s.head, attention.Queries, s.NextQuery)
					s.NextKey = algebra.Difference(s.Key, algebra.Scaled(s.Rate, late.Probe().Weights(s.head, attention.Keys)))
					return s
				}},
				{Name: "keys take twice the step", Assumption: "plain-descent", Alter: func(s *formed) {
					s.NextKey = algebra.Sum(s.NextKey, algebra.Difference(s.NextKey, s.Key))
				}},
			},
		},
	},
	Along: &props.Along{Param: "step", From: 0.02, To: 2, Y: "products of the weights after the step", Reps: 1},
	Try:   &props.Simulation{Run: simulateForms},
}.Claim()

// crossClaim holds the claims about tokens and signals: which are pulled back, and the residual.
type crossClaim struct {
	signals  func(queryKey) (t, v *mat.Dense)
	residual func(tokens, queries, keys, t, v *mat.Dense, step float64) *mat.Dense
}

// formsClaim gives the claimed B after the step.
type formsClaim func(theory.Forms) *mat.Dense

// exchanged pulls the signals back through the other projection.
func exchanged(s queryKey) (t, v *mat.Dense) {
	return algebra.Product(s.Query.T(), s.KeySignals), algebra.Product(s.Key.T(), s.QuerySignals)
}

// queryKey is a step of the query and key weights of a head.
type queryKey struct {
	Query        *mat.Dense `npy:"W_Q"`
	Key          *mat.Dense `npy:"W_K"`
	NextQuery    *mat.Dense `npy:"W_Q_next"`
	NextKey      *mat.Dense `npy:"W_K_next"`
	Tokens       *mat.Dense `npy:"H"`
	QuerySignals *mat.Dense `npy:"Gamma_Q"`
	KeySignals   *mat.Dense `npy:"Gamma_K"`
	Rate         float64    `npy:"step"`

	causal               bool
	block                *attention.Block
	head                 int
	queryApart, keyApart float64
}

// drawQueryKey takes the step along gradients by complex steps, in a block that is changed first if change is not nil.
func drawQueryKey(t *props.T, change func(*attention.Block)) queryKey {
	b := attention.Draw(t, attention.Like{Wide: true})
	if change != nil {
		change(b)
	}
	s := queryKey{block: b, causal: b.Causal, Rate: math.Ldexp(1, -rapid.IntRange(0, 4).Draw(t.T, "-log2 γ"))}
	s.head = rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "head")
	view := b.Views()[s.head]
	s.Query, s.Key = b.Heads[s.head].Q, b.Heads[s.head].K
	s.Tokens, s.QuerySignals, s.KeySignals = view.Q.Inputs, view.Q.PreGrads, view.K.PreGrads
	s.queryApart = b.Apart(s.head, attention.Queries, s.Tokens)
	s.keyApart = b.Apart(s.head, attention.Keys, s.Tokens)
	s.move(s.Rate)
	return s
}

// move takes a step of another size.
func (s *queryKey) move(rate float64) {
	probe := s.block.Probe()
	s.Rate = rate
	s.NextQuery = algebra.Difference(s.Query, algebra.Scaled(rate, probe.Weights(s.head, attention.Queries)))
	s.NextKey = algebra.Difference(s.Key, algebra.Scaled(rate, probe.Weights(s.head, attention.Keys)))
}

// product is B⁺ − B.
func (s queryKey) product() *mat.Dense {
	return algebra.Difference(algebra.Product(s.NextQuery.T(), s.NextKey), algebra.Product(s.Query.T(), s.Key))
}

// doubled is the layer [Q K] on doubled tokens, in norms: of its Gram matrix B is a block.
func (s queryKey) doubled() gramStep {
	return gramStep{W: algebra.Beside(s.Query, s.Key), Next: algebra.Beside(s.NextQuery, s.NextKey),
		Inputs:   algebra.Stacked(s.Tokens, s.Tokens), // of the norm of diag(X, X)
		PreGrads: algebra.Beside(s.QuerySignals, s.KeySignals), Rate: s.Rate, Weights: 1, Virtual: 1, Covariance: 1,
		apart: s.queryApart + s.keyApart}
}

// formed is a step with the gradient N in W_QᵀW_K by complex steps.
type formed struct {
	Query, Key, NextQuery, NextKey, Form *mat.Dense
	Rate                                 float64

	causal               bool
	block                *attention.Block
	head                 int
	queryApart, keyApart float64 // of the gradients in the weights
	formApart            float64
}

func drawFormed(t *props.T, change func(*attention.Block)) formed {
	s := drawQueryKey(t, change)
	x := mat.Norm(s.Tokens, 2)
	return formed{Query: s.Query, Key: s.Key, NextQuery: s.NextQuery, NextKey: s.NextKey, Rate: s.Rate,
		Form: s.block.Probe().Form(s.head), causal: s.causal, block: s.block, head: s.head,
		queryApart: s.queryApart * x, keyApart: s.keyApart * x, formApart: s.block.FormApart(s.head)}
}

const formsProven = "every rounding is counted, see formed.rounding, Block.Apart and Block.FormApart"

// rounding bounds the rounding of products of up to five factors, (2k + 2d + 8)u of their size, and adds the distances
// of the gradients in Q and KNᵀ, and in K and QN.
func (s formed) rounding(unit float64) float64 {
	k, d := s.Query.Dims()
	q, key, n := mat.Norm(s.Query, 2), mat.Norm(s.Key, 2), mat.Norm(s.Form, 2)
	size := q + key + s.Rate*n*(q+key)
	apart := s.queryApart + s.keyApart + s.formApart*(q+key)
	return float64(2*(k+d)+8)*unit*size*size + 2*s.Rate*apart*(size+s.Rate*apart)
}

// simulateForms takes the step of a head of two tokens, 2 and 1, whose signal makes its form's gradient the given one.
func simulateForms(t *props.Trial, v statement.Values) (map[string]float64, error) {
	q, k := scalarStep(t, v)
	return map[string]float64{"product": q * k, "query_gram": q * q, "key_gram": k * k}, nil
}

// scalarStep returns the weights of queries and keys after the step.
func scalarStep(t *props.Trial, v statement.Values) (query, key float64) {
	q, k := v.Float("query"), v.Float("key")
	t.Need(math.Abs(q*k) <= 100, "query = %v and key = %v: a simulation needs |query·key| ≤ 100; beyond, the softmax "+
		"saturates", q, k)
	h := theory.TwoTokens{X1: 2, X2: 1, Query: v.Float("query"), Key: v.Float("key"), Value: 1, Signal: 1, Scale: 1}
	h.Signal = v.Float("form") / h.Form()
	views, rate := twoTokens(h), v.Float("step")
	return h.Query - rate*views.Q.WeightGrad().At(0, 0), h.Key - rate*views.K.WeightGrad().At(0, 0)
}
