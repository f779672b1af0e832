package vcl

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// algorithm1 pairs what the algorithm computes with the algorithm as printed.
var algorithm1 = props.Claim{
	Statement: &theory.Algorithm1,
	Verify: []props.LegacyCheck{
		algorithmSpectrum(algorithmTrial{}),
		algorithmResidual(algorithmTrial{}),
		algorithmIdle(algorithmTrial{}),
		algorithmCount(algorithmTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "exponent 2α in place of α", Check: algorithmSpectrum(algorithmTrial{doubled: true})},
		{Name: "smallest eigenvalues in place of the largest", Assumption: "leading", Check: algorithmSpectrum(algorithmTrial{smallest: true})},
		{Name: "the shift of one batch at a time", Assumption: "cumulative", Check: algorithmCount(algorithmTrial{perStep: true})},
		{Name: "steps too large to be feasible", Assumption: "feasible", Check: algorithmCount(algorithmTrial{large: true})},
		{Name: "idle weights stay as they are", Check: algorithmIdle(algorithmTrial{fixed: true})},
		{Name: "α = 0.1 in what is left of the constraint", Check: algorithmResidual(algorithmTrial{alpha: 0.1})},
		{Name: "α = 0.1 in the count of shifts", Check: algorithmCount(algorithmTrial{alpha: 0.1})},
	},
	Errata: []props.Refutation{
		{Erratum: "alpha", Check: algorithmConstraint(0.1)},
		{Erratum: "fixed-point", Check: algorithmIdle(algorithmTrial{fixed: true})},
		{Erratum: "counted-again", Check: algorithmCount(algorithmTrial{once: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the exponent of the spectrum", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return algorithmSpectrum(algorithmTrial{dose: dose}) }},
		{Of: "the exponent without a gradient", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return algorithmIdle(algorithmTrial{dose: dose}) }},
		{Of: "the count of shifts", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return algorithmCount(algorithmTrial{dose: dose}) }},
	},
}

// algorithmTrial is the version of the claim on trial. The zero value is the claim itself.
type algorithmTrial struct {
	dose     float64 // the exponents plus dose; the Gram matrix of the count times 1+dose
	alpha    float64 // of the run that is counted, when positive
	doubled  bool
	smallest bool
	perStep  bool
	large    bool
	fixed    bool // singular values are claimed to stay
	once     bool // A₀ + Σ v_s is claimed
}

// sampleView is what a layer without a bias sees of a batch, samples as rows.
func sampleView(w, h, gamma *mat.Dense) *nn.View {
	var pre mat.Dense
	pre.Mul(h, w.T())
	return &nn.View{Stage: &nn.Stage{W: w, Act: nn.Identity}, Inputs: h, Pre: &pre, PreGrad: gamma}
}

// algorithmSpectrum compares the singular values of the new weights with the powers of the target's eigenvalues.
func algorithmSpectrum(v algorithmTrial) props.LegacyCheck {
	return props.Property{
		Name:  "singular values of one step",
		Cases: props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			m, n, batch := gen.Dim(t.T, "m", 7), gen.Dim(t.T, "n", 7), gen.Dim(t.T, "B", 5)
			if v.smallest {
				n = m + 2
			}
			alpha := []float64{0.1, 0.25, 0.5}[rapid.IntRange(0, 2).Draw(t.T, "α")]
			r := t.Stream("entries")
			w, h, gamma := gen.Gaussian(r, m, n, 1), gen.Gaussian(r, batch, n, 1), gen.Gaussian(r, batch, m, 1)
			rate := gen.Scale(t.T, "γ", 1e-3, 1)
			next, _, err := (&optim.Algorithm1{Gamma: rate, Alpha: alpha, Clip: true}).Next(sampleView(w, h, gamma))
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			target := algorithmTarget(w, h, gamma, rate)
			values, _, err := linalg.SymEigen(asSymmetric(target), false)
			measured, err2 := linalg.SingularValues(next)
			if err != nil || err2 != nil {
				return props.Truth(false)
			}
			t.Show("W", w)
			t.Show("α", alpha)
			t.Show("eigenvalues of the target", values)
			t.Show("singular values of W₊", measured)
			return v.compareSpectrum(measured, values, alpha)
		},
	}.Check()
}

