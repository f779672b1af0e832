// Package feasibility pairs the criterion of vcl/feasibility with eigenvalues of the target and with a closed-form
// solver.
package feasibility

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim is vcl/feasibility.
var Claim = props.Spec{
	Statement: &theory.Feasibility,
	Try:       &simulation,
	Checks: []props.Check{
		props.Drawn[target, targetClaim]{
			Name:    "target of a batch",
			Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Tries:   32,
			Regimes: layers.Conditions,
			Draw:    func(t *props.T) target { return drawTarget(t, oneOrSeveral, isOne, routes.TrueShift.Gram) },
			Claim: targetClaim{determinant: theory.SampleShift.Determinant, single: isOne,
				negative: func(batch int) int { return batch }, across: target.acrossKernel,
				feasible: func(target) bool { return false }},
			Judge: judgeTarget,
			// steps about γ* have determinants of some 0.1, and one of 10⁻⁷ at most is not told from zero
			Declined:   map[string]float64{negativeOnes: 1e-3},
			Replicates: 2,
			Controls: []props.Wrong[target, targetClaim]{
				{Name: "a in place of a − 1", Criterion: "determinant",
					Instead: targetClaim{determinant: func(s theory.SampleShift, rate float64) float64 {
						return s.Determinant(rate) - rate*rate*s.Q
					}}},
				{Name: "D without its second order", Assumption: "whole-shift", Criterion: "determinant",
					Draw: func(t *props.T) target { return drawTarget(t, one, isOne, firstOrderAlone) }},
				{Name: "a batch of two as one summed sample", Assumption: "one-sample", Criterion: "determinant",
					Draw: func(t *props.T) target {
						return drawTarget(t, func(*props.T) int { rapid.Bool().Draw(t.T, "several samples"); return 2 }, anyBatch,
							routes.TrueShift.Gram)
					},
					Instead: targetClaim{single: anyBatch}},
				{Name: "feasible whenever the determinant is less than one", Criterion: negativeOnes,
					Instead: targetClaim{threshold: 1}},
				{Name: "fewer negative eigenvalues than samples", Criterion: atMostSamples, Draw: drawLargeBatch,
					Instead: targetClaim{negative: func(batch int) int { return batch - 1 }}},
				{Name: "all of H in place of its part in the kernel", Criterion: "least eigenvalue",
					Instead: targetClaim{across: target.acrossAll}},
				{Reading: "always-feasible", Criterion: "least eigenvalue", Draw: props.Constant(workedWide),
					Instead: targetClaim{feasible: always}},
				{Reading: "large-step", Criterion: "least eigenvalue", Draw: props.Constant(workedSquare),
					Instead: targetClaim{feasible: always}},
			},
		},
		props.Drawn[ending, limitOf]{
			Name:       "where feasibility ends",
			Cases:      props.Scale{Quick: 60, Standard: 300, Deep: 10000},
			Tries:      12,
			Regimes:    layers.Shapes[1:],
			Draw:       func(t *props.T) ending { return drawEnding(t, routes.TrueShift.Gram) },
			Claim:      theory.SampleShift.Limit,
			Judge:      judgeEnding,
			Replicates: 2,
			Controls: []props.Wrong[ending, limitOf]{
				{Name: "a in place of a − 1 in γ*",
					Instead: func(s theory.SampleShift) float64 { return 1 / (s.P + math.Sqrt(s.Q*s.A)) }},
				{Name: "D without its second order in γ*", Assumption: "whole-shift",
					Draw: func(t *props.T) ending { return drawEnding(t, firstOrderAlone) }},
			},
		},
		props.Drawn[solved, solvedClaim]{
			Name:    "a solution exists exactly then",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Regimes: layers.Shapes[1:],
			Draw:    drawSolved,
			Claim:   solvedClaim{routes.TrueShift.Gram, func(lowest float64) bool { return lowest < 0 }},
			Judge:   judgeSolved,
			// steps are a thousandth off γ* or more, and the least eigenvalue of a batch is within the noise of zero as
			// rarely as the noise is small
			Declined: map[string]float64{refusal: 1e-3},
			Controls: []props.Wrong[solved, solvedClaim]{
				{Name: "solution for D without its second order", Assumption: "whole-shift", Criterion: "Gram shift",
					Instead: solvedClaim{gram: firstOrderAlone}},
				{Name: "a solution at every step", Criterion: refusal,
					Instead: solvedClaim{refused: func(float64) bool { return false }}},
			},
		},
		inertia,
		leastEigenvalue,
	},
}.Claim()

