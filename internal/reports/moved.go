package reports

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props/results"
)

// Moved lists the changes since other results, for the head of the index.
type Moved struct {
	Since   string // the other results, in words
	Smaller string // their effort, if it is a smaller one
	Rows    []Move // losses first
	Ratios  int    // further claims whose worst ratio alone moved
	Same    int    // claims that did not move
}

// Move is a claim that changed, with its old and new values. The verdict is empty if the claim is absent.
type Move struct {
	Claim, Why        string
	Loss              bool
	Verdicts          [2]results.Verdict
	Ratio, Resolution [2]results.Number
	Cases             [2]int
}

// movedView holds the changes for the template of the index.
type movedView struct {
	Moved
	Losses int
	Rows   []moveView
	New    []moveView // claims that were absent before and hold, in place of rows
}

type moveView struct {
	Move
	Href              template.URL // empty where the claim is gone
	Was, Is           verdictView
	Ratio, Resolution string
	Cases             string
}

// view lays out the changes.
func (m *Moved) view(all *support, l links) *movedView {
	if m == nil {
		return nil
	}
	v := &movedView{Moved: *m}
	for _, row := range m.Rows {
		view := moveView{Move: row, Was: verdictOf(row.Verdicts[0]), Is: verdictOf(row.Verdicts[1]),
			Ratio: fromTo(row.Ratio), Resolution: fromTo(row.Resolution), Cases: whole(row.Cases[1])}
		if row.Cases[0] != row.Cases[1] {
			view.Cases = whole(row.Cases[0]) + " → " + view.Cases
		}
		if _, known := all.entries[row.Claim]; known {
			view.Href = l.to(row.Claim)
		}
		if row.Loss {
			v.Losses++
		}
		if row.Verdicts[0] == "" && row.Verdicts[1] == results.Holds && !row.Loss && m.Smaller == "" {
			v.New = append(v.New, view)
			continue
		}
		v.Rows = append(v.Rows, view)
	}
	return v
}

// beyond says what a claim gains from a greater effort. It returns "" if the other results are of the same effort, or
// lack the claim.
func (m *Moved) beyond(slug string) string {
	if m == nil || m.Smaller == "" {
		return ""
	}
	at := slices.IndexFunc(m.Rows, func(row Move) bool { return row.Claim == slug })
	if at < 0 || m.Rows[at].Verdicts[0] == "" {
		return ""
	}
	row := m.Rows[at]
	cases := fmt.Sprintf("the %s cases of %s effort", whole(row.Cases[0]), m.Smaller)
	if row.Cases[0] != row.Cases[1] {
		cases = fmt.Sprintf("%s cases, where %s effort has %s", whole(row.Cases[1]), m.Smaller, whole(row.Cases[0]))
	}
	if old, now := draw.Number(float64(row.Resolution[0])), draw.Number(float64(row.Resolution[1])); old != now {
		return fmt.Sprintf("It resolves %s, where %s effort resolves %s, on %s.", now, m.Smaller, old, cases)
	}
	return fmt.Sprintf("It has the same resolution as at %s effort, on %s.", m.Smaller, cases)
}

// verdictOf returns the view of a verdict, or a sign for a claim that is absent.
func verdictOf(v results.Verdict) verdictView {
	if view, known := verdictViews[v]; known {
		return view
	}
	return verdictView{"not there", "–", "unverified"}
}

// fromTo writes two numbers, or one where they look the same, or where the claim is new or gone.
func fromTo(pair [2]results.Number) string {
	old, now := draw.Number(float64(pair[0])), draw.Number(float64(pair[1]))
	switch {
	case old == now || math.IsNaN(float64(pair[0])):
		return now
	case math.IsNaN(float64(pair[1])):
		return old
	}
	return old + " → " + now
}