// algorithmTarget is WᵀW + D by the closed form of the shift.
func algorithmTarget(w, h, gamma *mat.Dense, rate float64) *mat.Dense {
	step := theory.LayerStep{W: w, Inputs: mat.DenseCopyOf(h.T()), PreGrads: mat.DenseCopyOf(gamma.T()), Step: rate, Convention: theory.Sum}
	target := step.Shift()
	target.Add(target, gramOf(w))
	return target
}

// compareSpectrum judges the singular values, descending, against powers of the eigenvalues, ascending.
func (v algorithmTrial) compareSpectrum(measured, values []float64, alpha float64) props.Ratio {
	n := len(values)
	top := max(-values[0], values[n-1])
	epsilon := 16 * float64(n) * 0x1p-53 * top
	kept := slices.Clone(values[n-len(measured):])
	if v.smallest {
		kept = slices.Clone(values[:len(measured)])
	}
	slices.Reverse(kept)
	exponent := alpha + v.dose
	if v.doubled {
		exponent *= 2
	}
	ratio := props.Ratio{}
	for i, lambda := range kept {
		lambda = max(lambda, 0)
		allowed := theory.PowerRounding(lambda, epsilon, alpha) + 16*float64(n)*0x1p-53*math.Pow(top, alpha)
		ratio = props.Worst(ratio, props.Within(measured[i]-math.Pow(lambda, exponent), allowed))
	}
	return ratio
}

// algorithmResidual is ‖W₊ᵀW₊ − G‖ for α = ½ and m < n against the norm of the eigenvalues that are left out.
func algorithmResidual(v algorithmTrial) props.LegacyCheck {
	return props.Property{
		Name:  "what is left of the constraint",
		Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			m, batch := gen.Dim(t.T, "m", 5), gen.Dim(t.T, "B", 4)
			n := m + gen.Dim(t.T, "n−m", 4)
			r := t.Stream("entries")
			w, h, gamma := gen.Gaussian(r, m, n, 1), gen.Gaussian(r, batch, n, 1), gen.Gaussian(r, batch, m, 1)
			rule := &optim.Algorithm1{Gamma: gen.Scale(t.T, "γ", 1e-2, 1), Alpha: 0.5, Clip: true}
			if v.alpha > 0 {
				rule.Alpha = v.alpha
			}
			next, _, err := rule.Next(sampleView(w, h, gamma))
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			target := algorithmTarget(w, h, gamma, rule.Gamma)
			values, _, err := linalg.SymEigen(asSymmetric(target), false)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			dropped := 0.0
			for i, x := range values {
				if i < n-m || x < 0 {
					dropped = math.Hypot(dropped, x)
				}
			}
			left := math.Sqrt(distance(mat.DenseCopyOf(gramOf(next)), target))
			t.Show("eigenvalues of the target", values)
			t.Show("‖W₊ᵀW₊ − G‖ and the norm of what is left out", []float64{left, dropped})
			return props.Within(left-dropped, 16*float64(n)*0x1p-53*mat.Norm(target, 2))
		},
	}.Check()
}

// algorithmConstraint is the printed claim that a step with the given α meets the constraint, on W = ½ without a gradient.
func algorithmConstraint(alpha float64) props.LegacyCheck {
	return props.Example("constraint at the recommended α", func() (props.Ratio, string) {
		w := mat.NewDense(1, 1, []float64{0.5})
		next, _, err := (&optim.Algorithm1{Gamma: 1, Alpha: alpha, Clip: true}).Next(sampleView(w, mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, nil)))
		if err != nil {
			return props.Truth(true), err.Error()
		}
		gram := next.At(0, 0) * next.At(0, 0)
		return props.Within(gram-0.25, 1e-12), fmt.Sprintf("W = ½, no gradient, α = %g: W₊ = %.6g, W₊² = %.6g in place of 0.25", alpha, next.At(0, 0), gram)
	})
}
