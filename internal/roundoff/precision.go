package roundoff

import "math"

// Precision is a binary format of IEEE 754.
type Precision struct {
	Unit   float64 // the unit roundoff u
	Lowest int     // 2^Lowest is the smallest number, which is subnormal
	Normal int     // 2^Normal is the smallest number that is not
	Max    float64 // the largest number
}

// The formats that kernels compute in.
var (
	Double = Precision{Unit, -1074, -1022, math.MaxFloat64}
	Single = Precision{0x1p-24, -149, -126, math.MaxFloat32}
)

// Far is an exponent near the ends of the range: 2^±Far leaves room for norms, and none for squares.
func (p Precision) Far() int { return -p.Normal - 22 }

// Ulp is the distance 2u from 1 to the next number.
func (p Precision) Ulp() float64 { return 2 * p.Unit }

// Gamma is γ_n = n·u/(1 − n·u); see the function of that name.
func (p Precision) Gamma(n int) float64 { return float64(n) * p.Unit / (1 - float64(n)*p.Unit) }

// Round is the number of the format that is nearest to x.
func (p Precision) Round(x float64) float64 {
	if p == Single {
		return float64(float32(x))
	}
	return x
}

// Next is the number of the format after x.
func (p Precision) Next(x float64) float64 {
	if p == Single {
		return float64(math.Nextafter32(float32(x), float32(math.Inf(1))))
	}
	return math.Nextafter(x, math.Inf(1))
}
