package runs

import (
	"cmp"
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

// judging holds the seconds of processor time that judging a claim took in a run at deep effort, of those that took
// more than a tenth of a second: they evaluate much, or their measurements are large. It only balances the
// parts, and a claim that is not here costs unitJudged for each of its units.
var judging = map[string]float64{
	"emergence/firststep": 0.50, "emergence/orders": 0.12, "emergence/sampling": 0.18, "latent/concentration": 0.16,
	"latent/jump": 0.42, "linear/diagonal": 0.32, "linear/edge": 0.24, "linear/endtoend": 1.02,
	"linear/matrixfactor": 0.16, "linear/modes": 0.49, "onestep/expansion": 0.67, "onestep/outliers": 0.57,
	"onestep/risk": 0.30, "onestep/spike": 0.30, "onestep/trained": 0.12, "onestep/twosteps": 0.11,
	"spectra/doubledescent": 0.16, "spectra/gaussianequivalence": 0.14, "spectra/hardedge": 0.39,
	"spectra/softedge": 1.08, "tangent/kernel": 0.80, "tangent/ladder": 0.26, "tangent/lazy": 0.45,
	"tangent/lowrank": 0.79, "vcl/algorithm1": 0.14, "vcl/firstorder": 0.38, "vcl/lipschitz": 0.38,
	"vcl/logistic": 0.11, "vcl/procrustes": 0.16, "vcl/residual": 0.20, "vcl/softmax": 0.10, "vcl/solvers": 0.93,
	"vcl/whitening": 0.22, "width/arccosine": 0.65, "width/edgeofchaos": 0.36, "width/featurekernel": 0.35,
	"width/lazy": 0.39, "width/meanfield": 0.24, "width/mup": 0.40, "width/nngp": 1.03, "width/ntk": 0.36,
}

const unitJudged, calibrating = 8e-6, 0.4 // seconds; the last part calibrates for all

// deal shares the claims of a run among the parts of its merge, which take about as long.
func (j *Joined) deal(n int) [][]props.WorkUnit {
	units := j.work.Units()
	claims := list.Map(j.run, func(c props.Claim) props.WorkUnit {
		slug := c.Statement.Slug
		return props.WorkUnit{Claim: slug, Cost: cmp.Or(judging[slug], unitJudged*float64(units[slug]))}
	})
	parts := props.Shards(append(claims, props.WorkUnit{Cost: calibrating}), n)
	for i, part := range parts {
		last := len(part) - 1
		switch {
		case last < 0 || part[last].Claim != "":
		case last == 0: // a part without a claim is an error
			return props.Shards(claims, n)
		default:
			parts[i], parts[n-1] = parts[n-1], part[:last]
		}
	}
	return parts
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

// WritePart writes the judged claims of a part of a merge, and what their pages show besides: the last merge would
// otherwise compute the sliders of all.
func WritePart(dir string, r *results.Results, claims []props.Claim) error {
	sliders, err := json.Marshal(reports.Sliders(Statements(claims)))
	if err != nil {
		return fmt.Errorf("encoding sliders: %w", err)
	}
	encoded, err := reports.Encode(r)
	if err == nil {
		err = reports.Place(dir, []reports.File{{Name: resultsName, Content: encoded}, {Name: slidersName, Content: sliders}})
	}
	if err == nil {
		err = saveCounterexamples(dir, r)
	}
	return err
}

const resultsName, slidersName = "results.json", "sliders.json"

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
	if b, err := os.ReadFile(filepath.Join(dir, slidersName)); err == nil {
		_ = json.Unmarshal(b, &j.Sliders) // what cannot be read is computed again
	}
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
