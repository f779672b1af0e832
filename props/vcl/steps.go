package vcl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// steps pairs the telescoped identity with the training of three-layer networks, all layers at once.
var steps = props.Spec{
	Statement: &theory.Steps,
	Try:       &props.Simulation{Run: simulateSteps},
	Checks: []props.Check{
		props.Drawn[descents, accumulated]{
			Name:    "telescoped identity",
			Cases:   props.Scale{Quick: 60, Standard: 300, Deep: 5000},
			Tries:   12,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) descents { return drawDescents(t, plainTraining) },
			Claim:   theory.Descents.Residuals,
			Judge:   judgeDescents,
			Proven:  map[string]string{"Gram matrix after T steps": "every rounding of both sides is counted"},
			Controls: []props.Wrong[descents, accumulated]{
				{Name: "one term too many", Draw: func(t *props.T) descents {
					return drawDescents(t, func(c course, count int, rate float64) descents {
						return c.train(count, count+1, rate, 0)
					})
				}},
				{Name: "one term too few", Draw: func(t *props.T) descents {
					return drawDescents(t, func(c course, count int, rate float64) descents {
						return c.train(count, count-1, rate, 0)
					})
				}},
				{Name: "momentum 0.5", Assumption: "plain-descent", Draw: func(t *props.T) descents {
					return drawDescents(t, func(c course, count int, rate float64) descents {
						return c.train(count, count, rate, 0.5)
					})
				}},
				{Name: "every shift at the initial weights", Assumption: "own-point", Alter: freeze},
				{Name: "residuals left out", Instead: func(d theory.Descents) *mat.Dense {
					none := d.Residuals()
					none.Zero()
					return none
				}},
			},
		},
		props.Grid[int, horizon, horizonClaim]{
			Name:       "order at fixed time",
			Replicates: 1,
			Cells:      props.Scale{Quick: 12, Standard: 30, Deep: 400}.Indices,
			Regimes:    layers.Shapes,
			Measure: func(t *props.Trial, index int) horizon {
				return measureHorizon(t, index, func(count int) int { return count })
			},
			Claim:    horizonClaim{1, func(h horizon) *mat.Dense { return h.Residual }},
			Judge:    judgeHorizon,
			Conclude: func(r *props.Record, _ []int, all []horizon, _ horizonClaim) { r.Figure(horizonFigure(all)) },
			Controls: []props.WrongCell[int, horizon, horizonClaim]{
				{Name: "a fixed number of steps in place of a fixed time", Assumption: "fixed-time",
					Criterion: "order in γ: the part of another order",
					Measure: func(t *props.Trial, index int) horizon {
						return measureHorizon(t, index, func(int) int { return 16 })
					}},
				{Reading: "second-order", Criterion: "order in γ", Instead: horizonClaim{order: 2}},
				{Name: "integral of the shift in place of the residual", Criterion: "limit of the gap over γ",
					Instead: horizonClaim{limit: func(h horizon) *mat.Dense { return h.Shift }}},
			},
			Coarse: map[string]string{"limit of the gap over γ": "six step sizes are extrapolated to zero; of " +
				"networks that change much within the time the limit is known to about 10⁻⁵ of itself"},
		},
	},
}.Claim()

// accumulated gives the change of the Gram matrix less the shifts.
type accumulated func(theory.Descents) *mat.Dense

// horizonClaim holds the claims about that difference at a fixed time: its order in γ, and its limit over γ.
type horizonClaim struct {
	order float64
	limit func(horizon) *mat.Dense
}

// descents are T steps of one layer: its weights before and after, and side by side what it met at each step.
type descents struct {
	W          *mat.Dense `npy:"W"`      // W₀, m×n
	Last       *mat.Dense `npy:"W_last"` // W_T, m×n
	Inputs     *mat.Dense `npy:"H"`      // n×TB
	PreGrads   *mat.Dense `npy:"Gamma"`  // m×TB
	InputGrads *mat.Dense `npy:"P"`      // n×TB
	Rate       float64    `npy:"step"`   // γ
	Count      int        `npy:"steps"`  // T
}

func (d descents) statement() theory.Descents {
	return theory.Descents{Inputs: d.Inputs, PreGrads: d.PreGrads, InputGrads: d.InputGrads, Step: d.Rate,
		Steps: d.Count}
}

// Valid names the violated hypothesis.
func (d descents) Valid() error { return d.statement().Valid() }

// gap is W_TᵀW_T − W₀ᵀW₀ − ΣD.
func (d descents) gap() *mat.Dense {
	gap := algebra.Product(d.Last.T(), d.Last)
	before := algebra.Product(d.W.T(), d.W)
	gap.Sub(gap, before)
	gap.Sub(gap, d.statement().Shifts())
	return gap
}

// rounding is the bound of the statement, by these counts of u, with M = Σγ‖Γ‖‖H‖ and V = γ²Σ‖Γ‖²w²:
//
//   - W_{τ+1} = W_τ − γΓHᵀ + e with ‖e‖ ≤ (B+1)uγ‖Γ‖‖H‖ + uw, of which W_{τ+1}ᵀW_{τ+1} sees 2w‖e‖: 2Tw² + 2(B+1)Mw;
//   - the products W_TᵀW_T and W₀ᵀW₀, and their difference: (2m+2)w²;
//   - P = WᵀΓ, known to m·u, in −γΣ(HPᵀ + PHᵀ), which is added up over TB columns, doubled, scaled and added to the
//     square: 2(m + TB + 3)Mw. The P of the squares are the same on both sides;
//   - γ²ΣPPᵀ in the shifts: (TB+3)V, and step by step in the residuals: (B+2)V;
//   - γ²ΣHΓᵀΓHᵀ, a product of products: (2B+m+2)Σγ²‖Γ‖²‖H‖²;
//   - 2T partial sums of the residuals, none larger than all terms, and the last difference: 2T+1 of both squares.
//
// That is (2T+2m+2)w² + 2(TB+m+B+4)Mw and at most TB+2B+m+2T+6 of the squares. The rest of the bound covers the orders
// from u² on: their coefficients are at most the squares of these.
func (d descents) rounding(unit float64) float64 {
	m, columns := d.PreGrads.Dims()
	moved, weights, virtual := d.statement().Sizes()
	w, count, batch := mat.Norm(d.W, 2)+moved, d.Count, columns/d.Count
	return unit * (float64(2*count+2*m+6)*w*w + 2*float64(columns+m+batch+10)*moved*w +
		float64(columns+2*(m+batch)+2*count+12)*(weights+virtual*w*w))
}

func judgeDescents(r *props.Record, d descents, claim accumulated) {
	r.Regime(layers.Shape(d.W))
	r.WithinMatrix("Gram matrix after T steps", d.gap(), claim(d.statement()), d.rounding(r.Unit()))
}

// freeze takes every shift at the initial weights.
func freeze(d *descents) {
	repeated := func(m *mat.Dense) *mat.Dense {
		rows, columns := m.Dims()
		size := columns / d.Count
		out := mat.NewDense(rows, columns, nil)
		for tau := range d.Count {
			out.Slice(0, rows, tau*size, (tau+1)*size).(*mat.Dense).Copy(m.Slice(0, rows, 0, size))
		}
		return out
	}
	d.Inputs, d.PreGrads, d.InputGrads = repeated(d.Inputs), repeated(d.PreGrads), repeated(d.InputGrads)
}

// course is a network whose middle layer is followed, with its batch.
type course struct {
	net              nn.Net
	samples, targets *mat.Dense
}

// plainTraining takes T plain steps.
func plainTraining(c course, count int, rate float64) descents { return c.train(count, count, rate, 0) }

// train takes steps with every layer, with momentum where that is not 0, and keeps what the middle one meets on the
// first terms of them.
func (c course) train(count, terms int, rate, momentum float64) descents {
	batches, velocity, from := []nn.Batch{}, make([]*mat.Dense, len(c.net)), c.net[1].W
	net := slices.Clone(c.net)
	for tau := range max(count, terms) {
		views := net.Batches(c.samples, c.targets)
		if tau < terms {
			batches = append(batches, views[1])
		}
		for l := range net {
			if tau >= count {
				continue
			}
			by := views[l].WeightGrad()
			if momentum != 0 && velocity[l] != nil {
				velocity[l].Scale(momentum, velocity[l])
				by.Add(by, velocity[l])
			}
			velocity[l] = by
			next := algebra.Scaled(-rate, by)
			next.Add(net[l].W, next)
			net[l].W = next
		}
	}
	side := func(of func(nn.Batch) *mat.Dense) *mat.Dense {
		rows, size := of(batches[0]).Dims()
		out := mat.NewDense(rows, size*len(batches), nil)
		for tau, b := range batches {
			out.Slice(0, rows, tau*size, (tau+1)*size).(*mat.Dense).Copy(of(b))
		}
		return out
	}
	return descents{W: from, Last: net[1].W, Rate: rate, Count: len(batches),
		Inputs:     side(func(b nn.Batch) *mat.Dense { return b.Inputs }),
		PreGrads:   side(func(b nn.Batch) *mat.Dense { return b.PreGrads }),
		InputGrads: side(func(b nn.Batch) *mat.Dense { return b.InputGrads })}
}

