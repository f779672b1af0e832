package runs

import (
	"cmp"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// DiffSchema is the version of the format of a [Diff].
const DiffSchema = "thm.diff/v1"

// Diff lists the changes between two results.
type Diff struct {
	Schema string   `json:"schema"`
	Old    Side     `json:"old"`
	New    Side     `json:"new"`
	Losses int      `json:"losses"`
	Rows   []Change `json:"rows"` // losses first, then by how far they moved; rows that did not move are left out
	Same   int      `json:"same"` // claims that did not move
}

// Side is one of the two results.
type Side struct {
	Commit string       `json:"commit"`
	Effort props.Effort `json:"effort"`
	Seed   uint64       `json:"seed"`
	Digest string       `json:"digest"`
}

// Change is a claim that moved. A verdict is empty where the claim is not there.
type Change struct {
	Claim string          `json:"claim"`
	Loss  bool            `json:"loss"`
	Why   string          `json:"why"` // in words
	Old   results.Verdict `json:"old"`
	New   results.Verdict `json:"new"`

	Ratio      [2]results.Number `json:"ratio"`      // worst, old and new; NaN where there is none
	Resolution [2]results.Number `json:"resolution"` // likewise
	Accepted   [2]int            `json:"accepted"`   // wrong versions that were not rejected, old and new
	Controls   [2]int            `json:"controls"`   // wrong versions that were tried, old and new
}

// resolutionFactor is the factor by which a resolution may become coarser before that is a loss: pinned evidence has
// the same.
const resolutionFactor = 1.25

// Compare lists the changes from old results to new ones. A loss is a claim that held and no longer does, or is gone; a
// wrong version that is now accepted, or no longer tried; or a resolution that is coarser by more than a quarter.
func Compare(old, now *results.Results) Diff {
	d := Diff{Schema: DiffSchema, Old: side(old), New: side(now), Rows: []Change{}}
	for _, slug := range union(ids(old), ids(now)) {
		c := change(slug, Row(old, slug), Row(now, slug))
		switch {
		case c.Why == "":
			d.Same++
			continue
		case c.Loss:
			d.Losses++
		}
		d.Rows = append(d.Rows, c)
	}
	slices.SortStableFunc(d.Rows, func(a, b Change) int {
		if a.Loss != b.Loss {
			return map[bool]int{true: -1, false: 1}[a.Loss]
		}
		return cmp.Compare(b.moved(), a.moved())
	})
	return d
}

func side(r *results.Results) Side {
	return Side{r.Manifest.Commit, r.Run.Effort, r.Run.Seed, r.Manifest.Digest}
}

func union(a, b []string) []string {
	return append(slices.Clip(a), list.Without(b, a)...)
}

// change compares two rows of a claim; one may be missing.
func change(slug string, old, now *results.Claim) Change {
	nan := results.Number(math.NaN())
	c := Change{Claim: slug, Ratio: [2]results.Number{nan, nan}, Resolution: [2]results.Number{nan, nan}}
	for i, row := range []*results.Claim{old, now} {
		if row == nil {
			continue
		}
		c.Ratio[i], c.Resolution[i], c.Controls[i] = row.WorstRatio, row.Resolution, len(row.Controls)
		c.Accepted[i] = len(row.Controls) - reports.Tried(*row).Controls.Run
	}
	if old != nil {
		c.Old = old.Verdict
	}
	if now != nil {
		c.New = now.Verdict
	}
	c.Why, c.Loss = c.reason(old, now)
	return c
}

// Changes that not every reader wants to see.
const (
	newClaim  = "new claim"
	goneClaim = "claim is gone"
	onlyRatio = "worst ratio"
)

// Moved lists the changes since old results, for the index of a report: since results of a smaller effort, everything
// that the greater one resolves. It is nil where there are no old results, and where they are of a greater effort. A
// claim that a run of some claims leaves out has not moved.
func Moved(old, now *results.Results) *reports.Moved {
	if old == nil || slices.Index(results.Efforts, old.Run.Effort) > slices.Index(results.Efforts, now.Run.Effort) {
		return nil
	}
	d := Compare(old, now)
	m := &reports.Moved{Since: "the run of " + old.Run.Started.UTC().Format("2 January 2006, 15:04 MST"), Same: d.Same}
	if old.Run.Effort != now.Run.Effort {
		m.Smaller = string(old.Run.Effort)
	}
	if commit := old.Manifest.Commit; commit != "" {
		m.Since += ", commit " + commit[:min(len(commit), 12)]
	}
	rows := d.Rows
	if m.Smaller != "" { // claims that did not move may rest on more cases
		for _, slug := range ids(now) {
			if c := change(slug, Row(old, slug), Row(now, slug)); c.Why == "" {
				c.Why = "as before"
				rows = append(rows, c)
			}
		}
	}
	for _, c := range rows {
		switch {
		case c.Why == onlyRatio && m.Smaller == "":
			m.Ratios++
		case c.Why == newClaim && len(old.Manifest.Patterns) > 0, c.Why == goneClaim && len(now.Manifest.Patterns) > 0:
		default:
			row := reports.Move{Claim: c.Claim, Why: c.Why, Loss: c.Loss,
				Verdicts: [2]results.Verdict{c.Old, c.New}, Ratio: c.Ratio, Resolution: c.Resolution}
			for i, r := range []*results.Results{old, now} {
				if claim := Row(r, c.Claim); claim != nil {
					row.Cases[i] = claim.Cases.Run
				}
			}
			m.Rows = append(m.Rows, row)
		}
	}
	return m
}

// reason returns the gravest change of a row, and whether it is a loss.
func (c Change) reason(old, now *results.Claim) (why string, loss bool) {
	switch {
	case old == nil:
		return newClaim, now.Verdict != results.Holds || now.Missed()
	case now == nil:
		return goneClaim, true
	case old.Verdict != now.Verdict:
		return "verdict", old.Verdict == results.Holds || now.Verdict == results.Refuted
	case c.Accepted[1] > c.Accepted[0]:
		return "a wrong version is accepted", true
	case c.Controls[1] < c.Controls[0]:
		return "a wrong version is no longer tried", true
	case float64(c.Resolution[1]) > resolutionFactor*float64(c.Resolution[0]):
		return "coarser resolution", true
	case float64(c.Resolution[0]) > resolutionFactor*float64(c.Resolution[1]):
		return "finer resolution", false
	case differs(c.Ratio[0], c.Ratio[1]):
		return onlyRatio, false
	case c.Controls[1] > c.Controls[0]:
		return "more wrong versions", false
	}
	return "", false
}

func differs(a, b results.Number) bool {
	return a != b && !(math.IsNaN(float64(a)) && math.IsNaN(float64(b)))
}

// moved returns the factor by which the ratio and the resolution moved.
func (c Change) moved() float64 {
	factor := func(p [2]results.Number) float64 {
		if f := math.Abs(math.Log(float64(p[1]) / float64(p[0]))); !math.IsNaN(f) {
			return f
		}
		return 0
	}
	return max(factor(c.Ratio), factor(c.Resolution))
}
