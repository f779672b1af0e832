package props

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/theory"
)

// Spec is one claim: a statement, the checks that could refute it, and their negative controls.
type Spec struct {
	Statement *theory.Statement
	Checks    []Check
	Try       *Simulation // how thm try simulates at a user's parameters; nil where there is nothing to simulate
	Along     *Along      // the figure of the theorem over one parameter; nil where a check draws its own
}

// Check is one way to compare the claim with an implementation: a [Drawn] or a [Grid]; or a [Property].
type Check interface {
	erase() checker
}

// variant is a version of the claim: two names. The first says what is drawn and measured, the second what is claimed
// of it. The zero value is the claim itself. Variants that do the same share their measurements.
type variant struct{ done, claimed string }

// Control says what is wrong with a version of the claim that a check must reject: see [Wrong] and [WrongCell].
type Control struct {
	Name       string // what is wrong with it; an erratum or a reading may leave it to the statement
	Assumption string // the assumption it drops; empty when it changes the formula
	Criterion  string // the criterion that must reject it; empty where any may
	done       string // see [variant]
	claimed    string

	Erratum string // ID of the statement's erratum that this is
	Reading string // ID of the statement's reading that this is

	on    func(e Effort) func(cell int) bool // the cells of a sweep that it measures; nil is all
	cases int                                // the cases that it draws; 0 is all
}

// named gives a typed control the names of its variant. What it does is named after itself, or after the control whose
// measurements it shares.
func (c Control) named(does bool, as string, changes bool, cases int) Control {
	if c.Name == "" {
		c.Name = c.Erratum + c.Reading
	}
	c.done, c.cases = as, cases
	if does {
		c.done = c.Name
		if as != "" {
			panic(fmt.Sprintf("props: control %q does something of its own, and what %q does", c.Name, as))
		}
	}
	if changes {
		c.claimed = c.Name
	}
	if cases > 0 && c.done == "" {
		panic(fmt.Sprintf("props: control %q bounds its cases, and draws none of its own", c.Name))
	}
	return c
}

// find returns the index of the control of that name, or a negative number.
func find(controls []Control, name string) int {
	return slices.IndexFunc(controls, func(c Control) bool { return c.Name == name })
}

// shareVersions lets a control that changes nothing of its own claim what the control claims whose data it takes.
func shareVersions(controls []Control) {
	for i, c := range controls {
		if c.claimed != "" || c.done == c.Name {
			continue
		}
		if at := find(controls, c.done); at >= 0 && at != i {
			controls[i].done, controls[i].claimed = controls[at].done, controls[at].claimed
		}
	}
}

// Claim returns the claim for a list of claims. It panics on a specification that contradicts itself, when the program
// starts and not when the claim runs.
func (s Spec) Claim() Claim {
	c := Claim{Statement: s.Statement, Try: s.Try, Along: s.Along}
	for _, check := range s.Checks {
		c.checks = append(c.checks, check.erase())
	}
	if err := c.valid(); err != nil {
		panic(fmt.Sprintf("props: %s: %v", s.Statement.Slug, err))
	}
	return c
}

// checker is a check without its types.
type checker struct {
	name       string
	regimes    []string           // all that the statement allows; none means that there is no distinction
	coarse     map[string]string  // by criterion, why its resolution is coarser than the target
	declined   map[string]float64 // by criterion, the share of cases that may be declined
	proven     map[string]string  // by criterion, why its tolerance covers every draw
	chosen     map[string]string  // by criterion, what of it was chosen after a look at the data
	controls   []Control
	replicates int  // at most; 0 means as the effort says
	tries      int  // at quick effort, cases at most of a control that draws or measures; 0 is no bound
	typed      bool // no variant of its controls is a name that only functions know
	plan       func(Effort) []cell
	even       func(Effort) (n int, alike bool) // how many cells a sweep has, and whether all cost the same
	drawn      func(Effort) evidence.Ranges     // the cells of a sweep; nil for instances
	measure    func(t *Trial, c cell, done string, claims []string) any
	judge      func(j judging, claimed string) *tally
	shrink     func(t *Trial, v variant) (simplest any, shown string)
	codec      codec
	certify    *certifier // nil where the instance is not made of a user's numbers

	// Most runs of the program need neither.
	formulas func() []string // the closed forms of what is claimed, see [formulas]
	tabled   func() *table   // see [checker.table]
}

// table is where a user's measurements go; nil where those of a sweep fit into no table.
func (c checker) table() *table {
	if c.tabled == nil {
		return nil
	}
	return c.tabled()
}

// cell is a unit of work: one measurement of a sweep, or a block of instances.
type cell struct {
	named    func(cell) string // see label
	index    int
	from, to int     // the instances of a block
	cost     float64 // expected, relative to the other cells of the check
	priced   Effort  // at which effort a cell like this was measured, see [Rate]
}