func drawDescents(t *props.T, train func(c course, count int, rate float64) descents) descents {
	n, m, batch := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "m", 8), gen.Dim(t.T, "B", 6)
	r, act := t.Stream("network"), rapid.SampledFrom(nn.Activations).Draw(t.T, "activation")
	c := course{smoothNet(r, 3, n, m, 2, false), gen.Gaussian(r, 3, batch, 1), gen.Gaussian(r, 2, batch, 1)}
	c.net[0].Act, c.net[1].Act = act, act
	count, rate := rapid.IntRange(2, 40).Draw(t.T, "T"), gen.LogUniform(t.T, "γ", 1e-3, 0.3)
	d := train(c, count, rate)
	for !(mat.Norm(d.Last, 2) < 10*mat.Norm(d.W, 2)) || !(mat.Norm(d.PreGrads, 2) < 1e6) { // it diverged
		rate /= 4
		d = train(c, count, rate)
	}
	return d
}

// horizon is one network trained to one time with ever smaller steps.
type horizon struct {
	M, N int
	order.Remainder
	Relative     []float64  // ‖gap‖/‖ΣD‖
	Limit        *mat.Dense // of gap/γ, extrapolated
	LimitErr     float64
	Residual     *mat.Dense // integral along the gradient flow of the residual over γ², and of the shift over γ
	Shift        *mat.Dense
	IntegralsErr float64
}

// measureHorizon trains to a time up to 1/32 with step sizes for T = 8 … 256 steps, some of which it takes, and smooth
// activations in turn.
func measureHorizon(t *props.Trial, index int, taken func(count int) int) horizon {
	shape := [][2]int{{4, 6}, {5, 5}, {6, 4}}[index%3]
	smooth := []nn.Activation{nn.GELU, nn.Tanh, nn.Softplus, nn.Sigmoid, nn.ZMinusSin}
	c := course{smoothNet(t.Rand, 3, shape[1], shape[0], 2, false), gen.Gaussian(t.Rand, 3, 4, 1),
		gen.Gaussian(t.Rand, 2, 4, 1)}
	c.net[0].Act, c.net[1].Act = smooth[index/3%5], smooth[index/3%5]
	time := math.Ldexp(1+t.Rand.Float64(), -6)
	out := horizon{M: shape[0], N: shape[1]}
	var gaps, perStep []*mat.Dense
	var rates, errors []float64
	rounding := 0.0
	for count := 8; count <= 256; count *= 2 {
		rate := time / float64(count)
		d := plainTraining(c, taken(count), rate)
		gap := d.gap()
		over := algebra.Scaled(1/rate, gap)
		rounding = d.rounding(roundoff.Unit)
		gaps, perStep = append(gaps, gap), append(perStep, over)
		rates, errors = append(rates, rate), append(errors, rounding/rate)
		out.Relative = append(out.Relative, mat.Norm(gap, 2)/mat.Norm(d.statement().Shifts(), 2))
	}
	out.Remainder = order.Halved(rates[2:], gaps[2:], 1, rounding)
	out.Limit, out.LimitErr = order.Limit(perStep, errors)
	out.Residual, out.Shift, out.IntegralsErr = c.flow(time)
	return out
}

// flow integrates along the gradient flow of the network, by the classical Runge–Kutta method with 16 and 32 steps: the
// error of the finer one is a fifteenth of the difference, and the whole difference is allowed.
func (c course) flow(time float64) (residual, shift *mat.Dense, err float64) {
	coarse, _ := c.integrate(time, 16)
	residual, shift = c.integrate(time, 32)
	coarse.Sub(coarse, residual)
	return residual, shift, mat.Norm(coarse, 2)
}

func (c course) integrate(time float64, count int) (residual, shift *mat.Dense) {
	_, n := c.net[1].W.Dims()
	residual, shift = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	net, step := slices.Clone(c.net), time/float64(count)
	for range count {
		next, at := slices.Clone(net), net
		for stage, weight := range []float64{1. / 6, 1. / 3, 1. / 3, 1. / 6} {
			views := at.Batches(c.samples, c.targets)
			v := views[1]
			rates := theory.Descents{Inputs: v.Inputs, PreGrads: v.PreGrads, InputGrads: v.InputGrads, Step: 1,
				Steps: 1}
			accumulate(residual, step*weight, rates.Residuals())
			accumulate(shift, step*weight, rates.FirstOrder())
			at = slices.Clone(net)
			for l := range net {
				grad := views[l].WeightGrad()
				next[l].W = added(next[l].W, -step*weight, grad)
				at[l].W = added(net[l].W, -step*[]float64{0.5, 0.5, 1, 0}[stage], grad)
			}
		}
		net = next
	}
	return residual, shift
}

// added is a + s·b.
func added(a *mat.Dense, s float64, b mat.Matrix) *mat.Dense {
	sum := mat.DenseCopyOf(a)
	accumulate(sum, s, b)
	return sum
}

func accumulate(sum *mat.Dense, s float64, b mat.Matrix) {
	sum.Apply(func(i, j int, x float64) float64 { return x + s*b.At(i, j) }, sum)
}

