package main

import "fmt"

// The exit codes. Results choose between the first, second and last themselves (props.Results.ExitCode).
const (
	exitGreen     = 0
	exitRefuted   = 1 // also: something generated is stale
	exitUsage     = 2
	exitUnsettled = 3   // undecided, incomplete, or broken
	exitKilled    = 130 // a second Ctrl-C, in the shell's convention
)

// exit ends the command with a code other than that of bad usage. Without an error it says nothing.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }
