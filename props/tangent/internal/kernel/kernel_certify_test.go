package kernel

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/tensors"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// By hand: one feature φ = 1 and v² = z³(z−1) = 27/16 at s = 3/2, so that θ = v/s.
func TestCertify(t *testing.T) {
	v := 1.299038105676658
	in := pair{Features: mat.NewDense(1, 1, []float64{1}), Labels: []float64{v}, M: mat.NewDense(1, 1, []float64{1.5}),
		Theta: []float64{v / 1.5}, Omega: theory.Quadratic, Factor: 1}
	certify := func() (*props.Certificate, error) {
		file := filepath.Join(t.TempDir(), "pair.npz")
		require.NoError(t, tensors.Encode(file, &in))
		return Claim.Certify("the stated solution", file)
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
