package latent_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
)

// BenchmarkLearn is Algorithm 1 at d = 50, n = 2500 and m = 500, with 500 samples to tune on, whole and in parts.
func BenchmarkLearn(b *testing.B) {
	previous := blas.Use()
	b.Cleanup(func() { blas64.Use(previous) })
	const n, d, m = 2500, 50, 500
	r := stream()
	train, tune := latent.Sample(r, n, d, 1, cubic), latent.Sample(r, 500, d, 1, cubic)
	penalties := ridge.Penalties(1e-4, 1e2, 13)
	net := latent.Symmetric(r, m, d)
	linear, rest := latent.Preprocess(train.X, train.Y)
	stepped := latent.Network{W: net.FirstGradient(train.X, rest), A: net.A, B: net.B}
	stepped.Normalise(1)
	stepped = stepped.Redraw(r)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			_, err := latent.Learn(r, train.X, train.Y, m, penalties, tune)
			require.NoError(b, err)
		}
	})
	b.Run("gradient", func(b *testing.B) {
		for b.Loop() {
			net.FirstGradient(train.X, rest)
		}
	})
	b.Run("head", func(b *testing.B) {
		for b.Loop() {
			_, err := latent.Head(stepped, linear, train.X, rest, penalties, tune)
			require.NoError(b, err)
		}
	})
	b.Run("features", func(b *testing.B) {
		for b.Loop() {
			stepped.Features(train.X)
		}
	})
	b.Run("path", func(b *testing.B) {
		phi := stepped.Features(train.X)
		for b.Loop() {
			_, err := ridge.Features(phi, rest)
			require.NoError(b, err)
		}
	})
}
