package bench

import (
	"flag"
	"fmt"
	"testing"
)

// units tell benchstat which way is better, and which numbers are deterministic.
const units = `Unit ratio better=lower assume=exact
Unit flop/s better=higher`

// TestMain heads the output of benchmarks with the units.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		fmt.Println(units)
	}
	m.Run()
}