const (
	atMostSamples = "no more negative eigenvalues than samples"
	negativeOnes  = "negative eigenvalues"
	refusal       = "refused"
)

// targetClaim holds the claims about the spectrum of a target.
type targetClaim struct {
	determinant func(s theory.SampleShift, rate float64) float64 // det G/det A of one sample
	threshold   float64                                          // below which an eigenvalue is negative
	single      func(batch int) bool                             // whether a batch is one sample
	negative    func(batch int) int                              // eigenvalues, at most
	across      func(target) *mat.Dense                          // ΓHᵀ, or a part of it
	feasible    func(target) bool
}

// limitOf is the step at which feasibility ends.
type limitOf func(theory.SampleShift) float64

// solvedClaim holds the claims about a solver: the Gram matrix that it reaches, and where it refuses.
type solvedClaim struct {
	gram    gram
	refused func(lowest float64) bool
}

// gram is the target of a step.
type gram func(routes.Problem) *mat.Dense

func isOne(batch int) bool { return batch == 1 }
func anyBatch(int) bool    { return true }
func always(target) bool   { return true }

// target is the Gram matrix that new weights should have.
type target struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Gamma *mat.Dense `npy:"Gamma"`
	Rate  float64    `npy:"step"`
	G     *mat.Dense `npy:"G"`
}

// Valid names the violated hypothesis.
func (g target) Valid() error {
	if m, n := g.W.Dims(); layers.Rank(g.W) < min(m, n) {
		return errors.New("the weights W do not have full rank")
	}
	if !(g.Rate > 0) {
		return errors.New("the step size must be positive")
	}
	return nil
}

// firstOrderAlone is the target without the second order of the shift.
func firstOrderAlone(p routes.Problem) *mat.Dense {
	g, back := routes.TrueShift.Gram(p), algebra.Product(p.W.T(), p.Gamma)
	square := algebra.Product(back, back.T())
	square.Scale(-p.Rate*p.Rate, square)
	g.Add(g, square)
	return g
}

// newTarget is the target of a step.
func newTarget(p routes.Problem, of gram) target {
	return target{W: p.W, H: mat.DenseCopyOf(p.H), Gamma: mat.DenseCopyOf(p.Gamma), Rate: p.Rate, G: of(p)}
}

// The layers of the erratum, 1×2, and of the reading, 1×1.
var (
	workedWide = newTarget(routes.Problem{
		W: mat.NewDense(1, 2, []float64{1, 0}), H: mat.NewDense(2, 1, []float64{0, 1}),
		Gamma: mat.NewDense(1, 1, []float64{1}), Rate: 0.5}, routes.TrueShift.Gram)
	workedSquare = newTarget(routes.Problem{W: mat.NewDense(1, 1, []float64{1}), H: mat.NewDense(1, 1, []float64{2}),
		Gamma: mat.NewDense(1, 1, []float64{1}), Rate: 1}, routes.TrueShift.Gram)
)

// oneOrSeveral draws the size of a batch, and one is one whatever is drawn.
func oneOrSeveral(t *props.T) int {
	if rapid.Bool().Draw(t.T, "several samples") {
		return 1 + gen.Dim(t.T, "B−1", 4)
	}
	return 1
}

func one(t *props.T) int {
	rapid.Bool().Draw(t.T, "several samples")
	return 1
}

// drawLargeBatch draws at most half as many samples as inputs, that lie far outside the unit ball of WᵀW.
func drawLargeBatch(t *props.T) target {
	w := layers.Conditioned(t.Stream("layer"), 6, 6, gen.LogUniform(t.T, "condition", 1, 10))
	return newTarget(layers.Batch(t.Stream("batch"), w, 1+gen.Dim(t.T, "B−1", 2), 10, 1), routes.TrueShift.Gram)
}

