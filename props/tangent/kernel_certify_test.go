package tangent

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/tensors"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/tangent/internal/kernel"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// kernelPair is an instance of tangent/kernel, as a user writes it.
type kernelPair struct {
	Features *mat.Dense    `npy:"Phi"`
	Labels   []float64     `npy:"y"`
	M        *mat.Dense    `npy:"M"`
	Theta    []float64     `npy:"theta"`
	Omega    theory.Family `npy:"omega"`
	Factor   float64       `npy:"factor"`
	Excess   float64       `npy:"excess"`
}

// By hand: one feature φ = 1 and v² = z³(z−1) = 27/16 at s = 3/2, so that θ = v/s.
func TestCertifyKernel(t *testing.T) {
	v := 1.299038105676658
	in := kernelPair{Features: mat.NewDense(1, 1, []float64{1}), Labels: []float64{v},
		M: mat.NewDense(1, 1, []float64{1.5}), Theta: []float64{v / 1.5}, Omega: theory.Quadratic, Factor: 1}
	certify := func() (*props.Certificate, error) {
		file := filepath.Join(t.TempDir(), "pair.npz")
		require.NoError(t, tensors.Encode(file, &in))
		return kernel.Claim.Certify("the stated solution", file)
	}
	c, err := certify()
	require.NoError(t, err)
	require.Equal(t, results.Holds, c.Verdict)
	in.M.Set(0, 0, 1.6)
	c, err = certify()
	require.NoError(t, err)
	require.Equal(t, results.Refuted, c.Verdict)
	in.Excess = 1e5
	_, err = certify()
	require.ErrorContains(t, err, "excess")
}
