package claims

import (
	"flag"
	"testing"

	"github.com/thm-suite/thm/props"
)

var _ = flag.Bool("update", false, "pin the evidence of the claims that run")

func TestClaims(t *testing.T) { props.TestPinned(t, All, "testdata/evidence") }
