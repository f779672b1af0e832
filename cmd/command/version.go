package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// version is the output of thm version --json.
type version struct {
	Schema string `json:"schema"`
	results.Tool
	Commit    string          `json:"commit"`   // empty where nothing says it
	Modified  bool            `json:"modified"` // the tree had changes that were not committed
	Collector collector.State `json:"collector"`
}

func (p *program) versionCommand() *cobra.Command {
	var f commonFlags
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, its kernels and the machine",
		Long: `Print what results.json records about the program: version, Go, platform, linear algebra
kernels and processor. Also print the target of the garbage collector, which the
variables GOGC and GOMEMLIMIT change.`,
		Example: "  thm version\n  thm version --json",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			t, c := props.ThisTool(), collector.Now()
			s := source.Now()
			return p.present(f, version{"thm.version/v1", t, s.Commit, s.Modified, c},
				func(terminal.Style) string { return versionLine() })
		},
	}
	f.add(cmd, "json")
	return cmd
}

// versionLine returns the output of thm version and thm --version.
func versionLine() string {
	t := props.ThisTool()
	if source.Now().Modified {
		t.Version += " with changes"
	}
	return fmt.Sprintf("thm %s, %s %s/%s %s, kernels: %s, %s, %v\n", t.Version, t.Go, t.GOOS, t.GOARCH, t.GOAMD64,
		t.Kernel, t.CPU, collector.Now())
}
