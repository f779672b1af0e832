package reports

import (
	"html/template"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props/results"
)

// Moved is what changed since other results, for the head of the index.
type Moved struct {
	Since  string // which results these are, in words
	Rows   []Move // losses first
	Ratios int    // further claims, of which only the worst ratio moved
	Same   int    // claims that did not move
}

// Move is a claim that changed; what it was and what it is. A verdict is empty where the claim is not there.
type Move struct {
	Claim, Why        string
	Loss              bool
	Verdicts          [2]results.Verdict
	Ratio, Resolution [2]results.Number
}

// movedView is what the template of the index shows of it.
type movedView struct {
	Moved
	Losses int
	Rows   []moveView
}

type moveView struct {
	Move
	Href              template.URL // empty where the claim is gone
	Was, Is           verdictView
	Ratio, Resolution string
}

// moved lays out what changed.
func (m *Moved) view(all *support, l links) *movedView {
	if m == nil {
		return nil
	}
	v := &movedView{Moved: *m}
	for _, row := range m.Rows {
		view := moveView{Move: row, Was: verdictOf(row.Verdicts[0]), Is: verdictOf(row.Verdicts[1]),
			Ratio: fromTo(row.Ratio), Resolution: fromTo(row.Resolution)}
		if _, known := all.entries[row.Claim]; known {
			view.Href = l.to(row.Claim)
		}
		if row.Loss {
			v.Losses++
		}
		v.Rows = append(v.Rows, view)
	}
	return v
}

// verdictOf is a verdict, or the sign of a claim that is not there.
func verdictOf(v results.Verdict) verdictView {
	if view, known := verdictViews[v]; known {
		return view
	}
	return verdictView{"not there", "–", "unverified"}
}

// fromTo writes two numbers, or one where they look the same.
func fromTo(pair [2]results.Number) string {
	old, now := draw.Number(float64(pair[0])), draw.Number(float64(pair[1]))
	if old == now {
		return now
	}
	return old + " → " + now
}
