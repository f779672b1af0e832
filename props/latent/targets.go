package latent

import (
	"math"

	theory "github.com/thm-suite/thm/theory/latent"
)

// targetName names a target with E f² = 1.
type targetName string

const (
	isotropic   targetName = "isotropic"   // Σ_{i≤r} (xᵢ²−1)/√(2r)
	alternating targetName = "alternating" // Σ_{i≤r} ±(xᵢ²−1)/√(2r), r even: tr H = 0
	quartic     targetName = "quartic"     // He₄(x₁)/√24: H = 0
	deficient   targetName = "deficient"   // ½He₂(x₁) + He₄(x₂)/√48: H has rank 1 of 2
	withLinear  targetName = "with linear" // (3x₁ + He₂(x₂)/√2)/√10: C₁ ≠ 0
	doubled     targetName = "doubled"     // twice the isotropic one: E f² = 4
)

// expansion returns the target of that name with r latent directions. Those that do not depend on r have r = 1 or 2.
func (name targetName) expansion(r int) theory.Target {
	switch name {
	case quartic:
		return theory.Target{{Coefficient: 1 / math.Sqrt(24), Degrees: []int{4}}}
	case deficient:
		return theory.Target{{Coefficient: 0.5, Degrees: []int{2}}, {Coefficient: 1 / math.Sqrt(48), Degrees: []int{0, 4}}}
	case withLinear:
		return theory.Target{{Coefficient: 3 / math.Sqrt(10), Degrees: []int{1}}, {Coefficient: 1 / math.Sqrt(20), Degrees: []int{0, 2}}}
	}
	f := theory.Isotropic{D: r, R: r}.Target()
	for i := range f {
		switch {
		case name == alternating && i%2 == 1:
			f[i].Coefficient *= -1
		case name == doubled:
			f[i].Coefficient *= 2
		}
	}
	return f
}
