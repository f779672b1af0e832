// Package blaskit checks a BLAS. It describes each routine once, by its arguments and by its result as a sum of
// products of matrices, and each property once for all routines that must have it.
package blaskit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// routines are the routines that are defined entry by entry by sums of products; add here.
var routines = slices.Concat(level3, level2, packed, level1)

// numbers are the routines on numbers alone, and the search for the largest, which have checks of their own.
var (
	largest = &Routine{Name: "idamax", Signature: "n x incX"}
	rotg    = &Routine{Name: "rotg", Signature: "alpha beta"}
	rotmg   = &Routine{Name: "rotmg", Signature: "d1 d2 alpha beta"}
	numbers = []*Routine{largest, rotg, rotmg}
)

// RoutineNamed is the routine of a name, nil where there is none.
func RoutineNamed(name string) *Routine {
	all := slices.Concat(numbers, routines)
	if i := slices.IndexFunc(all, func(r *Routine) bool { return r.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// property is something that many routines must have.
type property struct {
	name    string
	doc     string
	part    kit.Part // BLASPart where empty
	applies func(*Routine) bool
	cases   props.Scale
	mode    mode
	judge   func(t *props.T, k kernel.Kernel, p *problem) props.Ratio
}

// properties lists the properties of the routines above; add here.
var properties = []property{
	roundingBound, surroundings, exactArithmetic, roundingGrowth, alphaZero, nonFinite, powersOfTwo, probes,
	partition, agreement, aliasing, determinism, threadIndependence, concurrency, badArguments,
}

// Checks are the checks of a BLAS; add here.
func Checks() []kit.Check {
	var checks []kit.Check
	for _, r := range routines {
		for _, p := range properties {
			if p.applies(r) {
				checks = append(checks, p.check(r))
			}
		}
	}
	return append(checks, scalarChecks...)
}

// check is the property of one routine.
func (p property) check(r *Routine) kit.Check {
	name := r.Name + "/" + p.name
	needs := []string{r.Name}
	if p.name == agreement.name {
		needs = append(needs, "gemm")
	}
	return kit.Check{
		Name: name, Doc: p.doc, Part: cmp.Or(p.part, kit.BLASPart), Needs: needs,
		Make: func(k kernel.Kernel) props.Check {
			return props.Property{Name: name, Cases: p.cases, Prop: func(t *props.T) props.Ratio {
				posed := p.mode.pose(t, r, kit.PrecisionOf(k))
				defer kit.Asking(name, posed, reproducer{k, name, posed, true})()
				ratio := p.judge(t, k, posed)
				t.Show(kit.Reproducer, reproducer{k, name, posed, false})
				return ratio
			}}
		},
	}
}

// once is the judgement of a single call.
func once(judge func(*run, *props.T) props.Ratio) func(*props.T, kernel.Kernel, *problem) props.Ratio {
	return func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		r := p.begin()
		if !kit.Survives(t, func() { r.do(k) }) {
			return kit.Failed
		}
		for _, o := range r.operands {
			if o.written {
				t.Show(o.name+" after", picture{o, r.backing[o.index]})
			}
		}
		return judge(r, t)
	}
}

func every(*Routine) bool { return true }

// Takes reports whether the routine has an argument of that name.
func (r *Routine) Takes(argument string) bool {
	return strings.Contains(" "+r.Signature+" ", " "+argument+" ")
}

// compact reports whether the routine works on a banded or packed matrix.
func (r *Routine) compact() bool { return slices.Contains(packed, r) }

// ForwardOnly reports whether the routine works on one vector and does nothing when its increment is negative.
func (r *Routine) ForwardOnly() bool { return r.Takes("x") && !r.Takes("y") && !r.Takes("a") }
