// Command thm verifies the claims of the catalogue and says what the evidence is worth.
//
// Run thm help for its subcommands; package command has a file for each.
package main

import (
	"github.com/thm-suite/thm/cmd/command"
	"github.com/thm-suite/thm/props/catalog"
)

func main() { command.Main("thm", "Feature-learning theory, checked", catalog.All()) }
