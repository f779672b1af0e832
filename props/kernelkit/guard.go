package kernelkit

import (
	"fmt"
	"runtime/debug"

	"github.com/thm-suite/thm/props"
)

// attempt makes calls of a kernel and returns what they panicked with; panicked is false when they returned. Assembly that
// reads memory it should not may hit an address that is not mapped, which counts as a panic too and ends nothing else.
func attempt(calls func()) (value any, panicked bool) {
	panicked = true
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { value = recover() }()
	calls()
	panicked = false
	return
}

// survives makes calls of a kernel that must not panic. When they do, the panic becomes part of the counterexample, and
// the caller returns failed: a kernel that panics on valid input is wrong, and the check that notices it is not.
//
// The calls must draw nothing, because rapid rejects draws by panicking.
func survives(t *props.T, calls func()) bool {
	value, panicked := attempt(calls)
	if panicked {
		t.Show("panic", fmt.Sprint(value))
	}
	return !panicked
}

// failed is the ratio of an instance on which the kernel did not even return.
var failed = props.Truth(false)
