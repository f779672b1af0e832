package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Change is how the pinned evidence of a claim departs from that of an older commit.
type Change struct {
	Claim      string
	Departures []Departure
	Named      bool // a commit since then says that it weakens the claim
}

// Weaker reports whether the claim's checks notice less, and no commit says so.
func (c Change) Weaker() bool {
	return !c.Named && slices.ContainsFunc(c.Departures, func(d Departure) bool { return d.Weaker })
}

// Changes compares the evidence in a work tree with that of the commit where it left base, in the order of the files.
func Changes(ctx context.Context, dir, base string) ([]Change, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			err = fmt.Errorf("git %s: %s", args[0], strings.Join(strings.Fields(string(exit.Stderr)), " "))
		}
		return strings.TrimSpace(string(out)), err
	}
	if _, err := git("rev-parse", "--verify", "--quiet", base+"^{commit}"); err != nil {
		return nil, fmt.Errorf("there is no commit %q here; a shallow clone has to fetch it", base)
	}
	fork, err := git("merge-base", base, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("%s and HEAD have no commit in common: %w", base, err)
	}
	top, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	list, err := git("ls-tree", "-r", "--name-only", "--full-tree", fork)
	if err != nil {
		return nil, err
	}
	said, err := git("log", "--format=%(trailers:key=Weakens,valueonly,separator=%x2C)", fork+"..HEAD")
	if err != nil {
		return nil, err
	}
	named := strings.FieldsFunc(said, func(r rune) bool { return r == ',' || r == '\n' || r == ' ' })
	var out []Change
	for file := range strings.Lines(list) {
		if file = strings.TrimSpace(file); !strings.Contains(file, "testdata/evidence/") {
			continue
		}
		text, err := git("show", fork+":"+file)
		if err != nil {
			return nil, err
		}
		old, err := Parse([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", file, base, err)
		}
		change, err := since(old, filepath.Join(top, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		if len(change.Departures) > 0 {
			change.Named = slices.Contains(named, change.Claim)
			out = append(out, change)
		}
	}
	return out, nil
}

// since compares the evidence of a claim with today's file.
func since(old Evidence, file string) (Change, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return Change{Claim: old.Claim, Departures: []Departure{{"nothing is pinned any more", true}}}, nil
	}
	if err != nil {
		return Change{}, err
	}
	now, err := Parse(raw)
	if err != nil {
		return Change{}, fmt.Errorf("%s: %w", file, err)
	}
	return Change{Claim: old.Claim, Departures: Files.Departures(old, now)}, nil
}
