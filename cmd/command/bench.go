package command

import (
	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/bench/gate/command"
	"github.com/thm-suite/thm/internal/cli"
)

func (p *program) benchCommand() *cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:   "bench",
		Short: "Measure speed, compare it, and gate on it",
		Long: `Measure the Go benchmarks of any module and report the changes, with a stated
probability of a false alarm. Each subcommand has its own help.`,
		Example: `  thm bench peers --quick     this module against NumPy
  thm bench vcl --quick       steps of virtual covariance learning by every method
  thm bench compare old.txt new.txt
  thm bench gate old.txt new.txt`,
	},
		p.benchPeersCommand(),
		p.benchVCLCommand(),
		p.benchRecordCommand(),
		// add here
	)
	cmd.AddCommand(command.New(p.Output, "thm bench", "reports/published/history")...)
	if track, _, err := cmd.Find([]string{"track"}); err == nil {
		track.AddCommand(p.trackClaimsCommand())
	}
	return cmd
}