// drawTarget draws well and badly conditioned layers, one sample as often as several, and for m ≥ n steps about the γ*
// of one sample. Those on several are of any size: large ones leave as many negative eigenvalues as there can be.
func drawTarget(t *props.T, size func(*props.T) int, single func(batch int) bool, of gram) target {
	m, n := layers.Dims(t, 6)
	batch := size(t)
	w := layers.Conditioned(t.Stream("layer"), m, n, drawCondition(t))
	length, rate := gen.LogUniform(t.T, "size", 0.1, 10), gen.LogUniform(t.T, "γ", 1e-3, 10)
	p := layers.Batch(t.Stream("batch"), w, batch, length, rate)
	if s, err := sampleShift(p); m >= n && single(batch) && err == nil && !math.IsInf(s.Limit(), 1) {
		p.Rate *= s.Limit()
		if rapid.Bool().Draw(t.T, "about γ*") { // where the sign of the determinant is in doubt
			p.Rate = s.Limit() * gen.LogUniform(t.T, "γ/γ*", 0.9, 1.1)
		}
	}
	return newTarget(p, of)
}

// drawCondition draws a condition on both sides of where a layer counts as ill-conditioned.
func drawCondition(t *props.T) float64 {
	if rapid.Bool().Draw(t.T, "ill-conditioned") {
		return gen.LogUniform(t.T, "condition", 30, 1000)
	}
	return gen.LogUniform(t.T, "condition", 1, 10)
}

func regime(w *mat.Dense) string { return layers.Condition(w, layers.Spread(w) > 20) }

// sampleShift sees a batch as one summed sample.
func sampleShift(p routes.Problem) (theory.SampleShift, error) {
	return theory.NewSampleShift(p.W, rowSums(p.H), rowSums(p.Gamma))
}

// rowSums adds up the columns: of one sample, the sample itself.
func rowSums(a mat.Matrix) []float64 {
	rows, cols := a.Dims()
	sum := make([]float64, rows)
	for i := range rows {
		for j := range cols {
			sum[i] += a.At(i, j)
		}
	}
	return sum
}

func judgeTarget(r *props.Record, g target, c targetClaim) {
	m, n := g.W.Dims()
	_, batch := g.H.Dims()
	r.Regime(regime(g.W))
	values := layers.Eigenvalues(g.G)
	noise := 64 * float64(n) * r.Unit() * max(-values[0], values[n-1])
	switch {
	case c.feasible(g):
		r.AtMost("least eigenvalue", -values[0], 0, noise)
	case m < n:
		r.AtMost("least eigenvalue", values[0], g.bound(c.across(g)), noise)
	case c.single(batch):
		g.judgeDeterminant(r, c)
	default:
		r.AtMost(atMostSamples, float64(negative(values, noise)), float64(c.negative(batch)), 1e-9)
	}
}

// judgeDeterminant compares det G/det A with the 2×2 determinant, and its sign with the number of negative eigenvalues.
func (g target) judgeDeterminant(r *props.Record, c targetClaim) {
	s := must.Get(sampleShift(routes.Problem{W: g.W, H: g.H, Gamma: g.Gamma}))
	want := c.determinant(s, g.Rate)
	white, size := whitened(g)
	det, rounding, noise := determinant(white, size, layers.Spread(g.W), r.Unit())
	terms := math.Pow(1-g.Rate*s.P, 2) + g.Rate*g.Rate*s.Q*math.Abs(s.A-1) // which cancel at γ*
	rounding += g.closedRounding(s, r.Unit())
	r.WithinScale("determinant", det, want, terms, rounding)
	// where the determinant is twice its rounding, its only negative factor lies beyond the noise of the others
	if !r.Declines(negativeOnes, math.Abs(want), 2*rounding) {
		expected := 0.0
		if want < c.threshold {
			expected = 1
		}
		r.Exactly(negativeOnes, float64(negative(white, noise)), expected)
	}
}

