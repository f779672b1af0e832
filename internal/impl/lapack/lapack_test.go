package lapack_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/builtin"
)

// poison fills what no routine may read or write.
var poison = math.Float64frombits(0x7ff8dead_beef0001)

// eachKernel runs the test on every set of inner routines that runs here.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	before := builtin.InUse()
	defer func() { require.NoError(t, blas.SetKernel(before)) }()
	for _, k := range blas.Kernels() {
		if k.Available {
			require.NoError(t, blas.SetKernel(k.Name))
			t.Run(k.Name, test)
		}
	}
}

// stored is a row-major matrix inside poisoned padding.
type stored struct {
	data           []float64
	rows, cols, ld int
}

// newStored draws numbers of mean 0 and variance 1 that are the same on every architecture; those of NormFloat64 are
// not.
func newStored(rng *rand.Rand, rows, cols, pad int) stored {
	s := stored{rows: rows, cols: cols, ld: cols + pad}
	s.data = slices.Repeat([]float64{poison}, (rows-1)*s.ld+cols+pad)
	for i := range rows {
		for j := range cols {
			s.data[i*s.ld+j] = 2 * (rng.Float64() + rng.Float64() + rng.Float64() - 1.5)
		}
	}
	return s
}

func (s stored) clone() stored {
	s.data = slices.Clone(s.data)
	return s
}

func sameBits(t *testing.T, want, got []float64, args ...any) {
	t.Helper()
	for i := range want {
		if math.Float64bits(want[i]) != math.Float64bits(got[i]) {
			require.Failf(t, "other bits", "at %d: %v, want %v; %v", i, got[i], want[i], args)
		}
	}
}
