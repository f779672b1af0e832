package fixedpoint

import (
	"flag"
	"github.com/thm-suite/thm/props"
	"testing"
)

var _ = flag.Bool("update", false, "")

func TestTmp(t *testing.T) { props.Test(t, []props.Claim{Claim}) }
