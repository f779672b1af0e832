package rkhs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The angle of (cos, sin) for sines over the whole range, close to both ends, and at the seams.
func TestArcsin(t *testing.T) {
	check := func(x float64) {
		cos := math.Sqrt((1 - x) * (1 + x))
		if got, want := arcsin(x), math.Atan2(x, cos); !(math.Abs(got-want) <= 4*0x1p-53*math.Abs(want)) {
			t.Errorf("arcsin %v = %v, want %v", x, got, want)
		}
	}
	for i := -4000; i <= 4000; i++ {
		check(float64(i) / 4000)
	}
	for k := range 53 {
		check(1 - math.Ldexp(1, -k))
		check(math.Ldexp(1, -k) - 1)
	}
	for _, x := range []float64{0.5, math.Nextafter(0.5, 1), -0.5, math.Nextafter(-0.5, -1)} {
		check(x)
	}
}

// Four numbers at a time come out as one after the other, to the bit, at every size of the cosine, in every place.
func TestArccosinesInFours(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, math.Nextafter(0.5, 1), math.Nextafter(1, 0),
		1 + 0x1p-52, -1 - 0x1p-52, 1e-300, math.Inf(1), math.NaN()}
	const count = 4096
	row, lengths := make([]float64, count), make([]float64, count)
	for i := range row {
		row[i], lengths[i] = 2*r.Float64()-1, r.ExpFloat64()
		if r.IntN(4) == 0 {
			row[i] = special[r.IntN(len(special))]
		}
	}
	for _, slopes := range []float64{1, 2} {
		one := 1 - 58*0x1p-53
		got := append([]float64(nil), row...)
		arccosines(got, 3, lengths, slopes, one)
		for i, cos := range row {
			want := []float64{cos}
			arccosines(want, 3, lengths[i:i+1], slopes, one)
			if math.Float64bits(got[i]) != math.Float64bits(want[0]) && !(math.IsNaN(cos) && math.IsNaN(got[i])) {
				t.Errorf("cosine %v, length %v, slopes %v: %v, alone %v", cos, lengths[i], slopes, got[i], want[0])
			}
		}
	}
}

// BenchmarkGram is the Gram matrix of the neural tangent kernel for 500 points in 50 dimensions.
func BenchmarkGram(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(500, 50, nil)
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	for b.Loop() {
		NeuralTangent().Gram(x)
	}
}

// Of a cosine that is exact the kernels err by a few roundings of ‖x‖‖z‖, close to 1 and −1 as well: θ = 2 arcsin
// √((1−cos θ)/2) loses nothing there, and the root of 1 − cos²θ would be off by u/θ.
func TestKernelsOfCloseDirections(t *testing.T) {
	for _, k := range []struct {
		kernel Kernel
		slopes float64
	}{{RandomFeatures(), 1}, {NeuralTangent(), 2}} {
		for _, below := range []float64{0x1p-6, 3 * 0x1p-20, 5 * 0x1p-31, 7 * 0x1p-40, 11 * 0x1p-50} {
			for _, sign := range []float64{1, -1} {
				row, angle := []float64{sign * (1 - below)}, 2*math.Asin(math.Sqrt(below/2))
				k.kernel.cosines(row, 1, []float64{1}, 1)
				rest := math.Pi - angle
				if sign < 0 {
					rest = angle
				}
				sin := math.Sin(angle)
				want := (sin + k.slopes*rest*sign*(1-below)) / math.Pi
				if tolerance := 4 * k.slopes * 0x1p-53; !(math.Abs(row[0]-want) <= tolerance) {
					t.Errorf("%s at 1 − |cos| = %v: %v, want %v within %.2g", k.kernel.Name, below, row[0], want, tolerance)
				}
			}
		}
	}
}