// closedRounding bounds the rounding of (1−γp)² − γ²q(a−1), whose two terms may both be large. A sum of m or n products
// and a solve with WᵀW leave a, p and q known to δ = 8(m+n)·u·κ(W)² of the lengths √a and √q that they are made of: the
// first term to 2|1−γp|γδ√(aq) + γ²δ²aq, the second to γ²qδ(2a + 1), and a few operations more.
func (g target) closedRounding(s theory.SampleShift, unit float64) float64 {
	m, n := g.W.Dims()
	kappa := layers.Spread(g.W)
	delta := 8 * float64(m+n) * unit * kappa * kappa
	first, length := math.Abs(1-g.Rate*s.P), g.Rate*math.Sqrt(s.A*s.Q)
	second := g.Rate * g.Rate * s.Q * (2*s.A + 1)
	return delta*(2*first*length+delta*length*length+second) + 8*unit*(first*first+second)
}

// whitened returns the eigenvalues of L⁻¹GL⁻ᵀ for the Cholesky factor A = LLᵀ, ascending. The size is the size of the
// terms that make it up, 1 + 2γ‖L⁻¹H‖‖L⁻¹WᵀΓ‖ + γ²‖L⁻¹WᵀΓ‖².
func whitened(g target) (values []float64, size float64) {
	var factor mat.Cholesky
	var lower mat.TriDense
	var half, white, inputs, back mat.Dense
	if !factor.Factorize(layers.Gram(g.W)) {
		panic("feasibility: WᵀW is not positive definite")
	}
	factor.LTo(&lower)
	must.Do(errors.Join(half.Solve(&lower, g.G), white.Solve(&lower, half.T()), inputs.Solve(&lower, g.H),
		back.Solve(&lower, algebra.Product(g.W.T(), g.Gamma))))
	moved := g.Rate * mat.Norm(&back, 2)
	return layers.Eigenvalues(&white), 1 + 2*mat.Norm(&inputs, 2)*moved + moved*moved
}

// determinant is the product of the eigenvalues of a whitened target, with how far it and each eigenvalue may be off:
// an eigenvalue by 64n·u·κ(A) times 1 plus the size of the terms that it is made of, which may cancel.
func determinant(values []float64, size, kappa, unit float64) (det, rounding, noise float64) {
	n := len(values)
	noise = 64 * float64(n) * unit * (1 + size) * kappa * kappa
	det, upper := 1.0, 1.0
	for _, x := range values {
		det *= x
		upper *= math.Abs(x) + noise
	}
	return det, upper - math.Abs(det) + upper*float64(n)*unit, noise
}

func negative(values []float64, noise float64) (count int) {
	for _, x := range values {
		if x < -noise {
			count++
		}
	}
	return count
}

// ending is a layer, one sample with a > 1, and the step at which the least eigenvalue of the target falls below zero.
type ending struct {
	W, H, Gamma *mat.Dense
	Crossing    float64
}

// drawEnding draws a sample for which feasibility ends.
func drawEnding(t *props.T, of gram) ending {
	n := gen.Dim(t.T, "n", 6)
	w := layers.Conditioned(t.Stream("layer"), n+gen.Dim(t.T, "m−n+1", 4)-1, n, gen.LogUniform(t.T, "condition", 1, 10))
	p := layers.Batch(t.Stream("sample"), w, 1, 1, 1)
	e := ending{W: w, H: mat.DenseCopyOf(p.H), Gamma: mat.DenseCopyOf(p.Gamma)}
	s, _ := e.shift()
	e.H.Scale(math.Sqrt((1+gen.LogUniform(t.T, "a−1", 1e-2, 1e2))/s.A), e.H)
	s, root := e.shift()
	if s.P <= -root { // then every step is feasible, but not for −h
		e.H.Scale(-1, e.H)
	}
	e.Crossing = e.crossing(of)
	return e
}

