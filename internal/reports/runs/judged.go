package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// The judging of a run divides into parts, as its measuring does: each has some of the claims, and leaves their rows in
// a results file that says so.

// deal shares the claims of a run among the parts of its merge, each with about as many units of work.
func (j *Joined) deal(n int) [][]props.WorkUnit {
	units := j.work.Units()
	return props.Shards(list.Map(j.run, func(c props.Claim) props.WorkUnit {
		return props.WorkUnit{Claim: c.Statement.Slug, Cost: float64(units[c.Statement.Slug])}
	}), n)
}

// only keeps the claims that a part of the merge judges.
func (j *Joined) only(part Shard) error {
	own := j.deal(part.n)[part.i-1]
	if len(own) == 0 {
		return fmt.Errorf("part %v of the merge has nothing to do: %s to share", part,
			terminal.Plural(len(j.run), "claim"))
	}
	j.Claims = slices.DeleteFunc(j.Claims, func(c props.Claim) bool {
		return !slices.ContainsFunc(own, func(u props.WorkUnit) bool { return u.Claim == c.Statement.Slug })
	})
	return nil
}

// WritePart writes the judged claims of a part of a merge.
func WritePart(dir string, r *results.Results) error {
	encoded, err := reports.Encode(r)
	if err == nil {
		err = reports.Place(dir, []reports.File{{Name: resultsName, Content: encoded}})
	}
	if err == nil {
		err = saveCounterexamples(dir, r)
	}
	return err
}

const resultsName = "results.json"

// isPart reports whether a directory is no shard and holds results.
func isPart(dir string) bool {
	_, shard := os.Stat(filepath.Join(dir, JournalName))
	_, judged := os.Stat(filepath.Join(dir, resultsName))
	return errors.Is(shard, fs.ErrNotExist) && judged == nil
}

// take adds the rows of a part of a merge, whose run must be that of the parts before.
func (j *Joined) take(dir string, before props.RunID, known []props.Claim) (id props.RunID, err error) {
	var r results.Results // the joined results are checked against the schema, and concluded anew
	b, err := os.ReadFile(filepath.Join(dir, resultsName))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		return id, fmt.Errorf("%s: %w", filepath.Join(dir, resultsName), err)
	}
	if r.Run.Shard == Undivided.String() {
		return id, fmt.Errorf("%s holds a whole run, not a shard or a part of a merge", dir)
	}
	m := r.Manifest
	id = props.RunID{Tool: toolLine(r.Tool), Source: m.Source().Name(), Effort: r.Run.Effort, Seed: r.Run.Seed,
		Budget: r.Run.Budget, Patterns: m.Patterns, Shard: r.Run.Shard}
	if err := here(id); err != nil {
		return id, err
	}
	run, err := Select(known, m.Patterns...)
	if err != nil {
		return id, fmt.Errorf("%s: %w", dir, err)
	}
	id.Claims = Slugs(run)
	if what := before.Differs(id); len(j.dirs) > 0 && what != "" {
		return id, fmt.Errorf("these are parts of different runs: %s and %s differ in %s", j.dirs[0], dir, what)
	}
	for _, row := range r.Claims {
		if row.Verdict != results.Incomplete && !j.has(row.ID) {
			j.Judged = append(j.Judged, row)
		}
	}
	j.dirs, j.Parts = append(j.dirs, dir), r.Run.Parts
	if len(r.Calibration) > 0 {
		j.calibration = r.Calibration
	}
	return id, nil
}

// has reports whether a part of the merge has judged a claim.
func (j *Joined) has(slug string) bool {
	return slices.ContainsFunc(j.Judged, func(row results.Claim) bool { return row.ID == slug })
}

// accountParts lists the parts of a merge that have to run again, if the shards are not available.
func (j *Joined) accountParts(part string) error {
	s, err := ParseShard(part)
	if err != nil {
		return err
	}
	for i, claims := range j.deal(s.n) {
		missing := len(list.Where(claims, func(u props.WorkUnit) bool { return !j.has(u.Claim) }))
		if missing > 0 {
			j.Notes = append(j.Notes, fmt.Sprintf("part %v of the merge: %d of %d claims missing; run merge --shard %v again",
				Shard{i + 1, s.n}, missing, len(claims), Shard{i + 1, s.n}))
		}
	}
	return nil
}

// AddJudged adds the rows that parts of the merge have made to the results of the rest, and their calibration.
func (j Joined) AddJudged(r *results.Results) {
	r.Claims = append(r.Claims, j.Judged...)
	if len(j.calibration) > 0 {
		r.Calibration = j.calibration
	}
	r.Manifest.Planned = Slugs(j.run)
	InOrder(r, j.run)
}

// SaveCounterexamples copies the counterexamples that parts of the merge have found into the directory of the report.
func (j Joined) SaveCounterexamples(dir string) error {
	to := filepath.Join(dir, counterexamples)
	for _, part := range j.dirs {
		from := filepath.Join(part, counterexamples)
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			return fmt.Errorf("copying a counterexample: %w", err)
		}
	}
	return nil
}
