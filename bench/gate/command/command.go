// Package command holds the commands that measure, compare, gate, study and track Go benchmarks. They are the
// subcommands of thm bench and of benchgate.
package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thm-suite/thm/internal/cli"
)

// commands have their surroundings in common.
type commands struct {
	cli.Output
	path    string // how a user calls them
	history string // where runs are recorded by default
}

// New returns the commands compare, gate, run, diff, bisect, study and track. The path is how a user calls their
// parent, as in thm bench; their texts are written for benchgate. Runs are recorded in the folder history unless a flag
// names another.
func New(o cli.Output, path, history string) []*cobra.Command {
	c := &commands{o, path, history}
	all := []*cobra.Command{c.compareCommand(), c.gateCommand(), c.runCommand(), c.diffCommand(), c.bisectCommand(),
		c.studyCommand(), c.trackCommand()}
	c.speak(all)
	return all
}

// speak lets the texts of commands speak of the path.
func (c *commands) speak(all []*cobra.Command) {
	for _, cmd := range all {
		for _, text := range []*string{&cmd.Short, &cmd.Long, &cmd.Example} {
			*text = strings.ReplaceAll(*text, "benchgate", c.path)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "benchgate", c.path) })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			f.Usage = strings.ReplaceAll(f.Usage, "benchgate", c.path)
		})
		c.speak(cmd.Commands())
	}
}
