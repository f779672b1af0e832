package props

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Record collects the notes of a judge: named criteria, values for a reader, and measured numbers.
//
// Each criterion gets what was obtained and what the claim says, and not their difference. The record forms the
// difference itself, and so knows what the criterion would have said of a claim that is wrong by ε: this is its
// resolution, which nobody has to declare. Matrices are perturbed in two shapes, as a whole and in one random entry.
type Record struct {
	unit     float64
	regimes  []string
	regime   string
	entry    *rand.Rand // see picks
	entryOf  func() *rand.Rand
	findings []finding
	shown    []shown
	measured []results.Measurement
	largest  []results.Measurement
	figures  []Figure
	quiet    bool // figures and measurements are not kept
	detailed bool // resolutions are wanted
	paired   bool // comparisons are kept for a figure

	declinable map[string]float64 // by criterion, the share of cases that may be declined

	explanation string // in place of what is shown
}

// Unit is the unit roundoff of the numbers that are judged: 2⁻⁵³, or the one of a user's file.
func (r *Record) Unit() float64 { return r.unit }

// Regime says which of the check's regimes the criteria that follow speak about.
func (r *Record) Regime(name string) {
	if !slices.Contains(r.regimes, name) {
		panic(fmt.Sprintf("props: regime %q is not declared", name))
	}
	r.regime = name
}

// RegimeOf is [Record.Regime] for the last of the check's regimes whose condition holds. The first has no condition: it
// holds for all other cases.
func (r *Record) RegimeOf(conditions ...bool) {
	if len(conditions)+1 != len(r.regimes) {
		panic(fmt.Sprintf("props: %d conditions of %d regimes; the first has none", len(conditions), len(r.regimes)))
	}
	r.regime = r.regimes[0]
	for i, holds := range conditions {
		if holds {
			r.regime = r.regimes[i+1]
		}
	}
}

// Declines leaves a criterion of this case out, if the case cannot resolve it: if signal, a number of the instance and
// never of the discrepancy, is smaller than what the criterion's tolerance presumes. It reports whether it did.
//
//	if !r.Declines("rank", gap, noise) {
//		r.Exactly("rank", got, want)
//	}
//
// A case that is declined has neither passed nor failed. The check says in its field Declined how often that may
// happen; a criterion that is declined more often than chance explains, or always, is undecided. A regime all of whose
// cases are declined counts as not drawn.
func (r *Record) Declines(name string, signal, needed float64) bool {
	if _, may := r.declinable[name]; !may {
		panic(fmt.Sprintf("props: criterion %q is declined, and the check does not say how often that may be", name))
	}
	if signal >= needed {
		return false
	}
	f := finding{Criterion: Criterion{Name: name}, Regime: r.regime, Epsilon: math.Inf(1), Near: math.NaN(),
		Declined: true}
	if math.IsNaN(signal) || math.IsNaN(needed) {
		f.Ratio = invalid
	}
	r.findings = append(r.findings, f)
	return true
}

// Show adds a named value to the counterexample that a reader gets to see. The fields of an instance are shown anyway.
func (r *Record) Show(name string, value any) { r.shown = append(r.shown, shown{name, value}) }

// Figure adds a figure of evidence.
func (r *Record) Figure(f Figure) {
	if r.quiet {
		return
	}
	if err := f.Valid(); err != nil {
		panic("props: " + err.Error())
	}
	r.figures = append(r.figures, f)
}

// Draw adds figures of the claim itself: they are not made for its controls.
func (r *Record) Draw(figures ...func() Figure) {
	if r.quiet || !r.detailed {
		return
	}
	for _, f := range figures {
		r.Figure(f())
	}
}

// Measured reports a number with the interval it was measured to, and what the claim says of it.
func (r *Record) Measured(name string, iv stat.Interval, claimed float64) {
	r.measure(results.Measured(name, iv, claimed))
}

// MeasuredValue reports a number without an interval, and what the claim says of it.
func (r *Record) MeasuredValue(name string, value, claimed float64) {
	r.measure(results.MeasuredValue(name, value, claimed))
}

