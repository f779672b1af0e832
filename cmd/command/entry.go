// Package command implements the command thm for any catalogue. Another module provides check, show, try, report and
// merge for its own claims by a main of a few lines:
//
//	package main
//
//	import (
//		"github.com/thm-suite/thm/cmd/command"
//
//		"example.org/mine/claims"
//	)
//
//	func main() { command.Main("mine", "Claims of my paper", claims.All) }
package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cli"
	_ "github.com/thm-suite/thm/internal/collector/early"
	"github.com/thm-suite/thm/props"
)

// Main runs the command line of the process on the claims of one or more sources, in the order in which reports show
// them, and ends the process. The name is the name of the command, and the title describes its subject in help texts
// and reports. The matrices of gonum use this module's kernels. A catalogue that contradicts itself is refused.
func Main(name, title string, sources ...[]props.Claim) {
	o := cli.Output{Name: name, Stdout: os.Stdout, Stderr: os.Stderr}
	claims := slices.Concat(sources...)
	if err := refused(claims); err != nil {
		fmt.Fprintf(o.Stderr, "%s: %v\n", o.Name, err)
		os.Exit(cli.Usage)
	}
	blas.Use()
	p := program{Output: o, title: title, claims: claims}
	os.Exit(p.run(os.Args[1:]))
}

// refused returns an error if the catalogue or the environment is unusable.
func refused(claims []props.Claim) error {
	if conflicts := props.Conflicts(claims); len(conflicts) > 0 {
		return errors.New(strings.Join(conflicts, "; "))
	}
	return blas.EnvironmentError()
}
