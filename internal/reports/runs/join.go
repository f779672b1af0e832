package runs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Joined is a run that was measured in shards.
type Joined struct {
	Claims  []props.Claim   // that are to be judged
	Judged  []results.Claim // rows of the others, which parts of the merge have made
	Options props.Options   // with the journal of all shards, which the caller closes
	Parts   []float64       // seconds of processor time of each shard
	Notes   []string        // about missing shards

	Sliders map[string]*reports.Slider // of the claims that are judged

	Lacking int // claims of a part of the merge that are not judged, since a measurement is missing

	run  []props.Claim // all claims of the run
	work props.Work    // on them
	dirs []string      // of parts of the merge

	calibration []results.Calibration // of the statistics, if a part of the merge has made it
}

// Join reads the journals of shards, each given by its file or the directory of its report, and finds the claims of
// their run among those that are known. Shards that this program did not measure are refused.
//
// The directory of a part of the merge may be given in addition to those of shards, or instead of them. Claims that are
// judged there are not judged again, and no journal is read if no claims are left. A part of the merge reads only the
// measurements of its own claims.
func Join(words []string, known []props.Claim, part Shard) (Joined, error) {
	var paths []string
	var j Joined
	var id props.RunID // of the parts of the merge
	for _, word := range words {
		switch info, err := os.Stat(word); {
		case err != nil || !info.IsDir():
			paths = append(paths, word)
		case !isPart(word):
			paths = append(paths, filepath.Join(word, JournalName))
		default:
			if id, err = j.take(word, id, known); err != nil {
				return Joined{}, err
			}
		}
	}
	if len(j.dirs) > 0 {
		for _, path := range paths {
			if shard, err := props.JournalOf(path); err == nil && id.Differs(shard) != "" {
				return Joined{}, fmt.Errorf("%s and %s belong to different runs: they differ in %s", j.dirs[0], path,
					id.Differs(shard))
			}
		}
		if err := j.find(id, known); err != nil || len(j.Claims) == 0 {
			return j, err
		}
	}
	journal, shards, notes, err := props.MergeJournals(paths, func(id props.RunID) (slugs []string, err error) {
		if err = here(id); err == nil {
			err = j.find(id, known)
		}
		if err == nil && part.Partial() {
			err = j.only(part)
		}
		return Slugs(j.Claims), err
	})
	if err != nil {
		return Joined{}, err
	}
	j.Notes, j.Options.Journal = notes, journal
	switch none := shards.Schema == ""; {
	case none && len(j.dirs) > 0:
		err = j.accountParts(id.Shard)
	case none:
		err = fmt.Errorf("no shard is there: %s", strings.Join(notes, "; "))
	default:
		err = j.account(shards.Shard, part)
	}
	if err != nil {
		return Joined{}, errors.Join(err, journal.Close())
	}
	return j, nil
}

// here refuses a run that this program did not measure.
func here(id props.RunID) error {
	const judge = "judge with the program that measured"
	if tool := toolLine(props.ThisTool()); id.Tool != tool {
		return fmt.Errorf("the shards were measured by %q and this is %q: %s", id.Tool, tool, judge)
	}
	if now := source.Now().Name(); id.Source != now {
		return fmt.Errorf("the shards were measured on the source %s and this is %s: %s", id.Source, now, judge)
	}
	return nil
}

// find looks up the claims of a run that are to be judged.
func (j *Joined) find(id props.RunID, known []props.Claim) (err error) {
	if j.run, err = named(known, id.Claims); err != nil {
		return err
	}
	j.Claims = slices.DeleteFunc(slices.Clone(j.run), func(c props.Claim) bool {
		return j.has(c.Statement.Slug)
	})
	o := props.Options{Effort: id.Effort, Seed: id.Seed, Budget: id.Budget, Patterns: id.Patterns,
		Uncalibrated: len(j.calibration) > 0}
	if len(j.Claims) > 0 {
		Afford(&o, known)
		j.work = props.Planned(j.run, o, Costs())
	}
	j.Options = o
	return nil
}

// account adds up the time of each shard, and lists the shards that have to run again, with the option of a job array
// that selects them.
func (j *Joined) account(shard string, part Shard) error {
	s, err := ParseShard(shard)
	if err != nil {
		return err
	}
	j.Parts = nil
	for i := range s.n {
		j.Parts = append(j.Parts, j.Options.Journal.Spent(Shard{i + 1, s.n}.String()))
	}
	lacking, planned, made := map[string]bool{}, j.work.Units(), j.Options.Journal.Made()
	for _, slug := range Slugs(j.Claims) {
		if made(slug) < planned[slug] {
			lacking[slug] = true
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	missing := func(u props.WorkUnit) bool { return lacking[u.Claim] && !j.Options.Journal.Has(u) }
	for i, units := range props.Shards(props.Plan(j.run, j.Options, Costs()), s.n) {
		if n := len(list.Where(units, missing)); n > 0 {
			j.Notes = append(j.Notes, fmt.Sprintf("shard %v: %d of %d units missing; resubmit --array=%d", Shard{i + 1, s.n},
				n, len(units), i+1))
		}
	}
	if part.Partial() {
		j.Lacking = len(lacking)
		j.Claims = slices.DeleteFunc(j.Claims, func(c props.Claim) bool { return lacking[c.Statement.Slug] })
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
