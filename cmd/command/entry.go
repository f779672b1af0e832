// Package command is the command thm for any catalogue. Another module gives its own claims the same check, show, try,
// report and merge with a main of a few lines:
//
//	package main
//
//	import (
//		"github.com/thm-suite/thm/cmd/command"
//		"github.com/thm-suite/thm/props/catalog"
//
//		"example.org/mine/claims"
//	)
//
//	func main() { command.Main(claims.All, catalog.All()) }
package command

import (
	"fmt"
	"os"
	"slices"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/props"
)

// Main runs the command line of the process on the claims of one or more sources, in the order in which reports show
// them, and ends the process. The matrices of gonum use this module's kernels. A slug that occurs twice is refused.
func Main(sources ...[]props.Claim) {
	o := cli.Output{Name: "thm", Stdout: os.Stdout, Stderr: os.Stderr}
	claims := slices.Concat(sources...)
	if err := refused(claims); err != nil {
		fmt.Fprintf(o.Stderr, "%s: %v\n", o.Name, err)
		os.Exit(cli.Usage)
	}
	blas.Use()
	collector.Set()
	p := program{Output: o, claims: claims}
	os.Exit(p.run(os.Args[1:]))
}

// refused says why nothing can be done with a catalogue or in an environment.
func refused(claims []props.Claim) error {
	seen := map[string]bool{}
	for _, c := range claims {
		slug := c.Statement.Slug
		if seen[slug] {
			return fmt.Errorf("two claims have the slug %s; give one of them another", slug)
		}
		seen[slug] = true
	}
	return blas.EnvironmentError()
}
