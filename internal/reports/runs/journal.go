// Package runs keeps the journal of a run of thm check, divides the run into shards, writes them for common schedulers,
// merges them, and writes the output files.
package runs

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// JournalName is the file in the directory of the report that keeps the measurements of a run until it has ended.
const JournalName = "cells.journal"

// OpenJournal opens the journal of a run in the directory of its report, or goes on with the one of the same run, of
// which it says how much is done.
func OpenJournal(dir string, o props.Options, part Shard, selected []props.Claim) (*props.Journal, int, error) {
	here := source.Now()
	id := props.RunID{Tool: toolLine(props.ThisTool()), Source: here.Name(), Binary: here.Binary,
		Effort: o.Effort, Seed: o.Seed, Budget: o.Budget, Claims: Slugs(selected), Patterns: o.Patterns, Shard: part.String()}
	journal, done, err := props.OpenJournal(current(dir, id), id)
	if err != nil {
		return nil, 0, fmt.Errorf("the journal cannot be written: %w; choose another directory with --out", err)
	}
	return journal, done, nil
}

// toolLine returns the part of the tool in which shards of one run agree: the same source, compiled in the same way,
// gives the same bits. So do all kernels of package blas, and the processors may differ.
func toolLine(t results.Tool) string {
	family, _, own := strings.Cut(t.Kernel, " ")
	if !own || family != "thm" {
		family = t.Kernel
	}
	return strings.Join([]string{t.Version, t.Go, t.GOARCH, t.GOAMD64, family}, " ")
}

// current returns the journal that a run writes. The journal of another unfinished run is set aside, under a name that
// its command finds again; a journal of another program is of no use to anybody.
func current(dir string, id props.RunID) string {
	file := filepath.Join(dir, JournalName)
	aside := func(id props.RunID) string {
		id.Schema = "" // the entry was read, but is not yet in the new journal
		sum := sha256.Sum256(fmt.Appendf(nil, "%+v", id))
		return filepath.Join(dir, fmt.Sprintf("cells-%x.journal", sum[:8]))
	}
	if other, err := props.JournalOf(file); err == nil && aside(other) != aside(id) && other.Binary == id.Binary {
		_ = os.Rename(file, aside(other))
	}
	if _, err := os.Stat(aside(id)); err == nil {
		_ = os.Rename(aside(id), file)
	}
	return file
}
