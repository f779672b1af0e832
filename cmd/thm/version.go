package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/props"
)

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, its kernels and the machine",
		Long: `Print what results.json says about the program: version, Go, platform, the linear
algebra kernels, and the processor; and the target of the garbage collector, which the
variables GOGC and GOMEMLIMIT change.`,
		Example: "  thm version\n  thm version --json",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			t, c := props.ThisTool(), collector.Now()
			if asJSON {
				return p.PrintJSON(struct {
					props.Tool
					Collector collector.State `json:"collector"`
				}{t, c})
			}
			return p.Print(fmt.Sprintf("thm %s, %s %s/%s %s, kernels: %s, %s, %v\n", t.Version, t.Go, t.GOOS, t.GOARCH,
				t.GOAMD64, t.Kernel, t.CPU, c))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
