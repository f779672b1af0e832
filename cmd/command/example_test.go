package command_test

import (
	"github.com/thm-suite/thm/cmd/command"
	"github.com/thm-suite/thm/props"
)

// A program of four lines gives your own claims the whole command: check, show, predict, try, certify, report.
func ExampleMain() {
	var claims []props.Claim // of a package with one file for each
	command.Main("mine", "Claims of my paper", claims)
}
