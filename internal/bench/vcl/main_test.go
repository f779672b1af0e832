package vcl

import (
	"testing"

	"github.com/thm-suite/thm/internal/bench/benchmain"
)

// units holds the units of the benchmarks of this package.
const units = `Unit ratio better=lower assume=exact
Unit flop/s better=higher
Unit ns/step better=lower
Unit x-full better=higher
Unit x-sgd better=lower
Unit x-sgd-factored better=lower
Unit x-bar better=higher
Unit digits better=higher assume=exact`

func TestMain(m *testing.M) { benchmain.Run(m, units) }