func judgeHorizon(r *props.Record, _ int, h horizon, claim horizonClaim) {
	r.Regime(layers.Shape(mat.NewDense(h.M, h.N, nil)))
	order.Judge(r, "order in γ", h.Remainder, claim.order)
	r.WithinMatrix("limit of the gap over γ", h.Limit, claim.limit(h), h.LimitErr+h.IntegralsErr)
}

func horizonFigure(all []horizon) props.Figure {
	f := props.Figure{
		ID:    "horizon",
		Title: "Accumulated residual at a fixed time",
		Caption: "Norm of what the shifts leave of the change of the Gram matrix over the norm of the summed shifts, " +
			"for three networks trained to a fixed time with ever smaller steps, on logarithmic axes: it falls in " +
			"proportion to the step size, one order less than the residual of a single step.",
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "‖gap‖/‖ΣD‖", Log: true},
	}
	for i, h := range all[:3] {
		points := props.Curve{Name: "network " + string(rune('1'+i)), Style: props.Points, X: h.Steps,
			Y: h.Relative[2 : 2+len(h.Steps)]}
		f.Curves = append(f.Curves, points)
	}
	line := props.Curve{Name: "slope 1", Style: props.Dashed, X: all[0].Steps}
	for _, x := range line.X {
		line.Y = append(line.Y, all[0].Relative[2]*x/line.X[0])
	}
	f.Curves = append(f.Curves, line)
	return f
}

// simulateSteps takes T steps of a layer of two units, each on one sample that makes the residual as large as
// given and of one direction: the input h is the same at every step, and the target is chosen so that the input's
// gradient is the same p, orthogonal to h. Then D = −γ(hpᵀ + phᵀ) + γ²ppᵀ, of size √2·γ‖h‖‖p‖ to first order, and R =
// γ²(‖g‖²hhᵀ − ppᵀ), in which ‖g‖‖h‖ is kept so small that training does not change it by a part in a hundred.
func simulateSteps(t *props.Trial, v statement.Values) (map[string]float64, error) {
	count, rate, residual, shift := v.Int("steps"), v.Float("step"), v.Float("residual"), v.Float("shift")
	t.Need(count <= 100000, "a simulation takes at most 10⁵ steps")
	t.Need(residual != 0, "a simulation needs a positive residual: its shifts are those of gradients that make one")
	gh := min(residual/2, 0.01*shift/(float64(count)*rate)) // ‖g‖²‖h‖²
	p := math.Sqrt(math.Sqrt((residual - gh) * (residual + gh)))
	t.Need(shift > rate*p*p, "a shift contains γ²‖Wᵀg‖², so that here it is at least %.3g", rate*p*p)
	h := math.Sqrt((shift-rate*p*p)*(shift+rate*p*p)) / (math.Sqrt2 * p)
	basis, turn := gen.Orthonormal(t.Rand, 2, 2), gen.Orthonormal(t.Rand, 2, 2)
	input := algebra.Scaled(h, basis.Slice(0, 2, 0, 1))
	back := algebra.Scaled(p, basis.Slice(0, 2, 1, 2))
	w := algebra.Product(turn, basis.T())
	w.Scale(p*h/math.Sqrt(gh), w) // so that ‖g‖ = √gh/h
	size := mat.Norm(w, 2)
	t.Need(size > 0 && !math.IsInf(size, 1), "no weights in the range of float64 have such residuals and shifts")
	d := descents{W: mat.DenseCopyOf(w), Rate: rate, Count: count, Inputs: mat.NewDense(2, count, nil),
		PreGrads: mat.NewDense(2, count, nil), InputGrads: mat.NewDense(2, count, nil)}
	for tau := range count {
		b := towards(t, w, input, back)
		d.Inputs.SetCol(tau, mat.Col(nil, 0, b.Inputs))
		d.PreGrads.SetCol(tau, mat.Col(nil, 0, b.PreGrads))
		d.InputGrads.SetCol(tau, mat.Col(nil, 0, b.InputGrads))
		accumulate(w, -rate, b.WeightGrad())
	}
	d.Last = w
	left := mat.Norm(d.gap(), 2)
	return map[string]float64{"accumulated": left, "relative": left / mat.Norm(d.statement().Shifts(), 2)}, nil
}

// towards backpropagates ½‖Wh − y‖² with the target y for which the gradient in h is p.
func towards(t *props.Trial, w, h, p *mat.Dense) nn.Batch {
	var g mat.Dense
	t.Need(g.Solve(w.T(), p) == nil, "the weights became singular; take fewer or smaller steps")
	y := algebra.Product(w, h)
	y.Sub(y, &g)
	return nn.Net{{W: mat.DenseCopyOf(w), Act: nn.Identity}}.BatchAt(0, h, y)
}
