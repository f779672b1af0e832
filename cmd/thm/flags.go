package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// checkFlags are the flags of thm check.
type checkFlags struct {
	effort  props.Effort
	seed    uint64
	jobs    int
	shard   shard
	out     string
	json    bool
	quiet   bool
	noColor bool
	profile profiling
}

func (f *checkFlags) register(cmd *cobra.Command) {
	*f = checkFlags{effort: props.Standard, seed: 1, jobs: runtime.GOMAXPROCS(0), shard: shard{1, 1}}
	flags := cmd.Flags()
	flags.Var(cli.NewValue(&f.effort, "EFFORT", parseEffort), "effort", "size of the run: "+efforts())
	flags.Var(cli.NewValue(&f.seed, "N", cli.ParseSeed), "seed", "seed of all random streams")
	flags.Var(cli.NewValue(&f.jobs, "N", cli.ParseJobs), "jobs", "cells that run at a time; the results do not depend on it")
	flags.Var(cli.NewValue(&f.shard, "I/N", parseShard), "shard", "do the I-th of N parts of the work; join them with thm merge")
	flags.StringVar(&f.out, "out", defaultOut, "directory of the report")
	flags.BoolVar(&f.json, "json", false, "print results.json instead of the table")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	cli.NoColorFlag(flags, &f.noColor)
	f.profile.register(flags)
	_ = cmd.RegisterFlagCompletionFunc("effort", cobra.FixedCompletions(strings.Split(efforts(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("out")
	for _, name := range []string{"seed", "jobs", "shard"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

func efforts() string {
	var names []string
	for _, e := range props.Efforts {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

func parseEffort(text string) (props.Effort, error) {
	if !slices.Contains(props.Efforts, props.Effort(text)) {
		return "", fmt.Errorf("an effort is one of %s", efforts())
	}
	return props.Effort(text), nil
}

// shard is part i of n, counted from 1.
type shard struct{ i, n int }

func (s shard) String() string { return fmt.Sprintf("%d/%d", s.i, s.n) }

func parseShard(text string) (shard, error) {
	left, right, _ := strings.Cut(text, "/")
	i, errI := strconv.ParseUint(left, 10, 16)
	n, errN := strconv.ParseUint(right, 10, 16)
	if errI != nil || errN != nil || i < 1 || i > n {
		return shard{}, errors.New("a shard is I/N with 1 ≤ I ≤ N, as in 2/3")
	}
	return shard{int(i), int(n)}, nil
}

// of returns the keys of the units of work of the shard.
func (s shard) of(claims []props.Claim, e props.Effort) ([]string, error) {
	units := props.Plan(claims, e, costs())
	part := props.Shards(units, s.n)[s.i-1]
	if len(part) == 0 {
		return nil, fmt.Errorf("shard %v has nothing to do: %s to share", s, terminal.Plural(len(units), "unit of work"))
	}
	var keys []string
	for _, u := range part {
		keys = append(keys, u.Key)
	}
	return keys, nil
}
