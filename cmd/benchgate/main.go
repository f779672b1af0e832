// Command benchgate measures the Go benchmarks of any module, compares them, and gates on what changed.
//
// It is thm bench without the theorem suite; run benchgate help for its subcommands.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/bench/gate/command"
	"github.com/thm-suite/thm/internal/cli"
)

func main() {
	o := cli.Output{Name: "benchgate", Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(o.Run(func() *cobra.Command { return root(o) }, os.Args[1:]))
}

func root(o cli.Output) *cobra.Command {
	return cli.Root(o, &cobra.Command{
		Use:   "benchgate",
		Short: "Measure Go benchmarks, compare them, and gate on what changed",
		Long: `Measure the Go benchmarks of any module and say what changed, with a stated
probability of a false alarm. Each subcommand has its own help.

Exit codes of gate and diff: 0 pass; 1 regression; 2 unusable input or bad usage;
3 undecided or interrupted.`,
		Example: `  benchgate diff main         measure main and the working tree together, and judge
  benchgate run -n 20 --out new.txt
  benchgate compare old.txt new.txt
  benchgate gate old.txt new.txt`,
	}, command.New(o, "benchgate", "bench/history")...)
}
