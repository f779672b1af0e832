package spectra

import (
	"flag"
	"testing"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/props"
)

func init() { blas.Use() }

var _ = flag.Bool("update", false, "pin the evidence of the claims that run")

func TestClaims(t *testing.T) { props.TestPinned(t, Claims, "testdata/evidence") }
