package tangent

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// subquadratic pairs the shape of effective penalties with exact minima on a lattice, and the expansion at zero with
// minima by search.
var subquadratic = props.Spec{
	Statement: &theory.Subquadratic,
	Checks: []props.Check{
		props.Drawn[concavity, concave]{
			Name:    "concave in v², on a lattice",
			Cases:   props.Scale{Quick: 300, Standard: 1500, Deep: 200000},
			Regimes: []string{"rising penalty", "penalty of any shape", "free up to 2 or 4"},
			Draw:    func(t *props.T) concavity { return drawConcavity(t, anyLattice) },
			Claim:   concave{slope: inverseSquare, limit: inverseSquare},
			Judge:   judgeConcavity,
			Controls: []props.Wrong[concavity, concave]{
				{Name: fourthPower, Assumption: "inverse-square", Criterion: "concave",
					Draw: func(t *props.T) concavity {
						return drawConcavity(t, func(in *concavity) { in.Power = 2 })
					}},
				{Name: "v⁴ in place of v², its ratio to v²", Criterion: "the ratio does not rise", As: fourthPower},
				{Name: "a penalty of 1 at 1", Assumption: "zero-at-one", Criterion: "at most v²",
					Draw: func(t *props.T) concavity {
						return drawConcavity(t, func(in *concavity) {
							for k := range in.P {
								in.P[k] += 1 << 22 // more than any u
							}
						})
					}},
				{Name: "an effective penalty that does not rise", Criterion: "nondecreasing",
					Alter: func(in *concavity) { slices.Reverse(in.Value[:]) }},
				{Name: "a stretch that does not rise", Criterion: "the stretch does not fall",
					Alter: func(in *concavity) { slices.Reverse(in.Stretch[:]) }},
				{Name: "1/s in place of 1/s²", Criterion: "differences at least the slope above", Instead: concave{slope: inverse}},
				{Name: "1/s⁴ in place of 1/s²", Criterion: "differences at most the slope below",
					Instead: concave{slope: func(log2s int) float64 { return inverseSquare(2 * log2s) }}},
				{Name: "no penalty up to 2", Assumption: "positive", Criterion: "limit of the ratio at zero",
					Draw:    func(t *props.T) concavity { return drawConcavity(t, func(in *concavity) { in.Free = 1 }) },
					Instead: concave{limit: func(int) float64 { return 1 }}},
				{Name: "1/c in place of 1/c²", Criterion: "limit of the ratio at zero", As: "no penalty up to 2",
					Instead: concave{limit: inverse}},
			},
		},
		props.Drawn[expansion, lossBounds]{
			Name:    "expansion at zero",
			Cases:   props.Scale{Quick: 240, Standard: 1200, Deep: 50000},
			Regimes: []string{"smooth", "a kink among them", "kinks alone"},
			Draw:    drawExpansion,
			Claim: lossBounds{theory.Sum.Loss, func(s, v2 float64) float64 { return s * v2 * v2 },
				func(expansion) float64 { return 0 }},
			Judge: judgeExpansion,
			Controls: []props.Wrong[expansion, lossBounds]{
				{Name: "twice the coefficient", Criterion: "loss at least Sv⁴ − 3S²v⁶",
					Instead: lossBounds{coefficient: func(s theory.Sum) float64 { return 2 * s.Loss() }}},
				{Name: "the softest term alone", Criterion: "loss at most Sv⁴", Instead: lossBounds{coefficient: softestTerm}},
				{Name: "a loss of half as much", Criterion: "loss at most Sv⁴",
					Instead: lossBounds{above: func(s, v2 float64) float64 { return s * v2 * v2 / 2 }}},
				{Name: "an effective penalty above v²", Criterion: "at most v²", Alter: func(in *expansion) { in.Loss *= -0.5 }},
				{Name: "a stretch where there is none", Criterion: "v² below the kinks",
					Instead: lossBounds{kinked: func(in expansion) float64 { return math.Pow(in.V, 4) }}},
			},
		},
	},
	Along: &props.Along{
		Param: "v", From: 0.01, To: 100, Y: "effective penalty over v²", Of: []string{"ratio"},
		Each: &props.ParamSweep{Name: "omega", Values: []string{"quadratic", "absolute", "log-det"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
		sum := theory.Sum{{Family: theory.Family(v.Choice("omega")), Factor: v.Float("factor")}}
		_, value, err := bruteForce(sum).Minimum(v.Float("v"))
		return map[string]float64{"effective": value, "ratio": value / math.Pow(v.Float("v"), 2)}, err
	}},
}.Claim()

const fourthPower = "v⁴ in place of v²"

// concave holds the claims about an effective penalty.
type concave struct {
	slope func(log2s int) float64    // of ω̃ in u where the stretch is s
	limit func(log2free int) float64 // of ω̃(v)/v² at zero, where c is the largest stretch that costs nothing
}

func inverse(log2 int) float64       { return math.Exp2(-float64(log2)) }
func inverseSquare(log2 int) float64 { return math.Exp2(-2 * float64(log2)) }

// concavity is a penalty on the stretches 2ᵏ with whole numbers as values, and three equally spaced squared norms.
type concavity struct {
	P       impl.Lattice
	Free    int        // 2ᶠʳᵉᵉ is the largest stretch that costs nothing
	U       [3]float64 // multiples of 4⁶
	Power   int        // of u in what the parameters pay
	Stretch [3]int     // the first k that attains the minimum
	Value   [3]float64
	Small   float64 // ratio of the effective penalty to u at u = 2⁻²⁰
}

func anyLattice(*concavity) {}

// drawConcavity draws a penalty, and changes it before anything is searched.
func drawConcavity(t *props.T, change func(*concavity)) concavity {
	in := concavity{P: make(impl.Lattice, 2*latticeReach+1), Power: 1}
	unit := rapid.SampledFrom([]float64{1, 1 << 9, 1 << 18}).Draw(t.T, "unit") // the last leaves most u as they are
	rising := rapid.Bool().Draw(t.T, "rising")
	for k := 1; k <= latticeReach; k++ {
		value := unit * float64(rapid.IntRange(1, 4<<(2*k)).Draw(t.T, "penalty"))
		if rising {
			value = in.P.At(k-1) + unit*float64(rapid.IntRange(1, 4<<k).Draw(t.T, "step"))
		}
		in.P[latticeReach+k] = value
	}
	in.Free = rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t.T, "log₂ c")
	change(&in)
	for k := 1; k <= in.Free; k++ {
		in.P[latticeReach+k] = 0
	}
	first, apart := rapid.IntRange(1, 60).Draw(t.T, "u/4⁶"), rapid.IntRange(1, 60).Draw(t.T, "apart")
	for i := range in.U {
		in.U[i] = float64((first + i*apart) << (2 * latticeReach))
		in.Stretch[i], in.Value[i] = in.P.Minimum(math.Pow(in.U[i], float64(in.Power)))
	}
	_, small := in.P.Minimum(0x1p-20)
	in.Small = small / 0x1p-20
	return in
}

