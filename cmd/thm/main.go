// Command thm verifies the claims of the catalogue and says what the evidence is worth.
//
// Run thm help for its subcommands; each has its own file here.
package main

import (
	"fmt"
	"os"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/props/catalog"
)

func main() {
	if err := blas.EnvironmentError(); err != nil {
		fmt.Fprintf(os.Stderr, "thm: %v\n", err)
		os.Exit(cli.Usage)
	}
	blas.Use()
	collector.Set()
	p := program{Output: cli.Output{Name: "thm", Stdout: os.Stdout, Stderr: os.Stderr}, claims: catalog.All()}
	os.Exit(p.run(os.Args[1:]))
}
