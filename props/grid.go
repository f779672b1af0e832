package props

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/thm-suite/thm/internal/list"
)

// Grid is a check that measures cells of type K, in parallel and each with its own stream, and judges the measurements:
// each on its own, all of them together, or both. It suits orders, exponents, limits and probabilities, for which a
// shrunk counterexample would only say that n is small. Cells are identified by how they print (%+v); a measurement M
// is a plain value: its exported fields are all there is to it.
//
// What is claimed, C, is a struct of closed forms of package theory and of numbers. What is measured knows nothing of
// it, and neither knows a mistake: every wrong version lives in its [WrongCell].
type Grid[K, M, C any] struct {
	Name     string
	Cells    func(Effort) []K
	Regimes  []string // all that the statement allows; one that no cell reaches is reported as not drawn
	Measure  func(t *Trial, cell K) M
	Claim    C
	Judge    func(r *Record, cell K, m M, claim C)        // of each cell on its own; may be nil
	Conclude func(r *Record, cells []K, all []M, claim C) // of all cells together; may be nil
	Controls []WrongCell[K, M, C]

	// by criterion, the largest share of the cases of a regime that may be declined, see [Record.Declines]
	Declined map[string]float64
	Proven   map[string]string // by criterion, why its tolerance covers every draw, where ratios come close to 1
	Cost     func(K) float64   // of a cell relative to the others; nil where all cost the same
	Coarse   map[string]string // by criterion, why its resolution cannot be finer
	// what was chosen after a look at the data, such as "bound" or "sizes", and of which criteria: their rows say so
	Chosen     map[string][]string
	Replicates int // bounds how often a control is tried, for costly measurements; 0 is no bound
	Tries      int // bounds how many of its cells a control measures at quick effort; 0 is no bound

	// ControlsOn picks the cells on which a control that measures nothing is judged, and picks none of its own; nil is
	// all. Judging every cell of deep effort again for each control takes longer than the claim.
	ControlsOn func(cell K) bool
}

// WrongCell is a control of [Grid]: a version of the claim that the check must reject. It measures something else,
// alters what was measured, claims something else, or several of these. A control that does not measure shares the
// measurements of the claim.
type WrongCell[K, M, C any] struct {
	Name       string // what is wrong with it; an erratum or a reading may leave it to the statement
	Assumption string // the assumption it drops; empty when it changes the formula
	Criterion  string // the criterion that must reject it; empty where any may
	Erratum    string // ID of the statement's erratum that this is
	Reading    string // ID of the statement's reading that this is

	Measure func(t *Trial, cell K) M // in place of the check's
	Alter   func(cell K, m *M)       // changes fields of the measurement; what they point to is shared and stays as it is
	Claim   func(c *C)               // changes what is claimed, where that takes the check's, or a zero; see Instead
	As      string                   // is the version of the control of this name, or measures what it measures
	On      func(cell K) bool        // picks the cells that it measures, or is judged on; nil is all, see ControlsOn

	// Instead is claimed in place of the check's Claim. Fields of it that are zero are taken from Claim.
	Instead C
}

// Indices returns 0, 1, …, n−1: the cells of a grid of n instances that differ only in their streams.
func Indices(n int) []int {
	return list.Fill(n, func(i int) int { return i })
}

// First picks the first n cells of [Indices].
func First(n int) func(index int) bool { return func(index int) bool { return index < n } }

func (w WrongCell[K, M, C]) control() Control {
	c := Control{Name: w.Name, Assumption: w.Assumption, Criterion: w.Criterion, Erratum: w.Erratum, Reading: w.Reading}
	return c.named(w.Measure != nil, w.As, w.Alter != nil || w.Claim != nil || says(w.Instead), 0)
}

func (g Grid[K, M, C]) erase() checker {
	g.Cells = remembered(g.Cells)
	controls := make([]Control, len(g.Controls))
	for i, w := range g.Controls {
		controls[i] = w.control()
		picks := w.On
		if picks == nil && w.Measure == nil {
			picks = g.ControlsOn
		}
		if picks != nil {
			controls[i].on = func(e Effort) func(int) bool {
				cells := g.Cells(e)
				return func(index int) bool { return picks(cells[index]) }
			}
		}
	}
	shareVersions(controls)
	version := func(name string) (w WrongCell[K, M, C]) {
		if i := find(controls, name); i >= 0 {
			w = g.Controls[i]
		}
		return w
	}
	claim := func(claimed string) C {
		w := version(claimed)
		c := instead(versionOf(g.Claim, claimed), w.Instead).(C)
		if w.Claim != nil {
			w.Claim(&c)
		}
		return c
	}
	alter := func(cell, measured any, claimed string) M {
		m := measured.(M)
		if w := version(claimed); w.Alter != nil {
			w.Alter(cell.(K), &m)
		}
		return m
	}
	s := sweep{
		Name: g.Name, Cell: reflect.TypeFor[K](), Kind: reflect.TypeFor[M](), Regimes: g.Regimes, Controls: controls,
		Declined: g.Declined, Proven: g.Proven, Coarse: g.Coarse, Chosen: chosen(g.Name, g.Chosen),
		Replicates: g.Replicates, Tries: g.Tries,
		Cells: func(e Effort) cellsOfSweep {
			cells := g.Cells(e)
			out := untyped(cells)
			if g.Cost != nil {
				out.cost = func(i int) float64 { return g.Cost(cells[i]) }
			}
			return out
		},
		Measure: func(t *Trial, cell any, done string) any {
			if done == "" {
				return g.Measure(t, cell.(K))
			}
			return version(done).Measure(t, cell.(K))
		},
	}
	if g.Judge != nil {
		s.Judge = func(r *Record, cell, m any, claimed string) {
			g.Judge(r, cell.(K), alter(cell, m, claimed), claim(claimed))
		}
	}
	if g.Conclude != nil {
		s.Conclude = func(r *Record, cells, all []any, claimed string) {
			typed, altered := make([]K, len(cells)), make([]M, len(all))
			for i, cell := range cells {
				typed[i], altered[i] = cell.(K), alter(cell, all[i], claimed)
			}
			g.Conclude(r, typed, altered, claim(claimed))
		}
	}
	k := s.erase()
	k.typed, k.formulas = true, func() []string { return formulas(g.Claim) }
	return k
}

// remembered makes a list of cells once for each effort: a plan asks for it several times, and every measurement does.
func remembered[K any](cells func(Effort) []K) func(Effort) []K {
	var mu sync.Mutex
	known := map[Effort][]K{}
	return func(e Effort) []K {
		mu.Lock()
		defer mu.Unlock()
		if _, asked := known[e]; !asked {
			known[e] = cells(e)
		}
		return known[e]
	}
}

func untyped[K any](cells []K) cellsOfSweep {
	return cellsOfSweep{n: len(cells), at: func(i int) any { return cells[i] }}
}

// chosen says of each criterion what was chosen.
func chosen(check string, criteria map[string][]string) map[string]string {
	out := map[string]string{}
	for what, names := range criteria {
		for _, name := range names {
			if out[name] != "" || what == "" {
				panic(fmt.Sprintf("props: check %q does not say clearly what of %q was chosen", check, name))
			}
			out[name] = what
		}
	}
	return out
}
