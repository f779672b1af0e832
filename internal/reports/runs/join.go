package runs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
)

// Joined is a run that was measured in parts.
type Joined struct {
	Claims  []props.Claim
	Options props.Options // with the journal of all parts, which the caller closes
	Parts   []float64     // seconds of processor time of each part
	Notes   []string      // on what is missing
}

// Join reads the journals of shards, each given by its file or the directory of its report, and finds the claims of
// their run among those that are known. Shards that this program did not measure are refused.
func Join(words []string, known []props.Claim) (Joined, error) {
	var paths []string
	for _, word := range words {
		if info, err := os.Stat(word); err == nil && info.IsDir() {
			word = filepath.Join(word, JournalName)
		}
		paths = append(paths, word)
	}
	journal, id, notes, err := props.MergeJournals(paths)
	if err != nil {
		return Joined{}, err
	}
	j := Joined{Notes: notes, Options: props.Options{Effort: id.Effort, Seed: id.Seed, Budget: id.Budget,
		Patterns: id.Patterns, Journal: journal}}
	const judge = "judge with the program that measured"
	if here := toolLine(); id.Tool != here {
		err = fmt.Errorf("the shards were measured by %q and this is %q: %s", id.Tool, here, judge)
	} else if here := source.Now().Name(); id.Source != here {
		err = fmt.Errorf("the shards were measured on the source %s and this is %s: %s", id.Source, here, judge)
	} else {
		j.Claims, err = named(known, id.Claims)
	}
	if err != nil {
		return Joined{}, errors.Join(err, journal.Close())
	}
	Afford(&j.Options, known)
	return j, j.account(id.Shard)
}

// account adds up what each shard spent, and says which have to run again and how a job array is told so.
func (j *Joined) account(shard string) error {
	s, err := ParseShard(shard)
	if err != nil {
		return err
	}
	for i, part := range props.Shards(props.Plan(j.Claims, j.Options, Costs()), s.n) {
		missing, total := 0, 0.0
		for _, u := range part {
			seconds, made := j.Options.Journal.Spent(u.Key)
			if total += seconds; !made {
				missing++
			}
		}
		j.Parts = append(j.Parts, total)
		if missing > 0 {
			j.Notes = append(j.Notes, fmt.Sprintf("shard %v: %d of %d units missing; resubmit --array=%d", Shard{i + 1, s.n},
				missing, len(part), i+1))
		}
	}
	return nil
}

// named finds claims by their slugs.
func named(claims []props.Claim, wanted []string) ([]props.Claim, error) {
	var out []props.Claim
	for _, slug := range wanted {
		at := slices.Index(Slugs(claims), slug)
		if at < 0 {
			return nil, fmt.Errorf("it measures %q, which this program does not know", slug)
		}
		out = append(out, claims[at])
	}
	return out, nil
}
