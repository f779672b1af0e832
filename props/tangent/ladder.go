package tangent

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// attained says that some stretch along β̂ is best: on the ladder z = 1, 2, 4, … 2²⁰ a doubling does not always pay, at
// v = 2. Costs are exact to a rounding, and neighbours differ by more.
func attained(v trial) props.LegacyCheck {
	return props.Example("a best stretch exists", func() (props.Ratio, string) {
		ok, shown := true, ""
		for _, penalty := range v.penalties() {
			costs, _ := ladder(penalty, 2)
			best := slices.Index(costs, slices.Min(costs))
			ok = ok && best < len(costs)-1
			shown += fmt.Sprintf("Φ = (1, 0), y = 2, penalty %s: the stretches 1, 2, 4, 8 cost %.6v, and 2²⁰ costs %.13g. ",
				penalty.Name, costs[:4], costs[len(costs)-1])
		}
		return props.Truth(ok), strings.TrimSpace(shown)
	})
}

// oneKernel says that stretches on the same ladder that are equally good share their kernel, at v = 1.
func oneKernel(v trial) props.LegacyCheck {
	return props.Example("equally good stretches share their kernel", func() (props.Ratio, string) {
		ok, shown := true, ""
		for _, penalty := range v.penalties() {
			costs, kernels := ladder(penalty, 1)
			best := slices.Index(costs, slices.Min(costs))
			for k := range costs {
				ok = ok && (costs[k] > costs[best] || kernels[k] == kernels[best])
			}
			shown += fmt.Sprintf("Φ = (1, 0), y = 1, penalty %s: the stretches 1, 2, 4, 8 cost %.6v, with kernels %v. ", penalty.Name, costs[:4], kernels[:4])
		}
		return props.Truth(ok), strings.TrimSpace(shown)
	})
}

// penalties are those of the claim, or the offending one alone.
func (v trial) penalties() []impl.Penalty {
	if other, ok := offending[v.penalty]; ok {
		return []impl.Penalty{other}
	}
	var all []impl.Penalty
	for _, family := range theory.Families {
		all = append(all, penalties[family])
	}
	return all
}

// ladder returns cost and kernel of the stretches 1, 2, 4, … 2²⁰, through the model with Φ = (1, 0) and y = v, for which
// diag(z, 1) stretches along β̂.
func ladder(penalty impl.Penalty, v float64) (costs, kernels []float64) {
	model := impl.Model{Features: mat.NewDense(1, 2, []float64{1, 0}), Labels: []float64{v}, Penalty: penalty}
	for k := range 21 {
		m := mat.NewDense(2, 2, []float64{math.Ldexp(1, k), 0, 0, 1})
		costs = append(costs, model.Cost([]float64{math.Ldexp(v, -k), 0}, m))
		kernels = append(kernels, impl.Kernel(model.Features, model.Features, m).At(0, 0))
	}
	return costs, kernels
}
