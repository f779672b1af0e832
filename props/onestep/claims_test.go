package onestep

import (
	"testing"

	"github.com/thm-suite/thm/props"
)

func TestClaims(t *testing.T) { props.Test(t, Claims) }
