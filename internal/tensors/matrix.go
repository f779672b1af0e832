package tensors

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Matrix is a two-dimensional array of floats, which it shares; of uint16 with the tag bfloat16 or float16 those are
// the numbers that its bits say.
func (a Array) Matrix(tag string) (*mat.Dense, error) {
	if len(a.Shape) != 2 {
		return nil, fmt.Errorf("%s has %s, wanted a matrix", show(a.Name), describe(a.Shape))
	}
	values := a.floats
	if tag != "" {
		half, ok := map[string]func(uint16) float64{"bfloat16": brain, "float16": half}[tag]
		if !ok || a.DType != "uint16" {
			return nil, fmt.Errorf("%s is %s with the tag %q, wanted uint16 with the tag bfloat16 or float16", show(a.Name),
				a.DType, clip(tag))
		}
		values = make([]float64, len(a.ints))
		for i, bits := range a.ints {
			values[i] = half(uint16(bits))
			if math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
				return nil, fmt.Errorf("%s%s is %v, wanted finite numbers", show(a.Name), element(a.Shape, i), values[i])
			}
		}
	}
	if values == nil {
		return nil, fmt.Errorf("%s is %s, wanted float32, float64, or uint16 with a tag", show(a.Name), a.DType)
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], values), nil
}

// brain reads a bfloat16: the upper half of a float32.
func brain(bits uint16) float64 { return float64(math.Float32frombits(uint32(bits) << 16)) }

// half reads a float16: a sign, 5 bits of exponent, 10 of fraction.
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	x := math.Ldexp(fraction+1024, exponent-25)
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		x = math.Inf(1)
		if fraction > 0 {
			x = math.NaN()
		}
	}
	return math.Copysign(x, float64(int(bits>>15)*-2+1))
}
