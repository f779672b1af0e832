package kernels

import (
	"testing"

	"github.com/thm-suite/thm/internal/bench/benchmain"
)

// units holds the units of the benchmarks of this package.
const units = `Unit ratio better=lower assume=exact
Unit flop/s better=higher
Unit peak better=higher`

func TestMain(m *testing.M) { benchmain.Run(m, units) }
