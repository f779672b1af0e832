package props

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/stat"
)

// Perturbations. Each function answers two questions about one criterion in one case. Which is the smallest ε such that
// the criterion rejects the claim made wrong by ε, whatever the sign of the error and, for a matrix, in both shapes?
// And which ratio does the same comparison give for a claim that is wrong by somewhat more? That second number is the
// near control: it lies between 2 and 100 in a comparison that does what it says.

// nearRatio is the ratio that a near control is aimed at.
const nearRatio = 4.0

// ulp is the smallest relative change of a float64.
const ulp = 0x1p-52

// noPerturbation is the answer where no error of the claim would be noticed.
func noPerturbation() (epsilon, near float64) { return math.Inf(1), math.NaN() }

// scalarPerturbation perturbs want by ±ε·scale.
func scalarPerturbation(got, want, scale, tolerance float64) (epsilon, near float64) {
	if !(scale > 0) || !(tolerance > 0) || !finite(got, want, scale, tolerance) {
		return noPerturbation()
	}
	discrepancy := math.Abs(got - want)
	epsilon = (tolerance + discrepancy) / scale
	at := (nearRatio*tolerance + discrepancy) / scale
	near = math.Inf(1)
	for _, sign := range []float64{-1, 1} {
		near = min(near, compare(got-(want+sign*at*scale), tolerance).Lower)
	}
	return epsilon, near
}

// boundPerturbation tightens a bound by ε·|bound|.
func boundPerturbation(value, bound, slack float64) (epsilon, near float64) {
	if bound == 0 || !(slack > 0) || !finite(value, bound, slack) {
		return noPerturbation()
	}
	scale := math.Abs(bound)
	epsilon = max(0, bound-value+slack) / scale
	at := (bound - value + nearRatio*slack) / scale
	return epsilon, atMost(value, bound-at*scale, slack).Lower
}

// intervalPerturbation moves the claimed value by ±ε·scale until the whole interval lies outside of the margin.
func intervalPerturbation(iv stat.Interval, claimed, margin, scale float64) (epsilon, near float64) {
	if !(scale > 0) || !(margin > 0) || !iv.Valid() || !finite(claimed, margin, scale) {
		return noPerturbation()
	}
	far := max(iv.Hi-claimed, claimed-iv.Lo)
	epsilon = (margin + far) / scale
	at := (nearRatio*margin + far) / scale
	near = math.Inf(1)
	for _, sign := range []float64{-1, 1} {
		near = min(near, equivalent(iv, claimed+sign*at*scale, margin).Lower)
	}
	return epsilon, near
}

// oneSidedPerturbation tightens a bound by ε·|bound| until the whole interval lies above it by more than the margin.
func oneSidedPerturbation(iv stat.Interval, bound, margin float64) (epsilon, near float64) {
	if bound == 0 || !(margin > 0) || !iv.Valid() || !finite(bound, margin) {
		return noPerturbation()
	}
	scale := math.Abs(bound)
	epsilon = max(0, bound-iv.Lo+margin) / scale
	at := (bound - iv.Lo + nearRatio*margin) / scale
	return epsilon, notAbove(iv, bound-at*scale, margin).Lower
}

// matrixPerturbation perturbs want by ±ε·want, and by ±ε·‖want‖ in one random entry. The norm of D − εE reaches the
// tolerance k·t at ε = (|⟨D, E⟩| + √(⟨D, E⟩² + ‖E‖²(k²t² − ‖D‖²)))/‖E‖² for the worse of the two signs.
func matrixPerturbation(diff *mat.Dense, want mat.Matrix, tolerance float64, entry *rand.Rand) (epsilon, near float64) {
	whole := mat.DenseCopyOf(want)
	size, distance := normOf(whole), normOf(diff)
	if !(size > 0) || !(tolerance > 0) || !finite(size, distance, tolerance) {
		return noPerturbation()
	}
	rows, cols := whole.Dims()
	single := mat.NewDense(rows, cols, nil)
	i, j := randomEntry(rows, cols, entry)
	single.Set(i, j, size)
	near = math.Inf(1)
	for _, shape := range []*mat.Dense{whole, single} {
		inner := innerProduct(diff, shape) / size // ⟨D, E⟩/‖E‖, where ‖E‖ = size for both shapes
		reach := func(k float64) float64 {
			return (math.Abs(inner) + math.Sqrt(max(0, inner*inner+(k*tolerance-distance)*(k*tolerance+distance)))) / size
		}
		epsilon = max(epsilon, reach(max(1, distance/tolerance)))
		at := reach(max(nearRatio, nearRatio*distance/tolerance))
		for _, sign := range []float64{-1, 1} {
			var moved mat.Dense
			moved.Scale(sign*at, shape)
			moved.Sub(diff, &moved)
			near = min(near, compare(mat.Norm(&moved, 2), tolerance).Lower)
		}
	}
	return epsilon, near
}