// MeasuredValueBelow is [Record.MeasuredValue] for what the claim bounds from above.
func (r *Record) MeasuredValueBelow(name string, value, bound float64) {
	m := results.MeasuredValue(name, value, bound)
	m.Relation = results.Below
	r.measure(m)
}

// MeasuredBelow is [Record.Measured] for what the claim bounds from above.
func (r *Record) MeasuredBelow(name string, iv stat.Interval, bound float64) {
	r.measuredBeside(name, iv, bound, results.Below)
}

// MeasuredAbove is [Record.Measured] for what the claim bounds from below.
func (r *Record) MeasuredAbove(name string, iv stat.Interval, bound float64) {
	r.measuredBeside(name, iv, bound, results.Above)
}

func (r *Record) measuredBeside(name string, iv stat.Interval, bound float64, relation results.Relation) {
	m := results.Measured(name, iv, bound)
	m.Relation = relation
	r.measure(m)
}

// MeasuredOf reports a number of a wrong version of the claim, for comparison.
func (r *Record) MeasuredOf(of figure.Subject, name string, value float64) {
	r.measure(results.Measurement{Name: name, Value: results.Number(value), Of: of})
}

func (r *Record) measure(m results.Measurement) {
	if r.quiet {
		return
	}
	if len(r.regimes) > 1 {
		m.Regime = r.regime
	}
	r.measured = append(r.measured, m)
}

// Largest reports the largest value of a number over all cases.
func (r *Record) Largest(name string, value float64) {
	r.largest = append(r.largest, results.Measurement{Name: name, Value: results.Number(value)})
}

// add records a criterion, with its resolution where one is wanted: perturb says how small an error would be rejected.
func (r *Record) add(c Criterion, ratio Ratio, perturb func() (epsilon, near float64)) {
	f := finding{Criterion: c, Regime: r.regime, Ratio: ratio, Epsilon: math.Inf(1), Near: math.NaN(), Count: 1}
	if r.detailed && perturb != nil {
		f.Epsilon, f.Near = perturb()
	}
	r.findings = append(r.findings, f)
}

// allows notes what the last criterion allows, over the size of what it compares.
func (r *Record) allows(tolerance, size float64) {
	if share := tolerance / size; finite(share) {
		r.findings[len(r.findings)-1].Allowed = share
	}
}

// entries notes how many numbers the last criterion compares.
func (r *Record) entries(rows, cols int) { r.findings[len(r.findings)-1].Count = rows * cols }

// pair notes what the last criterion compares.
func (r *Record) pair(pairs func() []compared) {
	if r.paired {
		r.findings[len(r.findings)-1].Pairs = pairs()
	}
}

// picks returns the stream that picks the entry of a matrix that is perturbed. Most cases compare no matrix.
func (r *Record) picks() *rand.Rand {
	if r.entry == nil {
		r.entry = r.entryOf()
	}
	return r.entry
}

// Within is the criterion |got − want| ≤ tolerance.
func (r *Record) Within(name string, got, want, tolerance float64) {
	r.WithinScale(name, got, want, math.Abs(want), tolerance)
}

// WithinScale is [Record.Within] for a claimed value that may vanish, such as 0: a perturbation ε moves it by ε·scale.
func (r *Record) WithinScale(name string, got, want, scale, tolerance float64) {
	r.within(name, got, want, scale, tolerance, results.Relative)
}

func (r *Record) within(name string, got, want, scale, tolerance float64, unit results.Unit) {
	r.add(Criterion{Name: name, Form: results.Equation, Unit: unit}, compare(got-want, tolerance),
		func() (float64, float64) { return scalarPerturbation(got, want, scale, tolerance) })
	r.allows(tolerance, scale)
	r.beside(scalarSides(got, want, tolerance, results.Equal))
	r.pair(func() []compared { return scalars(got, want, results.Equal) })
}

// WithinVector is the criterion ‖got − want‖ ≤ tolerance in the Euclidean norm. The slices have one length.
func (r *Record) WithinVector(name string, got, want []float64, tolerance float64) {
	if len(got) != len(want) {
		panic(fmt.Sprintf("props: %s: vectors of lengths %d and %d", name, len(got), len(want)))
	}
	r.WithinMatrix(name, column(got), column(want), tolerance)
}

