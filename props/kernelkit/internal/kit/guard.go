package kit

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"github.com/thm-suite/thm/props"
)

// Attempt makes calls of a kernel and returns what they panicked with; panicked is false when they returned. Assembly
// that reads memory it should not may hit an address that is not mapped, which counts as a panic too and ends nothing
// else.
func Attempt(calls func()) (value any, panicked bool) {
	panicked = true
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { value = recover() }()
	calls()
	panicked = false
	return
}

// Survives makes calls of a kernel that must not panic. When they do, the panic becomes part of the counterexample, and
// the caller returns Failed: a kernel that panics on valid input is wrong, and the check that notices it is not.
//
// The calls must draw nothing, because rapid rejects draws by panicking.
func Survives(t *props.T, calls func()) bool {
	value, panicked := Attempt(calls)
	if panicked {
		t.Show("panic", fmt.Sprint(value))
	}
	return !panicked
}

// Failed is the ratio of an instance on which the kernel did not even return.
var Failed = props.Condition(false)

// SameBits reports whether two slices are equal bit by bit.
func SameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