// randomEntry picks an entry of a matrix, off the diagonal where there is such an entry.
func randomEntry(rows, cols int, r *rand.Rand) (i, j int) {
	for {
		i, j = r.IntN(rows), r.IntN(cols)
		if i != j || rows*cols == 1 || rows == 1 && cols == 1 {
			return i, j
		}
	}
}

// innerProduct is the sum of the products of entries, each divided by the larger matrix norm first where it helps
// against overflow: the arguments here are far from it.
func innerProduct(a, b *mat.Dense) float64 {
	rows, cols := a.Dims()
	sum := 0.0
	for i := range rows {
		x, y := a.RawRowView(i), b.RawRowView(i)
		for j := range cols {
			sum += x[j] * y[j]
		}
	}
	return sum
}

// The search for the smallest rejected perturbation of a comparison that is only known as a function.
const (
	finestPerturbation   = 1e-17
	coarsestPerturbation = 1e3
	// of a bisection in the logarithm, 20 decades: to 2⁻³⁴ of a decade, and cheaper than that matters
	perturbationSteps = 40
)

// searchPerturbation bisects for both signs and takes the coarser.
func searchPerturbation(ratio func(epsilon float64) Ratio) (epsilon, near float64) {
	near = math.Inf(1)
	for _, sign := range []float64{-1, 1} {
		e, n := searchOneSign(func(x float64) Ratio { return ratio(sign * x) })
		epsilon, near = max(epsilon, e), min(near, n)
		if math.IsNaN(n) {
			near = n
		}
	}
	return epsilon, near
}

func searchOneSign(ratio func(float64) Ratio) (epsilon, near float64) {
	reaches := func(k float64) float64 {
		lo, hi := math.Log(finestPerturbation), math.Log(coarsestPerturbation)
		if r := ratio(math.Exp(hi)); !r.Valid() || r.Lower <= k {
			return math.Inf(1)
		}
		for range perturbationSteps {
			mid := (lo + hi) / 2
			if r := ratio(math.Exp(mid)); r.Valid() && r.Lower > k {
				hi = mid
			} else {
				lo = mid
			}
		}
		return math.Exp(hi)
	}
	epsilon = reaches(1)
	if math.IsInf(epsilon, 1) {
		return noPerturbation()
	}
	at := reaches(nearRatio)
	if math.IsInf(at, 1) {
		at = 2 * epsilon // a ratio that saturates below the aim
	}
	return epsilon, ratio(at).Lower
}

// searchMatrixPerturbation bisects for the claimed matrix times 1+ε and for one entry moved by ε‖want‖.
func searchMatrixPerturbation(want mat.Matrix, ratio func(*mat.Dense) Ratio, entry *rand.Rand) (epsilon, near float64) {
	whole := mat.DenseCopyOf(want)
	size := normOf(whole)
	if !(size > 0) || !finite(size) {
		return noPerturbation()
	}
	rows, cols := whole.Dims()
	single := mat.NewDense(rows, cols, nil)
	i, j := randomEntry(rows, cols, entry)
	single.Set(i, j, size)
	near = math.Inf(1)
	for _, shape := range []*mat.Dense{whole, single} {
		e, n := searchPerturbation(func(x float64) Ratio {
			var moved mat.Dense
			moved.Scale(x, shape)
			moved.Add(&moved, want)
			return ratio(&moved)
		})
		epsilon, near = max(epsilon, e), min(near, n)
		if math.IsNaN(n) {
			near = n
		}
	}
	return epsilon, near
}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
