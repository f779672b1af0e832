package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
)

// poison fills what no routine may read or write.
var poison = math.Float64frombits(0x7ff8dead_beef0001)

// available lists the kernels that run here.
func available() []*kernel {
	var list []*kernel
	for _, k := range kernels {
		if missing(k.id) == "" {
			list = append(list, k)
		}
	}
	return list
}

// eachKernel runs the test on every kernel that runs here.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	before := active.Load()
	defer active.Store(before)
	for _, k := range available() {
		active.Store(&choice{k, "test"})
		t.Run(k.name, test)
	}
}

// stored is a row-major matrix inside poisoned padding.
type stored struct {
	data           []float64
	rows, cols, ld int
}

// even draws a number with mean 0 and variance 1 that is the same on every architecture. That of NormFloat64 is not: it
// takes a logarithm, and sums that compilers may fuse.
func even(rng *rand.Rand) float64 { return 2 * math.Sqrt(3) * (rng.Float64() - 0.5) }

func newStored(rng *rand.Rand, rows, cols, pad int) stored {
	s := stored{rows: rows, cols: cols, ld: max(1, cols) + pad}
	n := 0
	if rows > 0 {
		n = (rows-1)*s.ld + cols
	}
	s.data = make([]float64, n+pad)
	for i := range s.data {
		s.data[i] = poison
	}
	for i := range rows {
		for j := range cols {
			s.data[i*s.ld+j] = even(rng)
		}
	}
	return s
}

func (s stored) clone() stored {
	s.data = append([]float64(nil), s.data...)
	return s
}

// op is the entry of the matrix or its transpose.
func (s stored) op(t gblas.Transpose, i, j int) float64 {
	if t != gblas.NoTrans {
		i, j = j, i
	}
	return s.data[i*s.ld+j]
}

// sameBits compares everything, padding too, NaN by payload.
func sameBits(a, b []float64) error {
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return fmt.Errorf("entry %d: got %v (%x), want %v (%x)", i, v, math.Float64bits(v), b[i], math.Float64bits(b[i]))
		}
	}
	return nil
}

// defined is the definition of the product in doc.go, one entry at a time.
func defined(tA, tB gblas.Transpose, m, n, k int, alpha float64, a, b stored, beta float64, c stored) {
	rows, down, cols, across := a.ld, 1, 1, b.ld // op(A) at (i, q) is a.data[i*rows+q*down], op(B) at (q, j) likewise
	if tA != gblas.NoTrans {
		rows, down = down, rows
	}
	if tB != gblas.NoTrans {
		cols, across = across, cols
	}
	for i := range m {
		for j := range n {
			v := &c.data[i*c.ld+j]
			if beta == 0 {
				*v = 0
			} else if beta != 1 {
				*v *= beta
			}
			for p := 0; p < k && alpha != 0; p += kc {
				sum := 0.0
				for q := p; q < min(p+kc, k); q++ {
					sum = math.FMA(a.data[i*rows+q*down], b.data[q*across+j*cols], sum)
				}
				*v = math.FMA(alpha, sum, *v)
			}
		}
	}
}

var transposes = []gblas.Transpose{gblas.NoTrans, gblas.Trans}

// gemmCase checks one product bit by bit, that the arguments are unchanged and the padding untouched.
func gemmCase(t *testing.T, rng *rand.Rand, tA, tB gblas.Transpose, m, n, k, pad int, alpha, beta float64) {
	t.Helper()
	a, b := newStored(rng, m, k, pad), newStored(rng, k, n, pad)
	if tA != gblas.NoTrans {
		a = newStored(rng, k, m, pad)
	}
	if tB != gblas.NoTrans {
		b = newStored(rng, n, k, pad)
	}
	c := newStored(rng, m, n, pad)
	a0, b0, want := a.clone(), b.clone(), c.clone()
	defined(tA, tB, m, n, k, alpha, a, b, beta, want)
	Implementation{}.Dgemm(tA, tB, m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld)
	id := fmt.Sprintf("%c%c m=%d n=%d k=%d pad=%d alpha=%v beta=%v", tA, tB, m, n, k, pad, alpha, beta)
	if err := sameBits(c.data, want.data); err != nil {
		t.Errorf("%s: C: %v", id, err)
	}
	if sameBits(a.data, a0.data) != nil || sameBits(b.data, b0.data) != nil {
		t.Errorf("%s: an argument changed", id)
	}
}

func TestGemmSmall(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for m := 0; m <= 27; m++ {
			for n := 0; n <= 35; n++ {
				tA, tB := transposes[(m+n)%2], transposes[m/2%2]
				gemmCase(t, rng, tA, tB, m, n, (m*7+n)%13, (m+n)%3, []float64{1, -0.7, 0}[n%3], []float64{0, 1, 1.3}[m%3])
			}
		}
	})
}

func TestGemmShapes(t *testing.T) {
	shapes := [][3]int{{1, 1, 1}, {8, 8, 8}, {1, 200, 50}, {2, 133, 400}, {3, 70, 5}, {5, 66, 769}, {200, 1, 50},
		{201, 3, 400}, {130, 7, 9}, {64, 65, 3}, {61, 203, 1}, {97, 101, 385}, {130, 389, 31}, {70, 1, 400}}
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 1))
		for _, s := range shapes {
			for _, tA := range transposes {
				for _, tB := range transposes {
					gemmCase(t, rng, tA, tB, s[0], s[1], s[2], s[0]%4, 1.1, 0.9)
				}
			}
		}
	})
}
