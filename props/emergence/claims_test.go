package emergence

import (
	"testing"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/props"
)

func init() { blas.Use() }

func TestClaims(t *testing.T) { props.Test(t, Claims) }