// crossing bisects from zero to a step that is not feasible.
func (e ending) crossing(of gram) float64 {
	s, root := e.shift()
	lo, hi := 0.0, 10/(s.P+root)
	if s.P > root { // feasible again from 1/(p−√(q(a−1))) on
		hi = 1 / math.Sqrt((s.P+root)*(s.P-root))
	}
	for range 60 {
		mid := (lo + hi) / 2
		if values, _ := e.at(mid, of); values[0] < 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// shift is the sample in the geometry of A, and √(q(a−1)).
func (e ending) shift() (s theory.SampleShift, root float64) {
	s = must.Get(sampleShift(routes.Problem{W: e.W, H: e.H, Gamma: e.Gamma}))
	return s, math.Sqrt(s.Q * (s.A - 1))
}

// at is the spectrum of the whitened target of a step.
func (e ending) at(step float64, of gram) (values []float64, size float64) {
	return whitened(newTarget(routes.Problem{W: e.W, H: e.H, Gamma: e.Gamma, Rate: step}, of))
}

// judgeEnding compares the step with γ*. There the determinant falls with slope −2√(q(a−1)), by which its rounding is
// divided.
func judgeEnding(r *props.Record, e ending, limit limitOf) {
	s, root := e.shift()
	values, size := e.at(e.Crossing, routes.TrueShift.Gram)
	_, rounding, _ := determinant(values, size, layers.Spread(e.W), r.Unit())
	rounding += target{W: e.W, Rate: e.Crossing}.closedRounding(s, r.Unit())
	r.Regime(layers.Shape(e.W))
	r.Within("γ*", e.Crossing, limit(s), rounding/root)
}

// solved holds the result of the closed-form solver on a batch: new weights, or nothing where it sees a negative
// eigenvalue.
type solved struct {
	target
	Next *mat.Dense
}

// drawSolved draws one sample on both sides of where feasibility ends, and batches.
func drawSolved(t *props.T) solved {
	n, batch := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "B", 5)
	m, kappa := n+gen.Dim(t.T, "m−n+1", 4)-1, gen.LogUniform(t.T, "condition", 1, 100)
	w := layers.Conditioned(t.Stream("layer"), m, n, kappa)
	p := layers.Batch(t.Stream("batch"), w, batch, 1, gen.LogUniform(t.T, "γ", 1e-3, 1))
	if s, err := sampleShift(p); err == nil && batch == 1 && !math.IsInf(s.Limit(), 1) {
		p.Rate = s.Limit() * rapid.SampledFrom([]float64{0.5, 0.999, 1.001}).Draw(t.T, "γ/γ*")
	}
	step, err := routes.Factor{}.Solve(p)
	if err != nil && !errors.Is(err, routes.ErrInfeasible) {
		panic(err)
	}
	return solved{newTarget(p, routes.TrueShift.Gram), step.W}
}

// judgeSolved allows 16(m+n)·u·κ(W) of the sizes of WᵀW and of the terms of D, 2γ‖H‖‖WᵀΓ‖ + γ²‖WᵀΓ‖², which may cancel:
// the solver works on R⁻ᵀDR⁻¹ for W = QR, and a solve R⁻ᵀh leaves an error u‖R‖‖R⁻ᵀh‖ ≤ u·κ‖h‖ in h. It knows R⁻ᵀWᵀΓ as
// QᵀΓ with a rounding of ‖Γ‖, which comes back multiplied by ‖R‖: where WᵀΓ is rounded ‖W‖‖Γ‖ takes the place of ‖WᵀΓ‖,
// which may be much less.
func judgeSolved(r *props.Record, s solved, c solvedClaim) {
	m, n := s.W.Dims()
	white, size := whitened(s.target)
	kappa := layers.Spread(s.W)
	_, _, noise := determinant(white, size, kappa, r.Unit())
	r.Regime(layers.Shape(s.W))
	refused := s.Next == nil
	if !r.Declines(refusal, math.Abs(white[0]), noise) {
		r.Exactly(refusal, indicator(refused), indicator(c.refused(white[0])))
	}
	if refused {
		return
	}
	before := layers.Gram(s.W)
	back := s.Rate * mat.Norm(algebra.Product(s.W.T(), s.Gamma), 2)
	_, values, _ := layers.SVD(s.W)
	terms := (2*mat.Norm(s.H, 2) + back) * s.Rate * values[0] * mat.Norm(s.Gamma, 2)
	want := c.gram(routes.Problem{W: s.W, H: s.H, Gamma: s.Gamma, Rate: s.Rate})
	got := mat.DenseCopyOf(layers.Gram(s.Next))
	want.Sub(want, before)
	got.Sub(got, before)
	r.WithinMatrix("Gram shift", got, want, 16*float64(m+n)*r.Unit()*kappa*(mat.Norm(before, 2)+mat.Norm(s.G, 2)+terms))
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
