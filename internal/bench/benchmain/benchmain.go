// Package benchmain provides the TestMain of the packages of verified benchmarks.
package benchmain

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
)

// Run heads the output of benchmarks with their units, which tell benchstat which way is better and which numbers are
// deterministic. They run on one thread unless -cpu says otherwise.
func Run(m *testing.M, units string) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		fmt.Println(units)
		if flag.Lookup("test.cpu").Value.String() == "" {
			runtime.GOMAXPROCS(1)
		}
	}
	m.Run()
}
