package soak

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
)

// Limit is how large the chance may be that a run of the suite is red although all claims are true.
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

// Budget is the chance that a run is red although all claims are true, by what may turn it red.
type Budget struct {
	Parts      []Part
	Total      stat.Chance
	Largest    []Risk // the first three
	Unmeasured int    // criteria and controls whose chance is not derived, and that the soak has not seen
	Measured   *Summary
}

// largestShown is how many of the risks a page names.
const largestShown = 3

// BudgetOf adds up the chances of everything in a run that may turn it red. What a criterion declares and what a
// control is seen by stand in the results; the rest was measured over many seeds.
func BudgetOf(r *props.Results, measured *Summary) Budget {
	b := Budget{Measured: measured}
	items := map[Item]Item{}
	if measured != nil {
		for _, x := range measured.Items {
			items[x.key()] = x
		}
	}
	var alpha, undecided, deterministic, accepted []Risk
	for _, c := range r.Claims {
		for _, p := range c.Criteria {
			what := p.Check + " / " + p.Name
			if p.Alpha > 0 {
				alpha = append(alpha, Risk{c.ID, what, certain(p.Alpha)})
			}
			if p.Undecided > 0 {
				undecided = append(undecided, Risk{c.ID, what + ", undecided", certain(p.Undecided)})
			}
			if p.Alpha > 0 || p.Form == props.YesNo || p.Form == props.Exactness {
				continue
			}
			x, known := items[Item{Claim: c.ID, Check: p.Check, Name: p.Name}]
			if !known {
				b.Unmeasured++
				continue
			}
			deterministic = append(deterministic, Risk{c.ID, what, x.chance()})
		}
		for _, k := range c.Controls {
			chance := certain(float64(k.Chance))
			x, known := items[Item{Claim: c.ID, Check: k.Check, Name: k.Name, Control: true}]
			if known && x.chance().Upper < chance.Upper {
				chance = x.chance()
			} else if !known && k.Chance >= 0.5 {
				b.Unmeasured++
				continue
			}
			accepted = append(accepted, Risk{c.ID, k.Check + " / control: " + k.Name, chance})
		}
	}
	for _, part := range []struct {
		name  string
		risks []Risk
	}{{"a statistical criterion refutes what is true", alpha}, {"a criterion is left undecided", undecided},
		{"a tolerance does not cover a draw", deterministic}, {"a wrong version is accepted", accepted}} {
		b.Parts = append(b.Parts, Part{part.name, len(part.risks), sum(part.risks)})
	}
	all := slices.Concat(alpha, undecided, deterministic, accepted)
	b.Total = sum(all)
	slices.SortStableFunc(all, func(x, y Risk) int {
		return cmp.Or(cmp.Compare(y.Chance.Estimate, x.Chance.Estimate), cmp.Compare(y.Chance.Upper, x.Chance.Upper))
	})
	b.Largest = all[:min(largestShown, len(all))]
	return b
}

// Overspent says by how much the budget exceeds its limit, or nothing.
func (b Budget) Overspent() string {
	if b.Total.Estimate <= Limit {
		return ""
	}
	return fmt.Sprintf("a run is red by chance with probability %.2g; the budget is %g", b.Total.Estimate, Limit)
}

// Budget is that of the runs of the soak themselves.
func (s *Summary) Budget() Budget {
	b := Budget{Measured: s}
	names := []string{"a statistical criterion is refuted or undecided", "a tolerance does not cover a draw",
		"a wrong version is accepted"}
	risks := make([][]Risk, len(names))
	for _, x := range s.Items {
		at, what := 1, x.Check+" / "+x.Name
		switch {
		case x.Control:
			at, what = 2, x.Check+" / control: "+x.Name
		case x.Basis == Declared:
			at = 0
		}
		risks[at] = append(risks[at], Risk{x.Claim, what, x.chance()})
	}
	for i, name := range names {
		b.Parts = append(b.Parts, Part{name, len(risks[i]), sum(risks[i])})
	}
	b.Total = sum(slices.Concat(risks...))
	for _, x := range s.Items[:min(largestShown, len(s.Items))] {
		b.Largest = append(b.Largest, Risk{x.Claim, x.Check + " / " + x.Name, x.chance()})
	}
	return b
}

func certain(p float64) stat.Chance { return stat.Chance{Estimate: p, Upper: p} }

func sum(risks []Risk) stat.Chance {
	chances := make([]stat.Chance, len(risks))
	for i, r := range risks {
		chances[i] = r.Chance
	}
	return stat.SumOfChances(chances)
}

// key is what identifies an item.
func (x Item) key() Item {
	return Item{Claim: x.Claim, Check: x.Check, Name: x.Name, Control: x.Control}
}

func (x Item) chance() stat.Chance {
	return stat.Chance{Estimate: float64(x.Chance), Upper: float64(x.Upper)}
}