// label names a cell among those of its check.
func (c cell) label() string { return c.named(c) }

// judging holds the data from which a check is judged.
type judging struct {
	effort   Effort
	cells    []cell
	results  []any
	entry    func(label string) *rand.Rand // picks the entry of a matrix that is perturbed
	rank     int                           // of the claim among those that share the measurement
	unit     float64
	detailed bool // resolutions are wanted
}

// named gives the controls that leave it to the statement a name of their own.
func named(controls []Control) []Control {
	out := slices.Clone(controls)
	for i := range out {
		if out[i].Name == "" {
			out[i].Name = out[i].Erratum + out[i].Reading
		}
	}
	return out
}

// cells lists the units of work for one thing done: all of the plan, or those that its control picks. Costs are in
// cases of the mean cost.
func (c checker) cells(e Effort, done string) []cell {
	all, total := c.plan(e), 0.0
	for _, x := range all {
		total += x.cost
	}
	weight := float64(casesIn(all)) / total
	for i := range all {
		all[i].cost *= weight
	}
	at := slices.IndexFunc(c.controls, func(k Control) bool { return k.done == done && done != "" })
	if at < 0 {
		return all
	}
	k := c.controls[at]
	if k.on != nil {
		on := k.on(e)
		all = slices.DeleteFunc(all, func(x cell) bool { return !on(x.index) })
	}
	switch count := min(casesIn(all), c.triedBy(k, e)); {
	case c.shrink == nil:
		all = all[:count]
	case count < casesIn(all):
		all = blocks(e, 0, count, blockSize)
	}
	return all
}

// triedBy bounds the cases of a control that draws or measures.
func (c checker) triedBy(k Control, e Effort) int {
	count := math.MaxInt
	if k.cases > 0 {
		count = k.cases
	}
	if e == Quick && c.tries > 0 {
		count = min(count, c.tries)
	}
	return count
}

// claimsFor lists what is claimed of one thing done, each once: by the claim itself, then by the controls.
func (c checker) claimsFor(done string) []string {
	var out []string
	if done == "" {
		out = append(out, "")
	}
	for _, control := range c.controls {
		if control.done == done && !slices.Contains(out, control.claimed) {
			out = append(out, control.claimed)
		}
	}
	return out
}

// valid says what contradicts itself in a claim.
func (c Claim) valid() error {
	if c.Along != nil && (c.Try == nil || c.Statement.Predict == nil) {
		return errors.New("a figure along a parameter needs a prediction and a simulation")
	}
	names := map[string]bool{}
	for _, k := range c.checks {
		if names[k.name] {
			return fmt.Errorf("two checks are called %q", k.name)
		}
		names[k.name] = true
		if err := k.validControls(c.Statement); err != nil {
			return fmt.Errorf("check %q: %w", k.name, err)
		}
		for name, share := range k.declined {
			if !(share > 0 && share < 1) {
				return fmt.Errorf("check %q: a share %v of the cases of %q cannot be declined", k.name, share, name)
			}
		}
		if err := k.codec.valid(); err != nil {
			return fmt.Errorf("check %q: %w", k.name, err)
		}
	}
	return nil
}

// validControls refuses a control that is the claim itself, or another control under a second name. One variant may be
// a control of several criteria.
func (c checker) validControls(s *theory.Statement) error {
	type rejected struct {
		variant
		criterion string
	}
	seen, names, does := map[rejected]string{}, map[string]bool{}, map[string]bool{"": true}
	for _, k := range c.controls {
		if c.typed && names[k.Name] {
			return fmt.Errorf("two controls are called %q", k.Name)
		}
		names[k.Name] = true
		does[k.done] = does[k.done] || k.done == k.Name
	}
	for _, k := range c.controls {
		if c.typed && !does[k.done] {
			return fmt.Errorf("control %q does what control %q does, and there is no such", k.Name, k.done)
		}
		v := rejected{variant{k.done, k.claimed}, k.Criterion}
		if v.variant == (variant{}) {
			return fmt.Errorf("control %q is the same variant as the claim itself", k.Name)
		}
		if other, twice := seen[v]; twice {
			return fmt.Errorf("control %q is the same variant as control %q", k.Name, other)
		}
		seen[v] = k.Name
		if k.Erratum != "" && s.Erratum(k.Erratum) == nil {
			return fmt.Errorf("the statement has no erratum %q", k.Erratum)
		}
		if k.Reading != "" && s.Reading(k.Reading) == nil {
			return fmt.Errorf("the statement has no reading %q", k.Reading)
		}
	}
	return nil
}
