// Package cli holds the code that the commands of this module share: exit codes and errors, flags, output,
// interruption.
package cli

import "fmt"

// The exit codes.
const (
	Green     = 0
	Refuted   = 1 // also: something generated is stale
	Usage     = 2
	Unsettled = 3   // undecided, incomplete, or broken
	Busy      = 4   // another run holds the directory: try again later
	Killed    = 130 // a second Ctrl-C, in the shell's convention
)

// Exit ends the command with a code other than that of bad usage. Without an error it says nothing.
type Exit struct {
	Code int
	Err  error
}

// Error is the text of the error inside.
func (e Exit) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap is the error inside.
func (e Exit) Unwrap() error { return e.Err }
