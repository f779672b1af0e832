package tangent

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/blas"
)

func init() { blas.Use() }

func stream() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func BenchmarkNetworks(b *testing.B) {
	for _, w := range Networks(stream()) {
		b.Run(w.Name, func(b *testing.B) { measure(b, w) })
	}
}

func BenchmarkTurn(b *testing.B) { measure(b, Turn(stream())) }

func measure(b *testing.B, w Work) {
	for b.Loop() {
		_, err := w.Ours()
		require.NoError(b, err)
	}
}
