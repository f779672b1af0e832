package kernelkit

import (
	"strings"

	"github.com/thm-suite/thm/props"
)

// blasRoutines are the routines that are defined entry by entry by sums of products; add here.
var blasRoutines = join(level3, level2, packed, level1)

func join(lists ...[]*routine) []*routine {
	var all []*routine
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// property is something that many routines must have.
type property struct {
	name    string
	doc     string
	part    Part // BLASPart where empty
	applies func(*routine) bool
	cases   props.Scale
	mode    mode
	judge   func(t *props.T, k Kernel, p *problem) props.Ratio
	faults  []string // names of generic faults; those that the routine can have must be rejected
}

// properties are those of the routines above; add here.
var properties = []property{
	roundingBound, surroundings, exactArithmetic, roundingGrowth, alphaZero, nonFinite, powersOfTwo, probes,
	partition, agreement, aliasing, determinism, threadIndependence, concurrency, badArguments,
}

// blasChecks are the checks of a BLAS; add here.
func blasChecks() []Check {
	var checks []Check
	for _, r := range blasRoutines {
		for _, p := range properties {
			if p.applies(r) {
				checks = append(checks, p.check(r))
			}
		}
	}
	return append(checks, scalarChecks...)
}

// check is the property of one routine.
func (p property) check(r *routine) Check {
	name, part := r.name+"/"+p.name, p.part
	if part == "" {
		part = BLASPart
	}
	return Check{
		Name: name, Doc: p.doc, Part: part, Faults: faultsOf(r, p.faults),
		Make: func(k Kernel) props.Check {
			return props.Property{Name: name, Cases: p.cases, Prop: func(t *props.T) props.Ratio {
				return p.judge(t, k, p.mode.pose(t, r))
			}}
		},
	}
}

// once is the judgement of a single call.
func once(judge func(*run, *props.T) props.Ratio) func(*props.T, Kernel, *problem) props.Ratio {
	return func(t *props.T, k Kernel, p *problem) props.Ratio {
		r := p.begin()
		if !survives(t, func() { r.do(k.BLAS) }) {
			return failed
		}
		for _, o := range r.operands {
			if o.written {
				t.Show(o.name+" after", picture{o, r.backing[o.index]})
			}
		}
		return judge(r, t)
	}
}

func every(*routine) bool { return true }

// takes reports whether the routine has an argument of that name.
func (r *routine) takes(argument string) bool {
	return strings.Contains(" "+r.signature+" ", " "+argument+" ")
}

// compact reports whether the routine works on a banded or packed matrix.
func (r *routine) compact() bool {
	for _, other := range packed {
		if r == other {
			return true
		}
	}
	return false
}
