package recorded

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory/width"
)

// planted is the first step of a network of tanh on four samples with a squared loss, as a recorder sees it.
func planted(r *rand.Rand, name, optimizer string, hidden, n int) (layers []*Layer) {
	power := func(e float64) float64 { return math.Pow(float64(n), -e) }
	p := width.NamedParametrisation(name, hidden, optimizer == "Adam")
	h := mat.NewDense(3, 4, []float64{0.6, -0.3, 0.9, 0.1, 0.5, 0.8, -0.2, 0.4, 0.6, 0.5, 0.3, -0.9})
	for l := range p.A {
		in, _ := h.Dims()
		w := mat.NewDense(map[bool]int{true: 1, false: n}[l == hidden], in, nil)
		w.Apply(func(_, _ int, _ float64) float64 { return power(p.A[l]+p.B[l]) * r.NormFloat64() }, w)
		layers = append(layers, &Layer{W: w, H: h,
			Record: Record{Layer: fmt.Sprint(l), Rate: 1e-4 * power(p.C[l]), Optimizer: optimizer}})
		h = algebra.Product(w, h)
		if l < hidden {
			h.Apply(func(_, _ int, z float64) float64 { return math.Tanh(z) }, h)
		}
	}
	gamma := algebra.Difference(h, mat.NewDense(1, 4, []float64{3, -3, 3, -3}))
	for l, x := range slices.Backward(layers) {
		x.Gamma, x.G = gamma, algebra.Product(gamma, x.H.T())
		x.Next = mat.DenseCopyOf(x.W)
		x.Next.Apply(func(i, j int, w float64) float64 {
			step := power(p.A[l]) * x.G.At(i, j) // in raw weights, of which the layer has so many
			if optimizer == "Adam" {
				step = math.Copysign(1, step)
			}
			return w - x.Rate*power(p.A[l])*step
		}, x.Next)
		gamma = algebra.Product(x.W.T(), gamma)
		gamma.Apply(func(i, j int, g float64) float64 { return g * (1 - x.H.At(i, j)*x.H.At(i, j)) }, gamma)
	}
	return layers
}

// observed are runs of planted steps.
func observed(name, optimizer string, hidden, seeds int, widths ...int) Coordinates {
	r := rand.New(rand.NewPCG(1, uint64(hidden)))
	o := Observations{Quantities: Quantities[len(Quantities)-3:]}
	for _, n := range widths {
		for seed := range seeds {
			for _, l := range planted(r, name, optimizer, hidden, n) {
				o.observe(fmt.Sprintf("%d, %d", n, seed), l)
			}
		}
	}
	return coordinates(o.Points)
}

// TestCoordinates: runs of each parametrisation are compatible with it, and exclude the others.
func TestCoordinates(t *testing.T) {
	for _, optimizer := range []string{"SGD", "Adam"} {
		for _, name := range Parametrisations {
			for hidden := 1; hidden <= 3; hidden++ {
				c := observed(name, optimizer, hidden, 8, 16, 64, 256)
				require.Len(t, c.Widths, 2*(hidden+1)+1)
				require.Len(t, c.Verdicts, 3)
				for k, verdict := range c.Verdicts {
					want := "is excluded by"
					if Parametrisations[k] == name {
						want = "compatible with " + name
					}
					require.Contains(t, verdict, want, "%s, %s, %d hidden layers: %v", name, optimizer, hidden, c.Widths)
				}
			}
		}
	}
}

// TestCoordinatesSayNoMore: two runs have no interval and exclude nothing, runs of one width have no power, and
// nothing is predicted of other optimizers.
func TestCoordinatesSayNoMore(t *testing.T) {
	for _, verdict := range observed("standard", "SGD", 2, 1, 16, 64).Verdicts {
		require.True(t, strings.HasPrefix(verdict, "compatible"), verdict)
		require.Contains(t, verdict, "0 have intervals narrower")
	}
	require.Empty(t, observed("standard", "SGD", 2, 4, 16).Widths)
	c := observed("standard", "RMSprop", 2, 2, 16, 64)
	require.Len(t, c.Verdicts, 1)
	require.Contains(t, c.Verdicts[0], "nothing is predicted")
	require.Equal(t, []string{"–", "–", "–"}, c.Widths[0].Row()[6:])
	require.Len(t, Columns, len(c.Widths[0].Row()))
}
