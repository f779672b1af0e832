package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// RFM is the claim vcl/rfm.
var RFM = theory.Statement{
	Slug:     "vcl/rfm",
	Title:    "A round of a recursive feature machine: M⁺ = MVM, and a plain kernel machine on transformed samples",
	Plain:    "A recursive feature machine never recovers a direction that its metric has lost.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Kernel ridge regression f(x) = Σₖ αₖ κ((x−xₖ)ᵀM(x−xₖ)), (K + λI)α = Y, M symmetric positive " +
		"semidefinite, κ smooth on [0, ∞). A round replaces M by a multiple of the average gradient outer product M⁺ " +
		"= (1/N)Σᵢ J(xᵢ)ᵀJ(xᵢ) over the samples, J the Jacobian of f.",
	Params: []theory.Param{
		{Name: "X", Symbol: "X", Meaning: "samples, one per column", Shape: "n×N"},
		{Name: "alpha", Symbol: "α", Meaning: "coefficients, a row per sample and a column per output", Shape: "N×k"},
		{Name: "slopes", Symbol: "κ′",
			Meaning: "derivative of the kernel in the squared distance, at all pairs of samples",
			Shape:   "N×N"},
		{Name: "M", Symbol: "M", Meaning: "matrix of the distance, symmetric", Shape: "n×n"},
		{Name: "AGOP", Symbol: "M⁺", Meaning: "average outer product of the gradients in the samples, (1/N)Σ JᵀJ",
			Shape: "n×n"},
	},
	Claim: "M⁺ = MVM with $V = (1/N)Σᵢₒ vᵢₒvᵢₒᵀ$, $vᵢₒ = 2Σₖ αₖₒ κ′(qᵢₖ)(xᵢ − xₖ)$, so that M⁺ vanishes where M does: a " +
		"lost direction never returns. For M = BBᵀ the machine equals the plain machine, with M = I, on the samples Bᵀx: " +
		"both make the same predictions, and M⁺ = B·AGOP·Bᵀ with the AGOP of the plain machine.",
	TeX: `V = \frac{1}{N} \sum_{i,o} v_{io} v_{io}^{\top}, \quad ` +
		`v_{io} = 2 \sum_{k} \alpha_{ko} \, \kappa'(q_{ik}) (x_i - x_k), \quad ` +
		`M^+ = \frac{1}{N} \sum_{i=1}^{N} J(x_i)^{\top} J(x_i) = M V M`,
	Assumptions: []theory.Assumption{
		{ID: "radial", Text: "the kernel is a function of the distance under M alone"},
		{ID: "symmetric", Text: "M is symmetric"},
		{ID: "same-ridge", Text: "both machines are fitted with the same ridge (for the predictions)"},
		{ID: "smooth", Text: "κ is differentiable at distance zero",
			NoControl: "without it f has no gradient at its own samples, and nothing to compare"},
	},
	Source: ansatzPaper.At("recursive feature machines"),
	Deviations: "The source's kernel is the Laplace kernel, which has no gradient at its own samples; here it is " +
		"smooth. Its code divides M by its largest entry: a round is stated up to a factor, and a factor of M only changes " +
		"the bandwidth. The source was known only from second-hand accounts; the identities are derived here.",
	Proof: "The gradient of (x−xₖ)ᵀM(x−xₖ) is 2M(x−xₖ) for symmetric M, hence J(xᵢ)ᵀ has the columns Mvᵢₒ. With M = " +
		"BBᵀ the squared distance is that of Bᵀx and Bᵀxₖ, so K, α and f are those of the plain machine, and J = " +
		"J̃Bᵀ by the chain rule.",
	Tolerance: "On integers, with κ(q) = −q and with gradients taken by central differences of step 1 of a quadratic f, " +
		"nothing is rounded. Otherwise a gradient sums N terms of products of length n on either side and errs by " +
		"(N+2n+8)·u of bᵢₒ = 2‖M‖Σₖ|αₖₒκ′(qᵢₖ)|‖xᵢ−xₖ‖, and the outer products sum Nk of them: (4N+10n+2Nk+40)·u·(1/N)Σb². " +
		"For the plain machine squared distances err by e = 2(2n+8+r)·u·‖B‖²d², d the largest distance and r the columns " +
		"of B; with |κ| ≤ 1 the kernel matrix and its solution by Cholesky's method are exact for a matrix that is off by " +
		"E = e·√(Σκ′²) + 8Nu + (3N+1)·u·N(1+λ), and coefficients differ by 2E‖α‖/λ between the two machines. Predictions " +
		"at the samples are Y − λα up to their own rounding: 4E‖α‖ + 2N(N+8)u‖α‖. As |κ″| ≤ 2|κ′| for both kernels, " +
		"slopes have a relative error of 2e; by the Cauchy–Schwarz inequality M⁺ is at most " +
		"4‖B‖⁴‖α‖²(k/N)Σκ′²‖xᵢ−xₖ‖², and errs by twice 2E/λ + 2e + (N+4n+Nk+10)u of that.",
	Limits: "One round on up to 8 samples in up to 5 dimensions with up to 2 outputs, two kernels. The finding " +
		"vcl/relevance describes the effect of repeated rounds.",
	RestsOn: []string{"vcl/ansatz"},
}

// Round holds the data for the gradients of one round of a machine.
type Round struct {
	X      *mat.Dense // n×N
	Alpha  *mat.Dense // N×k
	Slopes *mat.Dense // κ′, N×N
	M      *mat.Dense // n×n
}

// Inner returns V = (1/N)Σ vvᵀ, n×n.
func (r Round) Inner() *mat.Dense {
	n, count := r.X.Dims()
	_, outputs := r.Alpha.Dims()
	v := mat.NewDense(n, count*outputs, nil)
	for i := range count {
		for o := range outputs {
			for k := range count {
				weight := 2 * r.Alpha.At(k, o) * r.Slopes.At(i, k)
				for j := range n {
					v.Set(j, i*outputs+o, v.At(j, i*outputs+o)+weight*(r.X.At(j, i)-r.X.At(j, k)))
				}
			}
		}
	}
	return algebra.Scaled(1/float64(count), algebra.Product(v, v.T()))
}

// Next returns M⁺ = MVM.
func (r Round) Next() *mat.Dense { return algebra.Product(r.M, r.Inner(), r.M) }

// Size returns (1/N)Σb², which no term of M⁺ exceeds.
func (r Round) Size() float64 {
	n, count := r.X.Dims()
	_, outputs := r.Alpha.Dims()
	sum, by := 0.0, mat.NewVecDense(n, nil)
	for i := range count {
		for o := range outputs {
			b := 0.0
			for k := range count {
				by.SubVec(r.X.ColView(i), r.X.ColView(k))
				b += math.Abs(r.Alpha.At(k, o)*r.Slopes.At(i, k)) * mat.Norm(by, 2)
			}
			sum += math.Pow(2*mat.Norm(r.M, 2)*b, 2) / float64(count)
		}
	}
	return sum
}
