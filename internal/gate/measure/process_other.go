//go:build !unix

package measure

import "os/exec"

// detach does nothing where there are no process groups.
func detach(*exec.Cmd) {}

// interruptGently does nothing either: the end of the context kills.
func interruptGently(*exec.Cmd) {}
