package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// runRoot executes one command line and returns the exit code. Every error is one line on stderr; an error that does not
// say otherwise is one of usage.
func (o output) runRoot(root func() *cobra.Command, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil { // the runtime's own exit code would mean bad usage
			fmt.Fprintf(o.stderr, "%s: internal error: %v\n%s", o.name, r, debug.Stack())
			code = exitUnsettled
		}
	}()
	cmd := root()
	cmd.SetArgs(append([]string{}, args...))
	err := cmd.Execute()
	if err == nil {
		return exitGreen
	}
	e := exit{exitUsage, err}
	errors.As(err, &e)
	if e.err != nil {
		fmt.Fprintf(o.stderr, "%s: %s\n", o.name, strings.Join(strings.Fields(e.err.Error()), " "))
	}
	return e.code
}
