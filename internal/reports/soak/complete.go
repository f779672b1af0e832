package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/list"
)

// SummaryName is the file in the directory of a soak that holds its summary.
const SummaryName = "soak.json"

// Join sums up the soaks in several directories, see [Read]. Those that hold a summary without its journal give the
// claims that no journal has, see [Summary.Complete]; the last of them that has a claim gives it.
func Join(dirs []string) (*Summary, error) {
	var journals []string
	var older []*Summary
	for _, dir := range dirs {
		x, err := summaryAlone(dir)
		switch {
		case err != nil:
			return nil, err
		case x == nil:
			journals = append(journals, dir)
		default:
			older = append(older, x)
		}
	}
	if len(journals) == 0 {
		return nil, errors.New("nothing to join: none of these directories holds a " + JournalName)
	}
	run, entries, err := Read(journals)
	if err != nil {
		return nil, err
	}
	s := Summarise(run, entries)
	for _, x := range slices.Backward(older) {
		if err := s.Complete(x); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// summaryAlone reads the summary in a directory that holds no journal. It is nil where there is a journal, or neither.
func summaryAlone(dir string) (*Summary, error) {
	if _, err := os.Stat(filepath.Join(dir, JournalName)); err == nil {
		return nil, nil
	}
	path := filepath.Join(dir, SummaryName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil // a journal by its name, or nothing: reading it will say so
	}
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil || s.Schema != Schema {
		return nil, fmt.Errorf("%s is not a summary of thm soak (it has no schema %q)", path, Schema)
	}
	return &s, nil
}

// Complete takes the claims that are missing from s from an older summary, so that after a published soak only the
// claims that a change touches need another one. Both must have the same seeds, and the claims that are taken must be
// green at all of them.
func (s *Summary) Complete(older *Summary) error {
	if older.Effort != s.Effort || !slices.Equal(older.seeds(), s.seeds()) {
		return fmt.Errorf("the older soak has other seeds or another effort (%d of %s, not %d of %s); soak the same",
			len(older.Seeds), older.Effort, len(s.Seeds), s.Effort)
	}
	known, taken := s.programs(), older.programs()
	for slug := range known {
		delete(taken, slug)
	}
	for i, at := range older.Seeds {
		if at.Claims != older.Claims {
			return fmt.Errorf("the older soak lacks claims at seed %d; finish it first", at.Seed)
		}
		for _, slug := range at.Red {
			if _, is := taken[slug]; is {
				return fmt.Errorf("%s was not green at seed %d of the older soak; soak it again", slug, at.Seed)
			}
		}
		s.Seeds[i].Claims, s.Seeds[i].Seconds = s.Seeds[i].Claims+len(taken), s.Seeds[i].Seconds+at.Seconds
	}
	for _, x := range older.Items {
		if _, is := taken[x.Claim]; is {
			s.Items = append(s.Items, x)
		}
	}
	slices.SortStableFunc(s.Items, likeliest)
	maps.Copy(known, taken)
	s.Claims, s.Others = len(known), others(known, s.Commit)
	return nil
}

// seeds lists the seeds of a summary.
func (s *Summary) seeds() []uint64 {
	return list.Map(s.Seeds, func(at Seed) uint64 { return at.Seed })
}

// programs maps each claim to the commit of the program that ran it.
func (s *Summary) programs() map[string]string {
	out := map[string]string{}
	for _, x := range s.Items {
		out[x.Claim] = s.Commit
	}
	for _, o := range s.Others {
		for _, slug := range o.Claims {
			out[slug] = o.Commit
		}
	}
	return out
}
