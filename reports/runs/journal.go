// Package runs has what belongs to a run of thm check: its journal, its shards, how they are joined, and the files that
// it leaves.
package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/props"
)

// JournalName is the file in the directory of the report that keeps the measurements of a run until it has ended.
const JournalName = "cells.journal"

// OpenJournal opens the journal of a run in the directory of its report, or goes on with the one of the same run, of
// which it says how much is done.
func OpenJournal(dir string, effort props.Effort, seed uint64, part Shard, selected []props.Claim) (*props.Journal, int,
	error) {
	id := props.RunID{Schema: props.JournalSchema, Tool: toolLine(), Binary: binaryDigest(), Effort: effort, Seed: seed,
		Claims: Slugs(selected), Shard: part.String()}
	journal, done, err := props.OpenJournal(filepath.Join(dir, JournalName), id)
	if err != nil {
		return nil, 0, fmt.Errorf("the journal cannot be written: %w; choose another directory with --out", err)
	}
	return journal, done, nil
}

// toolLine is what shards of one run agree in: the same source on the same kind of machine gives the same bits.
func toolLine() string {
	t := props.ThisTool()
	return strings.Join([]string{t.Version, t.Go, t.GOARCH, t.GOAMD64, t.Kernel}, " ")
}

// binaryDigest identifies the running program, so that changed code does not go on where the old one stopped.
func binaryDigest() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