// WithinMatrix is the criterion ‖got − want‖ ≤ tolerance in the Frobenius norm. The matrices have one shape.
func (r *Record) WithinMatrix(name string, got, want mat.Matrix, tolerance float64) {
	var diff mat.Dense
	diff.Sub(got, want)
	norm := mat.Norm(&diff, 2)
	r.add(Criterion{Name: name, Form: results.Equation, Unit: results.Relative}, compare(norm, tolerance),
		func() (float64, float64) { return matrixPerturbation(&diff, want, tolerance, r.picks()) })
	r.allows(tolerance, mat.Norm(want, 2))
	r.entries(diff.Dims())
	r.beside(matrixSides(got, want, norm, tolerance))
	r.pair(func() []compared { return entryApart(got, want) })
}

// Exactly is the criterion got = want, to the last bit.
func (r *Record) Exactly(name string, got, want float64) {
	r.exactly(name, got-want, max(math.Abs(got), math.Abs(want)), want == 0)
	r.beside(scalarSides(got, want, 0, results.Equal))
	r.pair(func() []compared { return scalars(got, want, results.Equal) })
}

// ExactlyVector is the criterion got = want in every entry, to the last bit.
func (r *Record) ExactlyVector(name string, got, want []float64) {
	if len(got) != len(want) {
		panic(fmt.Sprintf("props: %s: vectors of lengths %d and %d", name, len(got), len(want)))
	}
	r.ExactlyMatrix(name, column(got), column(want))
}

// ExactlyMatrix is the criterion got = want in every entry, to the last bit.
func (r *Record) ExactlyMatrix(name string, got, want mat.Matrix) {
	var diff mat.Dense
	diff.Sub(got, want)
	r.exactly(name, maxAbs(&diff), max(maxAbs(got), maxAbs(want)), maxAbs(want) == 0)
	r.entries(diff.Dims())
	r.beside(matrixSides(got, want, mat.Norm(&diff, 2), 0))
	r.pair(func() []compared { return entryApart(got, want) })
}

// exactly records an exact comparison. One that claims zero cannot be perturbed by a factor, and any other notices the
// last bit.
func (r *Record) exactly(name string, discrepancy, size float64, vanishes bool) {
	r.add(Criterion{Name: name, Form: results.Exactness, Unit: results.Exact}, exact(discrepancy, size),
		func() (float64, float64) {
			if vanishes {
				return noPerturbation()
			}
			return ulp, 2
		})
}

// AtMost is the criterion value ≤ bound, up to a rounding slack. A perturbation ε tightens the bound by ε·|bound|.
func (r *Record) AtMost(name string, value, bound, slack float64) {
	r.add(Criterion{Name: name, Form: results.Bound, Unit: results.Relative}, atMost(value, bound, slack),
		func() (float64, float64) { return boundPerturbation(value, bound, slack) })
	size := max(math.Abs(value), math.Abs(bound))
	r.findings[len(r.findings)-1].Slack = slack / size
	r.allows(slack, size)
	r.beside(scalarSides(value, bound, slack, results.Below))
	r.pair(func() []compared { return scalars(value, bound, results.Below) })
}

// AtLeast is the criterion value ≥ bound, up to a rounding slack. A perturbation ε raises the bound by ε·|bound|.
func (r *Record) AtLeast(name string, value, bound, slack float64) {
	r.AtMost(name, -value, -bound, slack)
	r.beside(scalarSides(value, bound, slack, results.Above))
	r.pair(func() []compared { return scalars(value, bound, results.Above) })
}

// NotBelow is the criterion that an interval does not lie below a bound as a whole, up to a rounding slack: it refutes
// a true claim with the probability of the interval. A perturbation ε raises the bound by ε·|bound|.
func (r *Record) NotBelow(name string, iv stat.Interval, bound, slack float64) {
	r.AtLeast(name, iv.Hi, bound, slack)
	r.findings[len(r.findings)-1].Alpha = iv.Alpha()
}

// Equals is the criterion that an estimated quantity equals the claimed value up to an equivalence margin. The margin
// is planned such that a true claim is left undecided with probability at most stat.CriterionUndecided.
func (r *Record) Equals(name string, iv stat.Interval, claimed, margin float64) {
	r.equals(name, iv, claimed, margin, math.Abs(claimed), results.Relative)
}

