package optim

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// SGD is gradient descent, W₊ = W − γ·∂loss/∂W.
type SGD struct {
	Gamma float64 // γ
}

// Rate implements [Rule].
func (s SGD) Rate() float64 { return s.Gamma }

// Next implements [Rule].
func (s SGD) Next(v *nn.View) (*mat.Dense, Report, error) {
	w := mat.DenseCopyOf(v.Stage.W)
	return dense.Gemm(w, -s.Gamma, v.PreGrad.T(), v.Inputs, 1), Report{Rule: "sgd"}, nil
}

// VCL is the step of virtual covariance learning: the weights nearest to W whose Gram matrix has moved as the solver's
// target says (Cha and Lee 2025, equation 2; arXiv 2605.06258, "whitening", for the target SGDGram). Any shape, any
// batch; a convolution is trained on its patches.
//
// The gradients belong to the mean loss, and the covariance is the sum over the batch: one of the conventions under
// which both targets and gradient descent agree to first order in γ.
type VCL struct {
	Gamma  float64           // γ
	Solver procrustes.Solver // nil for procrustes.Auto{}: exact, SGD's Gram

	warm procrustes.WarmStart // for the solver of a nil Solver
}

// Rate implements [Rule].
func (r *VCL) Rate() float64 { return r.Gamma }

// Next implements [Rule].
func (r *VCL) Next(v *nn.View) (*mat.Dense, Report, error) {
	solver := r.Solver
	if solver == nil {
		solver = procrustes.Auto{WarmStart: &r.warm}
	}
	step, err := solver.Solve(problem(v, r.Gamma))
	return step.W, report("vcl", step), err
}

// Algorithm1 is the loop of Cha and Lee 2025, Algorithm 1, with the shift of every batch added to a running sum 𝒱: the
// leading eigenpairs of WᵀW + 𝒱, raised to the power α, and one singular value decomposition. The warm-up of the last
// stage is the caller's, who gives it SGD first and a nil rule then.
//
// The zero value of the switches is the algorithm as printed. Printed, it does not solve the problem of [VCL]: the
// constraint needs α = ½, and W already contains the shifts that 𝒱 adds again.
type Algorithm1 struct {
	Gamma   float64 // γ
	Alpha   float64 // α; 0 stands for the recommended 0.1
	PerStep bool    // the target is WᵀW plus the shift of this batch alone
	// negative eigenvalues count as zero; otherwise one among the leading ones is an error, for the paper's α a NaN
	Clip bool

	past *mat.Dense // n×n, 𝒱; nil before the first batch
}

// Rate implements [Rule].
func (r *Algorithm1) Rate() float64 { return r.Gamma }

// Next implements [Rule].
func (r *Algorithm1) Next(v *nn.View) (*mat.Dense, Report, error) {
	p := problem(v, r.Gamma)
	full := procrustes.Full{Target: procrustes.TrueShift, Exponent: r.Alpha, Strict: !r.Clip}
	if full.Exponent == 0 {
		full.Exponent = 0.1
	}
	if r.PerStep {
		step, err := procrustes.Reduced(full).Solve(p)
		return step.W, report("algorithm 1", step), err
	}
	p.Past = r.past
	step, err := full.Solve(p)
	if err != nil {
		return nil, Report{}, err
	}
	sum := p.Shift()
	if r.past != nil {
		sum.Add(sum, r.past)
	}
	r.past = sum
	return step.W, report("algorithm 1", step), nil
}

// Past returns a copy of 𝒱 (n×n), the sum of all shifts so far; nil before the first batch, or with PerStep.
func (r *Algorithm1) Past() *mat.Dense {
	if r.past == nil {
		return nil
	}
	return mat.DenseCopyOf(r.past)
}

// problem is the step of one stage in the notation of the literature, with samples as columns. The products W H are the
// pre-activations without the bias.
func problem(v *nn.View, gamma float64) procrustes.Problem {
	z := v.Pre
	if v.Stage.B != nil {
		z = mat.DenseCopyOf(z)
		rows, _ := z.Dims()
		for i := range rows {
			floats.Sub(z.RawRowView(i), v.Stage.B)
		}
	}
	return procrustes.Problem{W: v.Stage.W, Gamma: v.PreGrad.T(), H: v.Inputs.T(), Rate: gamma, Z: z.T()}
}

func report(rule string, s procrustes.Step) Report {
	return Report{Rule: rule, Method: s.Method, Why: s.Why, Dropped: s.Dropped, Gap: s.Gap}
}
