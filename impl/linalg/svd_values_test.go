package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// TestSVDValuesThatAreNearlyEqual holds values alone to those with vectors, each with a backward error below n
// roundings, on spectra whose shifts are hard to guess: many values within a few roundings to a few parts in ten
// thousand of each other, and few or many that are tiny.
func TestSVDValuesThatAreNearlyEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	basis := func(n int) *mat.Dense {
		u, _, _, err := linalg.SVD(random(r, n, n), mat.SVDThin)
		require.NoError(t, err)
		return u
	}
	spectra := map[string]func(i int) float64{
		"one small": func(i int) float64 {
			if i == 0 {
				return math.Pow(10, -20*r.Float64())
			}
			return 1
		},
		"nearly equal": func(int) float64 { return 1 + float64(r.IntN(3))*math.Pow(10, -16*r.Float64()) },
		"close":        func(int) float64 { return 1 + 1e-9*r.NormFloat64() },
		"many tiny":    func(int) float64 { return math.Pow(10, -300*r.Float64()*float64(r.IntN(2))) },
		"equal":        func(int) float64 { return 1 },
	}
	trials := 400
	if testing.Short() {
		trials = 100
	}
	for name, value := range spectra {
		for range trials {
			n := 2 + r.IntN(14)
			var a, scaled mat.Dense
			scaled.CloneFrom(basis(n))
			for i := range n {
				v := value(i)
				for j := range n {
					scaled.Set(i, j, v*scaled.At(i, j))
				}
			}
			a.Mul(basis(n), &scaled)
			where := fmt.Sprint(name, " ", n)
			_, alone, _, err := linalg.SVD(&a, mat.SVDNone)
			require.NoError(t, err, where)
			_, s, _, err := linalg.SVD(&a, mat.SVDThin)
			require.NoError(t, err, where)
			descending(t, where, alone)
			if d := difference(s, alone); !(d <= 2*float64(n)*roundoff.Ulp*s[0]) {
				t.Errorf("%s: values differ by %v", where, d)
			}
		}
	}
}
