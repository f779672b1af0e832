// Package faulty holds kernels that are wrong in known ways, and the matrix that shows which check of package kernelkit
// rejects which of them. It is a separate package so that the test binaries of users do not link it.
package faulty

import (
	"strings"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
)

// Fault is a way of being wrong.
type Fault struct {
	Name  string
	Break func(kernel.Kernel) kernel.Kernel // returns the sound kernel it is given, with the fault built in
}

// Of are the faults that the check of a name must reject.
func Of(check string) []Fault {
	if faults, ok := scalarFaults[check]; ok {
		return faults
	}
	if faults, ok := factorFaults[check]; ok {
		return faults
	}
	name, property, _ := strings.Cut(check, "/")
	if r := blaskit.RoutineNamed(name); r != nil {
		return blasFaults(r, property)
	}
	return nil
}
