package blas

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGemvThreads: the bits of a product with a vector do not depend on the number of threads, where there are several.
func TestGemvThreads(t *testing.T) {
	defer SetThreads(0)
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 5))
		for _, size := range [][2]int{{400, 401}, {3, 70000}, {70000, 3}, {131, 1009}} {
			m, n := size[0], size[1]
			if m*n < parallelVector {
				t.Fatalf("%v is not shared", size)
			}
			a := newStored(rng, m, n, 3)
			for _, tA := range transposes {
				lenX, lenY := n, m
				if tA != 'N' {
					lenX, lenY = m, n
				}
				x, y := newStored(rng, 1, lenX, 0).data, newStored(rng, 1, lenY, 0).data
				var want []float64
				for _, threads := range []int{1, 2, 3, 8} {
					SetThreads(threads)
					got := slices.Clone(y)
					Implementation{}.Dgemv(tA, m, n, 0.7, a.data, a.ld, x, 1, -0.3, got, 1)
					if want == nil {
						want = got
					} else if !slices.Equal(got, want) {
						t.Errorf("%v %c: %d threads give other bits than one", size, tA, threads)
					}
				}
			}
		}
	})
}