// HasExponent is [Record.Equals] for an exponent: a perturbation is added to it.
func (r *Record) HasExponent(name string, iv stat.Interval, claimed, margin float64) {
	r.equals(name, iv, claimed, margin, 1, results.Exponent)
}

// EqualsAbsolutely is [Record.Equals] for a quantity of order one that may vanish: a perturbation is added to it.
func (r *Record) EqualsAbsolutely(name string, iv stat.Interval, claimed, margin float64) {
	r.equals(name, iv, claimed, margin, 1, results.Absolute)
}

// EqualsCount is the criterion that an estimated number of things, such as the median number of outliers, is the
// claimed one: an interval between two whole numbers holds no other. One more or one less is refuted.
func (r *Record) EqualsCount(name string, iv stat.Interval, claimed int) {
	r.equals(name, iv, float64(claimed), 0.5, 1, results.Whole)
}

// EstimateAtMost is the criterion that an estimated quantity does not exceed a bound by more than an equivalence
// margin: a test of one side. Unlike [Record.AtMost] of an end of the interval, an interval too wide to tell leaves
// it undecided. A perturbation ε tightens the bound by ε·|bound|.
func (r *Record) EstimateAtMost(name string, iv stat.Interval, bound, margin float64) {
	r.add(estimate(name, results.Relative, iv, margin), notAbove(iv, bound, margin),
		func() (float64, float64) { return oneSidedPerturbation(iv, bound, margin) })
	r.allows(margin, math.Abs(bound))
	r.beside(intervalSides(iv, bound, margin, results.Below))
	r.pair(func() []compared { return interval(iv, bound, results.Below) })
}

// EstimateAtLeast is [Record.EstimateAtMost] for a lower bound.
func (r *Record) EstimateAtLeast(name string, iv stat.Interval, bound, margin float64) {
	mirrored := iv
	mirrored.Lo, mirrored.Hi, mirrored.Estimate = -iv.Hi, -iv.Lo, -iv.Estimate
	r.EstimateAtMost(name, mirrored, -bound, margin)
	r.beside(intervalSides(iv, bound, margin, results.Above))
	r.pair(func() []compared { return interval(iv, bound, results.Above) })
}

func (r *Record) equals(name string, iv stat.Interval, claimed, margin, scale float64, unit results.Unit) {
	r.add(estimate(name, unit, iv, margin), equivalent(iv, claimed, margin),
		func() (float64, float64) { return intervalPerturbation(iv, claimed, margin, scale) })
	r.allows(margin, scale)
	r.beside(intervalSides(iv, claimed, margin, results.Equal))
	r.pair(func() []compared { return interval(iv, claimed, results.Equal) })
}

// estimate is a criterion on an interval.
func estimate(name string, unit results.Unit, iv stat.Interval, margin float64) Criterion {
	width := iv.Hi - iv.Lo
	return Criterion{Name: name, Form: results.Estimate, Unit: unit, Alpha: iv.Alpha(), Undecided: stat.CriterionUndecided,
		Margin: margin, Detects: margin + width, Needs: (width / margin) * (width / margin)}
}

// WithinExponent is [Record.Within] for an exponent that is known to a deterministic tolerance: a perturbation is
// added.
func (r *Record) WithinExponent(name string, got, want, tolerance float64) {
	r.within(name, got, want, 1, tolerance, results.Exponent)
}

// Perturbed is a criterion whose claimed value enters the comparison in a way of its own. The function returns the
// ratio for the claim made wrong by a relative ε; at 0 it is the claim itself.
func (r *Record) Perturbed(name string, ratio func(epsilon float64) Ratio) {
	r.add(Criterion{Name: name, Form: results.Equation, Unit: results.Relative}, ratio(0),
		func() (float64, float64) { return searchPerturbation(ratio) })
}

