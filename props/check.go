package props

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/thm-suite/thm/props/stat"
)

// LegacyCheck is something that can be held against an implementation and can fail. Build one with [Property] or
// [Sweep].
type LegacyCheck struct {
	name       string
	share      string
	replicates int // at most; 0 means as the effort says
	plan       func(Effort) []string
	measure    func(*Trial) any
	judge      func(Effort, []any) Judgement
	shrink     func(*Trial) string // the counterexample of a failing cell in the claim's own terms; may be nil
}

// Name is the check's name within its claim.
func (c LegacyCheck) Name() string { return c.name }

// Trial is one execution of a check on one cell.
type Trial struct {
	Effort Effort
	Index  int        // position of the cell in the plan
	Rand   *rand.Rand // the stream of this claim, check, cell and replicate

	seed uint64
	key  []string
}

// Stream returns an independent stream of the same cell, for a second source of randomness whose draws must not
// shift the first.
func (t *Trial) Stream(label string) *rand.Rand {
	return Stream(t.seed, append(append([]string{}, t.key...), label)...)
}

// newTrial makes the trial of one cell. Streams are keyed by the cell's label and not by its position, so that
// adding a size to a ladder leaves the others as they were.
func (c LegacyCheck) newTrial(run *run, slug string, cells []string, i, replicate int) *Trial {
	key := []string{slug, c.name, cells[i], strconv.Itoa(replicate)}
	return &Trial{Effort: run.Effort, Index: i, Rand: Stream(run.Seed, key...), seed: run.Seed, key: key}
}

// Judgement is what a check concludes from all its measurements.
type Judgement struct {
	Parts          []Part
	Facts          []Fact
	Figures        []Figure
	Counterexample string // the worst case in the claim's own terms; empty when there is none to show
	failing        int    // the cell to shrink, or -1
}

// Part is one condition that a check must meet.
type Part struct {
	Name  string
	Ratio Ratio
	Alpha float64 // probability of a false alarm; 0 for a deterministic condition

	// Of an equality that is tested statistically; 0 otherwise.
	Zone    float64 // discrepancies up to this do not matter
	Detects float64 // discrepancies beyond this are refuted, except with probability Alpha: the false-pass rate
	Needs   float64 // the share of the samples used that would make the interval as narrow as the zone
}

// Equality is the condition that an estimated quantity equals the claimed value up to an indifference zone.
//
// If the truth differs from the claim by more than zone plus the width of the interval, then an interval that does not
// miss the truth lies outside the zone as a whole. Widths fall with the square root of the number of samples.
func Equality(name string, iv stat.Interval, claimed, zone float64) Part {
	width := iv.Hi - iv.Lo
	return Part{Name: name, Ratio: Equivalent(iv, claimed, zone), Alpha: iv.Alpha,
		Zone: zone, Detects: zone + width, Needs: (width / zone) * (width / zone)}
}

// Ratio is the worst ratio of all parts. A judgement without parts has judged nothing and is +Inf.
func (j Judgement) Ratio() Ratio {
	ratios := make([]Ratio, len(j.Parts))
	for i, p := range j.Parts {
		ratios[i] = p.Ratio
	}
	return Worst(ratios...)
}

// Fact is a measured number beside what the claim says of it.
type Fact struct {
	Name    string  `json:"name"`
	Value   Number  `json:"value"`
	Lo      *Number `json:"lo,omitempty"` // the ends of a confidence interval
	Hi      *Number `json:"hi,omitempty"`
	Claimed *Number `json:"claimed,omitempty"`
}

// Figure is evidence to look at. Its caption is also its text alternative, so it says what the figure shows and
// not that there is one.
type Figure struct {
	ID      string  `json:"id"` // unique within the claim
	Title   string  `json:"title"`
	Caption string  `json:"caption"`
	X       Axis    `json:"x"`
	Y       Axis    `json:"y"`
	Curves  []Curve `json:"-"` // exported as the claim's series
}

// Axis is one axis of a figure.
type Axis struct {
	Label string `json:"label"`
	Log   bool   `json:"log,omitempty"`
}

// Style is how a curve is drawn.
type Style string

// The styles of curves.
const (
	Points Style = "points" // markers, with error bars where Lo and Hi are given
	Line   Style = "line"
	Dashed Style = "dashed" // a prediction or a bound
	Band   Style = "band"   // the area between Lo and Hi
	Bars   Style = "bars"   // a histogram: X are the left edges, and one more for the right end
)

// Curve is one series of a figure.
type Curve struct {
	Name  string
	Style Style
	X, Y  []float64
	Lo    []float64
	Hi    []float64
}

// Property is a check that draws instances with rapid and judges each on its own.
type Property struct {
	Name  string
	Cases Scale
	Prop  func(*T) Ratio
}

// LegacySweep is a check that measures cells of type C, in parallel and each with its own stream, and judges all
// measurements together. Cells are identified by how they print (%+v).
type LegacySweep[C, M any] struct {
	Name    string
	Cells   func(Effort) []C
	Measure func(*Trial, C) M
	Judge   func([]C, []M) Judgement

	// Share names the measurement. Checks of one claim with the same non-empty Share have the same Cells and
	// Measure and differ only in what they claim about them; the measurement is then made once.
	Share string

	// Replicates bounds how often a control or a dose is tried, for costly measurements. 0 is no bound.
	Replicates int
}

// Indices returns 0, 1, …, n−1: the cells of a sweep over n instances that differ only in their streams.
func Indices(n int) []int {
	cells := make([]int, n)
	for i := range cells {
		cells[i] = i
	}
	return cells
}

// Check returns the sweep as a check.
func (s LegacySweep[C, M]) Check() LegacyCheck {
	return LegacyCheck{
		name:       s.Name,
		share:      s.Share,
		replicates: s.Replicates,
		plan: func(e Effort) []string {
			cells := s.Cells(e)
			labels := make([]string, len(cells))
			for i, c := range cells {
				labels[i] = fmt.Sprintf("%+v", c)
			}
			return labels
		},
		measure: func(t *Trial) any { return s.Measure(t, s.Cells(t.Effort)[t.Index]) },
		judge: func(e Effort, results []any) Judgement {
			measured := make([]M, len(results))
			for i, r := range results {
				measured[i] = r.(M)
			}
			j := s.Judge(s.Cells(e), measured)
			j.failing = -1
			return j
		},
	}
}
