package ridge_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/ridge"
)

// BenchmarkPath shows what 13 penalties cost beside the factorisation that they share.
func BenchmarkPath(b *testing.B) {
	blas.Use()
	const n = 500
	r := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, 2*n, nil), make([]float64, n)
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	var k mat.SymDense
	k.SymOuterK(1./n, x)
	for _, c := range []struct {
		name      string
		penalties int
	}{{"penalties=0", 0}, {"penalties=1", 1}, {"penalties=13", 13}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				path, err := ridge.NewPath(&k, y)
				if err != nil {
					b.Fatal(err)
				}
				for _, lambda := range ridge.Penalties(1e-4, 1e2, 13)[:c.penalties] {
					if _, err := path.Solve(lambda); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
