// Package command has the commands that measure, compare, gate, study and track Go benchmarks. thm offers them as
// thm bench, and benchgate as its own.
package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands have their surroundings in common.
type commands struct {
	output
	path string // how a user calls them
}

// newCommands returns the commands compare, gate, run, diff, study and track. The path is how a user calls their parent, as in
// thm bench; their texts are written for benchgate.
func newCommands(o output, path string) []*cobra.Command {
	c := &commands{o, path}
	all := []*cobra.Command{c.benchCompareCommand(), c.benchGateCommand(), c.benchRunCommand(), c.benchDiffCommand(), c.benchStudyCommand(), c.benchTrackCommand()}
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
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "benchgate", c.path) })
		c.speak(cmd.Commands())
	}
}
