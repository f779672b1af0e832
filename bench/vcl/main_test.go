package vcl

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
)

// units tell benchstat which way is better, and which numbers are deterministic.
const units = `Unit ratio better=lower assume=exact
Unit flop/s better=higher
Unit ns/step better=lower
Unit x-full better=higher
Unit x-sgd better=lower
Unit x-sgd-corotated better=lower
Unit x-bar better=higher
Unit digits better=higher assume=exact`

// TestMain heads the output of benchmarks with the units. They run on one thread unless -cpu says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		fmt.Println(units)
		if flag.Lookup("test.cpu").Value.String() == "" {
			runtime.GOMAXPROCS(1)
		}
	}
	m.Run()
}
