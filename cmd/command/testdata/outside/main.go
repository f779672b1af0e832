// Command four verifies the claims of a module outside of thm.
package main

import (
	"github.com/thm-suite/thm/cmd/command"

	"example.org/four/claims"
)

func main() { command.Main("four", "Four claims of other papers", claims.All) }
