package collector

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestSet(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	for _, c := range []struct{ gogc, limit, want string }{
		{"", "", "GOGC=800 GOMEMLIMIT=2048MiB"},
		// the variable was read when the process started: 100 is what is left alone
		{"50", "", "GOGC=100 GOMEMLIMIT=2048MiB"},
		{"", "1GiB", "GOGC=800"},
		{"50", "1GiB", "GOGC=100"},
	} {
		t.Setenv("GOGC", c.gogc)
		t.Setenv("GOMEMLIMIT", c.limit)
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		Set()
		if got := Now().String(); got != c.want {
			t.Errorf("GOGC=%q GOMEMLIMIT=%q: %s, want %s", c.gogc, c.limit, got, c.want)
		}
	}
	debug.SetGCPercent(-1)
	if got := Now().String(); got != "GOGC=off" {
		t.Errorf("switched off: %s", got)
	}
}
