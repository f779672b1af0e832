// Package nn holds networks with exact backpropagation. It exposes the quantities of the feature-learning literature:
// the input, the pre-activation and the gradients at each layer.
//
// There are two forms. [Net] takes one sample at a time through dense layers, with plain loops, under the squared loss;
// its [Batch] has a sample per column. [Model] is for training: batches with a sample per row, dense stages and
// convolutions, several losses, products on the fast kernels. Each is tested against the other and against differences.
// [Attention] is a block of self-attention with a token per column, and [Transformer] is for training, with a token per
// row.
package nn

import "math"

// Activation is a scalar nonlinearity and the derivative that the backward pass uses. At a kink the derivative is
// the one from the left.
type Activation struct {
	Name  string
	Value func(z float64) float64
	Slope func(z float64) float64

	// row implements [Activation.Apply] faster than one call per entry, or is nil.
	row func(values, slopes, z []float64)
}

// Apply writes the values at all z and, if slopes is not nil, the derivatives, with the same bits as Value and Slope.
// All slices have the same length; values may be z.
func (a Activation) Apply(values, slopes, z []float64) {
	if a.row != nil {
		a.row(values, slopes, z)
		return
	}
	for j, v := range z {
		if slopes != nil {
			slopes[j] = a.Slope(v)
		}
		values[j] = a.Value(v)
	}
}

// ByRow returns the activation with a faster implementation of [Activation.Apply]. Whoever changes Value or Slope later
// must make a new activation, since the function would still implement the old ones.
func (a Activation) ByRow(row func(values, slopes, z []float64)) Activation {
	a.row = row
	return a
}

// Identity is z.
var Identity = Activation{Name: "identity",
	Value: func(z float64) float64 { return z },
	Slope: func(float64) float64 { return 1 },
	row: func(values, slopes, z []float64) {
		copy(values, z)
		for j := range slopes {
			slopes[j] = 1
		}
	}}

// ReLU is max(z, 0).
var ReLU = Activation{Name: "relu",
	Value: func(z float64) float64 { return max(z, 0) },
	Slope: func(z float64) float64 {
		if z > 0 {
			return 1
		}
		return 0
	},
	row: reluRow}

// LeakyReLU is z for z > 0 and z/8 below; the dyadic slope keeps integer networks exact.
var LeakyReLU = Activation{Name: "leaky-relu",
	Value: func(z float64) float64 {
		if z > 0 {
			return z
		}
		return z / 8
	},
	Slope: func(z float64) float64 {
		if z > 0 {
			return 1
		}
		return 0.125
	}}

// Tanh is the hyperbolic tangent.
var Tanh = Activation{Name: "tanh", Value: math.Tanh,
	Slope: func(z float64) float64 {
		t := math.Tanh(z)
		return (1 - t) * (1 + t)
	},
	row: func(values, slopes, z []float64) {
		for j, v := range z {
			t := math.Tanh(v)
			if slopes != nil {
				slopes[j] = (1 - t) * (1 + t)
			}
			values[j] = t
		}
	}}

// Sigmoid is 1/(1+e⁻ᶻ).
var Sigmoid = Activation{Name: "sigmoid", Value: logistic,
	Slope: func(z float64) float64 { return logistic(z) * logistic(-z) }}

// Softplus is log(1+eᶻ).
var Softplus = Activation{Name: "softplus",
	Value: func(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) },
	Slope: logistic}

// GELU is z Φ(z), with the exact normal distribution function.
var GELU = Activation{Name: "gelu",
	Value: func(z float64) float64 {
		p, _ := normal(z)
		return z * p
	},
	Slope: func(z float64) float64 {
		p, density := normal(z)
		return p + z*density
	},
	row: gelu}

// ZMinusSin is z − sin z: strictly increasing, smooth, and flat at the multiples of 2π.
var ZMinusSin = Activation{Name: "z-sin",
	Value: func(z float64) float64 { return z - math.Sin(z) },
	Slope: func(z float64) float64 { return 2 * math.Pow(math.Sin(z/2), 2) }}

// Activations lists all activations; add new ones here.
var Activations = []Activation{Identity, ReLU, LeakyReLU, Tanh, Sigmoid, Softplus, GELU, ZMinusSin}

// reluRow has no branch on the sign, which would be unpredictable.
func reluRow(values, slopes, z []float64) {
	if slopes == nil {
		for j, v := range z {
			values[j] = max(v, 0)
		}
		return
	}
	values, slopes = values[:len(z)], slopes[:len(z)]
	for j, v := range z {
		one := uint64(0)
		if v > 0 {
			one = 0x3ff0000000000000 // the bits of 1
		}
		slopes[j] = math.Float64frombits(one)
		values[j] = max(v, 0)
	}
}

func logistic(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}
