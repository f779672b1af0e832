package soak

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Limit is the largest chance allowed that a run of the suite is red although all claims are true.
const Limit = 1e-5

// Part is one way in which a run can be red although all claims are true.
type Part struct {
	Name   string
	Items  int
	Chance stat.Chance
}

// Risk is one criterion or control with its chance.
type Risk struct {
	Claim, What string
	Chance      stat.Chance
}

// Budget holds the chance that a run is red although all claims are true, by cause.
type Budget struct {
	Parts      []Part
	Total      stat.Chance
	Largest    []Risk // the first three
	Unmeasured int    // criteria and controls whose chance is not derived, and that the soak has not seen
	Measured   *Summary
}

// largestShown is the number of risks that a page names.
const largestShown = 3

// The ways in which a run can be red although all claims are true.
const (
	refuted  = "a statistical criterion refutes a true claim, or is undecided"
	uncover  = "a tolerance does not cover a draw"
	accepted = "a wrong version is accepted"
)

// BudgetOf adds up the chances of everything in a run that may turn it red. The results hold the chances that a
// criterion declares and by which a control is seen; the rest was measured over many seeds.
func BudgetOf(r *results.Results, measured *Summary) Budget {
	b := ledger{}
	unmeasured := 0
	items := map[identity]*Item{}
	if measured != nil {
		items = make(map[identity]*Item, len(measured.Items))
		for i := range measured.Items {
			x := &measured.Items[i]
			items[identity{x.Claim, x.Check, x.Name, x.Control}] = x
		}
	}
	for _, c := range r.Claims {
		for _, p := range c.Criteria {
			what := p.Check + " / " + p.Name
			x, known := items[identity{c.ID, p.Check, p.Name, false}]
			derived := p.Alpha > 0 || p.Form == results.YesNo || p.Form == results.Exactness || p.Proven != ""
			if known && !derived {
				b.add(uncover, Risk{c.ID, what, x.chance()}) // with what it declares
				continue
			}
			if !derived {
				unmeasured++
			}
			if p.Alpha+p.Undecided > 0 {
				b.add(refuted, Risk{c.ID, what, certain(p.Alpha + p.Undecided)})
			}
		}
		for _, k := range c.Controls {
			chance := certain(float64(k.Chance))
			x, known := items[identity{c.ID, k.Check, k.Name, true}]
			if known && x.chance().Upper < chance.Upper {
				chance = x.chance()
			} else if !known && k.Chance >= 0.5 { // a bound from a handful of cases says nothing
				unmeasured++
				continue
			}
			b.add(accepted, Risk{c.ID, k.Check + " / control: " + k.Name, chance})
		}
	}
	return b.total(measured, unmeasured)
}

// Budget returns the budget of the runs of the soak themselves.
func (s *Summary) Budget() Budget {
	b := ledger{}
	for _, x := range s.Items {
		name, what := uncover, x.Check+" / "+x.Name
		switch {
		case x.Control:
			name, what = accepted, x.Check+" / control: "+x.Name
		case x.Basis == Declared:
			name = refuted
		}
		b.add(name, Risk{x.Claim, what, x.chance()})
	}
	return b.total(s, 0)
}

// ledger holds risks by the kind of row that they may turn red.
type ledger map[string][]Risk

func (b ledger) add(name string, r Risk) { b[name] = append(b[name], r) }

func (b ledger) total(measured *Summary, unmeasured int) Budget {
	out := Budget{Measured: measured, Unmeasured: unmeasured}
	var all []Risk
	for _, name := range []string{refuted, uncover, accepted} {
		out.Parts = append(out.Parts, Part{name, len(b[name]), sum(b[name])})
		all = append(all, b[name]...)
	}
	out.Total = sum(all)
	slices.SortStableFunc(all, func(x, y Risk) int {
		return cmp.Or(cmp.Compare(y.Chance.Estimate, x.Chance.Estimate), cmp.Compare(y.Chance.Upper, x.Chance.Upper))
	})
	out.Largest = all[:min(largestShown, len(all))]
	return out
}

// Overspent says by how much the budget exceeds its limit, or nothing.
func (b Budget) Overspent() string {
	if b.Total.Estimate <= Limit {
		return ""
	}
	return fmt.Sprintf("a run is red by chance with probability %.2g; the budget is %g", b.Total.Estimate, Limit)
}

func certain(p float64) stat.Chance { return stat.Chance{Estimate: p, Upper: p} }

func sum(risks []Risk) stat.Chance {
	chances := list.Map(risks, func(r Risk) stat.Chance { return r.Chance })
	return stat.SumOfChances(chances)
}

// identity has the fields that identify an item.
type identity struct {
	claim, check, name string
	control            bool
}

func (x Item) chance() stat.Chance {
	return stat.Chance{Estimate: float64(x.Chance), Upper: float64(x.Upper)}
}
