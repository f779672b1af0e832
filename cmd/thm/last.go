package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/reports"
	"github.com/thm-suite/thm/theory"
)

// defaultResults is the file of the last run.
var defaultResults = filepath.Join(defaultOut, "results.json")

// resultsFlag registers the flag that says where the last verdicts are.
func resultsFlag(cmd *cobra.Command, target *string) {
	cmd.Flags().StringVar(target, "results", defaultResults, "results file with the last verdicts")
	_ = cmd.MarkFlagFilename("results", "json")
}

// last reads the results of the last run. No file is no results; a file that cannot be read is a warning.
func (p *program) last(file string) *props.Results {
	r, err := reports.Read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &props.Results{}
	case err != nil:
		fmt.Fprintf(p.Stderr, "thm: warning: the last verdicts are not shown: %v\n", err)
		return &props.Results{}
	}
	return r
}

// rowOf returns the row of a claim, or nil.
func rowOf(r *props.Results, slug string) *props.ClaimResult {
	i := slices.IndexFunc(r.Claims, func(row props.ClaimResult) bool { return row.ID == slug })
	if i < 0 {
		return nil
	}
	return &r.Claims[i]
}

// verified returns the statements that the rows are about. A row that this program does not know has none.
func (p *program) verified(r *props.Results) []*theory.Statement {
	var out []*theory.Statement
	for _, s := range p.statements() {
		if rowOf(r, s.Slug) != nil {
			out = append(out, s)
		}
	}
	return out
}
