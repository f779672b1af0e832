package recorded

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// arithmetic describes the arithmetic of a network's products: factors and results are rounded to numbers of unit
// roundoff cast, sums are kept with unit roundoff sum. No further rounding of factors is cast 0. Quantum is the
// smallest number of results.
type arithmetic struct{ sum, cast, quantum float64 }

const ours = roundoff.Unit // of this package's own arithmetic

// arithmetics by the name of the dtype that factors have.
var arithmetics = map[string]arithmetic{
	"float64": {ours, 0, 0x1p-1074}, "float32": {0x1p-24, 0, 0x1p-149}, "tf32": {0x1p-24, 0x1p-11, 0x1p-149},
	"bfloat16": {0x1p-24, 0x1p-8, 0x1p-133}, "float16": {0x1p-24, 0x1p-11, 0x1p-24},
}

// kept are the unit roundoffs of the dtypes that weights have.
var kept = map[string]float64{"float64": ours, "float32": 0x1p-24, "bfloat16": 0x1p-8, "float16": 0x1p-11}

// deviations is the number of standard deviations of rounding errors that are allowed. Roundings are taken to be mean
// independent, each with the largest size that it can have, which is √3 times their root mean square. By Azuma's
// inequality a sum exceeds λ of such deviations with probability at most 2·exp(−λ²/2), which is 3·10⁻¹⁴ (M. P.
// Connolly, N. J. Higham, T. Mary, Stochastic rounding and its probabilistic backward error analysis, 2021).
const deviations = 8

// parts is at how many places of a sum its partial sums are looked at.
const parts = 8

// product is a matrix and the variance of rounding errors in an entry of it, summed over each row.
type product struct {
	*mat.Dense
	variance []float64
}

// multiply forms AB of the parts of A by columns and of B by rows, and bounds what another arithmetic makes of it, in
// whatever order. A sum of K terms has the error Σ sₖδₖ + Σ tₖδ′ₖ, of the partial sums s and the terms t, whose
// variance is at most u²(K·max s² + Σ t²). The partial sums are read off at a few places, and between them differ by a
// random walk of the terms, which Σ t² covers once more.
func multiply(k int, part func(from, to int) (a, b mat.Matrix), r arithmetic) product {
	var sum, term *mat.Dense
	var largest, squares []float64
	for i := range min(parts, k) {
		from, to := i*k/min(parts, k), (i+1)*k/min(parts, k)
		a, b := part(from, to)
		rows, cols := a.Dims()
		_, out := b.Dims()
		if sum == nil {
			sum, term = mat.NewDense(rows, out, nil), mat.NewDense(rows, out, nil)
			largest, squares = make([]float64, rows), make([]float64, rows)
		}
		term.Mul(a, b)
		sum.Add(sum, term)
		for at := range cols {
			norm := 0.0
			for j := range out {
				norm += b.At(at, j) * b.At(at, j)
			}
			for row := range rows {
				squares[row] += a.At(row, at) * a.At(row, at) * norm
			}
		}
		for row := range rows {
			largest[row] = max(largest[row], normSquare(sum.RawRowView(row)))
		}
	}
	variance := make([]float64, len(largest))
	for row := range variance {
		rounded := float64(k)*(largest[row]+squares[row]) + squares[row]
		variance[row] = (r.sum*r.sum+ours*ours)*rounded +
			r.cast*r.cast*(normSquare(sum.RawRowView(row))+2*squares[row])
	}
	return product{sum, variance}
}

// allowed is by how much the product may be off, in the Frobenius norm.
func (p product) allowed() float64 { return p.behind(func(int) float64 { return 1 }) }

// behind is by how much another product may be off, that has this one as its second factor, and whose first has columns
// of these squared norms.
func (p product) behind(squares func(row int) float64) float64 {
	sum := 0.0
	for i, v := range p.variance {
		sum += v * squares(i)
	}
	return deviations * math.Sqrt(sum)
}

func normSquare(x []float64) float64 { return floats.Dot(x, x) }

// round rounds to the numbers of a dtype, to even where two are as near. Overflow is left.
func round(x float64, dtype string) float64 {
	bits, quantum := 53, -1074
	switch dtype {
	case "float32":
		return float64(float32(x))
	case "bfloat16":
		bits, quantum = 8, -133
	case "float16":
		bits, quantum = 11, -24
	}
	_, exponent := math.Frexp(x)
	if shift := max(exponent-bits, quantum); bits < 53 {
		return math.Ldexp(math.RoundToEven(math.Ldexp(x, -shift)), shift)
	}
	return x
}
