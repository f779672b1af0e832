package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props"
)

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program, its kernels and the machine",
		Long:    `Print what results.json says about the program: version, Go, platform, the linear algebra kernels, and the processor.`,
		Example: "  thm version\n  thm version --json",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			t := props.ThisTool()
			if asJSON {
				return p.PrintJSON(t)
			}
			return p.Print(fmt.Sprintf("thm %s, %s %s/%s %s, kernels: %s, %s\n", t.Version, t.Go, t.GOOS, t.GOARCH, t.GOAMD64, t.Kernel, t.CPU))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