// wholeAtMost is [props.Record.AtMost] for whole numbers below 2⁵¹, whose product with 4u is less than 1: it has no
// tolerance.
func wholeAtMost(r *props.Record, name string, value, bound float64) {
	r.AtMost(name, value, bound, 4*r.Unit()*max(1, bound))
}

// judgeConcavity is exact: u is a multiple of 4ᵏ for every stretch 2ᵏ, so all values are whole, and products of two of
// them below 2⁵¹.
func judgeConcavity(r *props.Record, in concavity, c concave) {
	r.Regime("rising penalty")
	if in.Free > 0 {
		r.Regime("free up to 2 or 4")
	}
	for k := range latticeReach {
		if in.P.At(k+1) < in.P.At(k) {
			r.Regime("penalty of any shape")
		}
	}
	u, f := in.U, in.Value
	wholeAtMost(r, "concave", f[0]+f[2], 2*f[1])
	for i := range 3 {
		wholeAtMost(r, "at most v²", f[i], u[i])
	}
	for i := range 2 {
		up, apart := f[i+1]-f[i], u[i+1]-u[i]
		wholeAtMost(r, "the ratio does not rise", f[i+1]*u[i], f[i]*u[i+1])
		wholeAtMost(r, "nondecreasing", f[i], f[i+1])
		wholeAtMost(r, "the stretch does not fall", math.Exp2(float64(in.Stretch[i])), math.Exp2(float64(in.Stretch[i+1])))
		wholeAtMost(r, "differences at most the slope below", up, apart*c.slope(in.Stretch[i]))
		wholeAtMost(r, "differences at least the slope above", apart*c.slope(in.Stretch[i+1]), up)
	}
	r.Exactly("limit of the ratio at zero", in.Small, c.limit(in.Free))
}

// lossBounds holds the claims about the loss v² − ω̃(v) at a small v.
type lossBounds struct {
	coefficient func(theory.Sum) float64    // S
	above       func(s, v2 float64) float64 // an upper bound
	kinked      func(in expansion) float64  // the loss below all kinks
}

// softestTerm is the loss of the term that gives way most, a ten-thousandth less.
func softestTerm(s theory.Sum) (largest float64) {
	for i := range s {
		largest = max(largest, s[i:i+1].Loss())
	}
	return largest * (1 - 1e-4)
}

// expansion holds the values that search finds for a sum of penalties at a small v.
type expansion struct {
	Sides   theory.Sum
	V       float64
	Stretch float64 // s − 1
	Loss    float64 // v² − ω̃(v)
}

func drawExpansion(t *props.T) expansion {
	in := expansion{Sides: drawSum(t)}
	in.V = gen.LogUniform(t.T, "v√S", 3e-4, 1) / math.Sqrt(in.Sides.Loss())
	for i := range in.Sides {
		if kink := in.Sides.Threshold(i); kink > 0 { // beyond it a term with a kink gives way too
			in.V = min(in.V, kink*gen.LogUniform(t.T, "v/threshold", 1e-3, 0.999))
		}
	}
	all := bruteForce(in.Sides)
	in.Stretch = all.Stationary(in.V)
	e := in.Stretch
	in.Loss = in.V*in.V*e*(2+e)/((1+e)*(1+e)) - all.Value(e)
	return in
}

// judgeExpansion: s − 1 is known to a few roundings of itself, or of 1 where a term has a kink that it may have been
// split with; ω(s) errs by u(s−1) in each log-det term.
func judgeExpansion(r *props.Record, in expansion, c lossBounds) {
	u, v2, loss := 64*r.Unit(), in.V*in.V, c.coefficient(in.Sides)
	linear, kinks := 0.0, 0
	for _, side := range in.Sides {
		linear += side.Factor
		if side.Family == theory.Absolute {
			kinks++
		}
	}
	switch {
	case kinks == len(in.Sides):
		r.Regime("kinks alone")
		r.Exactly("v² below the kinks", in.Loss, c.kinked(in))
		return
	case kinks > 0:
		r.Regime("a kink among them")
	default:
		r.Regime("smooth")
	}
	noise := u * (linear*in.Stretch + v2*in.Stretch)
	r.AtLeast("loss at least Sv⁴ − 3S²v⁶", in.Loss, loss*v2*v2*(1-3*loss*v2), noise)
	r.AtMost("loss at most Sv⁴", in.Loss, c.above(loss, v2), noise)
	r.AtMost("at most v²", v2-in.Loss, v2, noise)
}