// PerturbedMatrix is [Record.Perturbed] for a claimed matrix, which is perturbed in both shapes.
func (r *Record) PerturbedMatrix(name string, want mat.Matrix, ratio func(want *mat.Dense) Ratio) {
	r.add(Criterion{Name: name, Form: results.Equation, Unit: results.Relative}, ratio(mat.DenseCopyOf(want)),
		func() (float64, float64) { return searchMatrixPerturbation(want, ratio, r.picks()) })
}

// Holds is a condition on a sign or a truth value. It has no resolution, and its row says so.
func (r *Record) Holds(name string, ok bool) {
	ratio := Ratio{}
	if !ok {
		ratio = Ratio{Value: 2, Lower: 2}
	}
	r.add(Criterion{Name: name, Form: results.YesNo}, ratio, nil)
}

// Ratio is a criterion whose ratio was made elsewhere. It has no resolution: it is for suites that belong to no claim,
// in which whatever is not a number is a failure of the thing on trial.
func (r *Record) Ratio(name string, ratio Ratio) {
	if !ratio.Valid() {
		ratio = inf
	}
	r.add(Criterion{Name: name, Form: results.YesNo}, ratio, nil)
}

// Explain sets the text that a reader gets to see of a failure, in place of named values.
func (r *Record) Explain(text string) { r.explanation = text }

// HoldsExcept is [Record.Holds] for a random event, which may fail with probability at most p.
func (r *Record) HoldsExcept(p float64, name string, ok bool) {
	r.Holds(name, ok)
	r.findings[len(r.findings)-1].Alpha = p
}

// ratio is the worst of all criteria so far.
func (r *Record) ratio() Ratio {
	ratios := list.Map(r.findings, func(f finding) Ratio { return f.Ratio })
	return Worst(ratios...)
}

func column(x []float64) *mat.Dense {
	if len(x) == 0 {
		panic("props: an empty vector")
	}
	return mat.NewDense(len(x), 1, slices.Clone(x))
}

func maxAbs(m mat.Matrix) float64 {
	rows, cols := m.Dims()
	largest := 0.0
	for i := range rows {
		for j := range cols {
			if x := math.Abs(m.At(i, j)); x > largest || math.IsNaN(x) {
				largest = x
			}
			if math.IsNaN(largest) {
				return largest
			}
		}
	}
	return largest
}

// atMost is the excess of a value over its bound, divided by the slack.
func atMost(value, bound, slack float64) Ratio {
	if math.IsNaN(value) || math.IsNaN(bound) || math.IsInf(value, 0) || math.IsInf(bound, 0) {
		return invalid
	}
	return compare(max(0, value-bound), slack)
}

// equivalent is the ratio of an equivalence test. It holds when the whole interval lies inside claimed ± margin, and is
// refuted when the whole interval lies outside.
func equivalent(iv stat.Interval, claimed, margin float64) Ratio {
	if !comparable(iv, claimed, margin) {
		return invalid
	}
	lo, hi := iv.Lo-claimed, iv.Hi-claimed
	far := max(math.Abs(lo), math.Abs(hi))
	near := 0.0
	if lo > 0 || hi < 0 {
		near = min(math.Abs(lo), math.Abs(hi))
	}
	return Ratio{Value: far / margin, Lower: near / margin}
}

// comparable reports whether an interval has a level and all numbers are fit for a comparison.
func comparable(iv stat.Interval, claimed, margin float64) bool {
	return iv.Valid() && iv.Alpha() > 0 && !math.IsNaN(claimed) && !math.IsInf(claimed, 0) && margin > 0 &&
		!math.IsInf(margin, 0)
}

// notAbove is the ratio of a test of one side. It holds when the whole interval lies below bound + margin, and is
// refuted when the whole interval lies above.
func notAbove(iv stat.Interval, bound, margin float64) Ratio {
	if !comparable(iv, bound, margin) {
		return invalid
	}
	return Ratio{Value: max(0, iv.Hi-bound) / margin, Lower: max(0, iv.Lo-bound) / margin}
}

// normOf is the Frobenius norm, scaled such that squares neither overflow nor vanish.
func normOf(m *mat.Dense) float64 {
	rows, cols := m.Dims()
	data := make([]float64, 0, rows*cols)
	for i := range rows {
		data = append(data, m.RawRowView(i)...)
	}
	return floats.Norm(data, 2)
}
