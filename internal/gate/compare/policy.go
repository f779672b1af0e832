package compare

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/thm-suite/thm/internal/strictjson"
)

// Policy declares when a comparison passes.
type Policy struct {
	// Alpha is the chance of one or more wrong verdicts in the whole table.
	Alpha float64 `json:"alpha"`
	// Margin is the smallest relative change that matters: 0.05 is 5 % more, or as much less (1/1.05).
	Margin float64 `json:"zone"`
	// Margins overrules Margin for units. Units that are compared exactly have the margin 0 unless it is named here.
	Margins map[string]float64 `json:"zones,omitempty"`
	// Units lists the units that the outcome depends on, tidied as benchstat does (sec/op, not ns/op). If there are none
	// these are sec/op, B/op, allocs/op, and every unit with the metadata assume=exact and better=.
	Units []string `json:"units,omitempty"`
	// Better says which way is better, "higher" or "lower", for units about which the old results do not say it. It
	// overrules them, and what everybody knows of time and allocations.
	Better map[string]string `json:"better,omitempty"`
	// GateOn says whether the outcome depends on time, on instructions, or on both as package diff joins them: empty is
	// time. It does not matter where Units are named.
	GateOn string `json:"gate_on,omitempty"`
	// Missing says what becomes of a benchmark that the new results lack: undecided, unusable, or allowed.
	Missing string `json:"missing"`
	// Undecided says what a gated row that the data leave open does: with undecided it makes the outcome undecided, with
	// allowed the table passes if nothing is worse, and says how large a change may have passed unseen.
	Undecided string `json:"undecided,omitempty"`
	// DifferentMachine allows results of different machines, or of different versions and settings of Go, to be compared.
	DifferentMachine bool `json:"different_machine,omitempty"`
}

// The values of Policy.Missing.
const (
	MissingUndecided = "undecided"
	MissingUnusable  = "unusable"
	MissingAllowed   = "allowed"
)

// UndecidedAllowed is the value of Policy.Undecided that lets open rows pass; empty and MissingUndecided do not.
const UndecidedAllowed = "allowed"

// The values of Policy.GateOn.
const (
	GateOnTime         = "time"
	GateOnInstructions = "instructions"
	GateOnBoth         = "both"
)

// Counted are the units of counts that the machine's noise hardly disturbs, and CountMargin is the smallest change of
// them that matters where a policy does not name one.
var Counted = []string{"instructions/op", "estimated-cycles/op"}

// CountMargin is the margin of Counted.
const CountMargin = 0.01

// SpecOf returns the parameters by which a sampled row of a unit is judged, at its share of α.
func (p Policy) SpecOf(unit string, share float64, better int) Spec {
	return Spec{Alpha: share, Margin: p.MarginOf(unit), Better: better, Reaching: slices.Contains(Counted, unit)}
}

// MarginOf is the smallest relative change of a unit that matters.
func (p Policy) MarginOf(unit string) float64 {
	if margin, named := p.Margins[unit]; named {
		return margin
	}
	if slices.Contains(Counted, unit) {
		return CountMargin
	}
	return p.Margin
}

var missings = []string{MissingUndecided, MissingUnusable, MissingAllowed}

// DefaultPolicy returns the policy that applies where no other is given.
func DefaultPolicy() Policy {
	return Policy{Alpha: 0.01, Margin: 0.05, Missing: MissingUndecided}
}

// Validate names what is wrong with a policy.
func (p Policy) Validate() error {
	if !(p.Alpha > 0 && p.Alpha <= 0.5) {
		return fmt.Errorf("alpha must be a probability in (0, 0.5], not %v", p.Alpha)
	}
	if !(p.Margin >= 0 && p.Margin <= 10) {
		return fmt.Errorf("zone must be a relative change in [0, 10], as 0.05 for 5 %%, not %v", p.Margin)
	}
	for unit, margin := range p.Margins {
		if unit == "" || !(margin >= 0 && margin <= 10) {
			return fmt.Errorf("the margin of a unit must be a relative change in [0, 10], not %v for %q", margin, unit)
		}
	}
	for unit, better := range p.Better {
		if unit == "" || !slices.Contains(unitValues["better"], better) {
			return fmt.Errorf("better must be higher or lower, not %q for %q", better, unit)
		}
	}
	if slices.Contains(p.Units, "") {
		return errors.New("a unit has a name")
	}
	if !slices.Contains(missings, p.Missing) {
		return fmt.Errorf("missing must be one of undecided, unusable, allowed, not %q", p.Missing)
	}
	if !slices.Contains([]string{"", GateOnTime, GateOnInstructions, GateOnBoth}, p.GateOn) {
		return fmt.Errorf("gate_on must be one of time, instructions, both, not %q", p.GateOn)
	}
	if p.Undecided != "" && p.Undecided != MissingUndecided && p.Undecided != UndecidedAllowed {
		return fmt.Errorf("undecided must be undecided or allowed, not %q", p.Undecided)
	}
	return nil
}

// tidy names units as the results do: benchstat turns ns/op into sec/op.
func (p Policy) tidy() Policy {
	name := func(unit string) string {
		_, unit = benchunit.Tidy(1, unit)
		return unit
	}
	margins := map[string]float64{}
	for unit, margin := range p.Margins {
		margins[name(unit)] = margin
	}
	if len(margins) > 0 {
		p.Margins = margins
	}
	better := map[string]string{}
	for unit, way := range p.Better {
		better[name(unit)] = way
	}
	if len(better) > 0 {
		p.Better = better
	}
	p.Units = slices.Clone(p.Units)
	for i, unit := range p.Units {
		p.Units[i] = name(unit)
	}
	return p
}

// ReadPolicy reads a policy from JSON. Fields that are not given keep their defaults; unknown ones are refused.
func ReadPolicy(r io.Reader) (Policy, error) {
	p := DefaultPolicy()
	text, err := io.ReadAll(r)
	if err != nil {
		return Policy{}, err
	}
	if err := strictjson.Decode(text, &p); err != nil {
		return Policy{}, err
	}
	return p, p.Validate()
}
