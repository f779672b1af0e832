package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/props"
)

// named is the content of a results file.
type named struct {
	file string
	*props.Results
}

// join puts the rows of shards into one results value. It is commutative, and joining a file twice or joining what
// is already joined changes nothing. Claims of a shard that is missing get rows of their own, incomplete.
func join(files []named, claims []props.Claim) (*props.Results, error) {
	for _, f := range files[1:] {
		if err := sameRun(files[0], f); err != nil {
			return nil, err
		}
	}
	order, err := wholeRun(files, claims)
	if err != nil {
		return nil, err
	}
	joined := *files[0].Results
	joined.Run.Shard, joined.Claims = "1/1", nil
	for _, f := range files[1:] {
		blend(&joined, f.Results)
	}
	var missing []props.Claim
	for _, slug := range order {
		row, err := pick(slug, files)
		if err != nil {
			return nil, err
		}
		if row == nil {
			row = &props.ClaimResult{ID: slug}
			missing = append(missing, claims[slices.Index(slugs(claims), slug)])
		}
		joined.Claims = append(joined.Claims, *row)
	}
	fill(&joined, missing)
	joined.Summarise()
	return &joined, nil
}

// sameRun refuses files whose rows do not belong into one table.
func sameRun(a, b named) error {
	for _, property := range []struct {
		name string
		of   func(named) string
	}{
		{"effort", func(f named) string { return string(f.Run.Effort) }},
		{"seed", func(f named) string { return fmt.Sprint(f.Run.Seed) }},
		{"version", func(f named) string { return f.Tool.Version }},
		{"architecture", func(f named) string { return f.Tool.GOARCH }},
	} {
		if x, y := property.of(a), property.of(b); x != y {
			return fmt.Errorf("these are not shards of one run: the %s of %s is %s, that of %s is %s", property.name, a.file, x, b.file, y)
		}
	}
	return nil
}

// wholeRun finds the claims of the run that the files are parts of, in its order. A whole run says so itself, all n
// shards together do as well, and where shards are missing the run must have been one of the whole catalogue.
func wholeRun(files []named, claims []props.Claim) ([]string, error) {
	parts := map[shard]named{}
	for _, f := range files {
		s, err := parseShard(f.Run.Shard)
		if err != nil {
			return nil, fmt.Errorf("%s: run.shard: %w", f.file, err)
		}
		if twin, twice := parts[s]; twice && !slices.Equal(ids(f.Results), ids(twin.Results)) {
			return nil, fmt.Errorf("these are not shards of one run: %s and %s are both shard %v, of different claims", twin.file, f.file, s)
		}
		parts[s] = f
	}
	n := 1
	for s := range parts {
		n = max(n, s.n)
	}
	order := slugs(claims)
	if whole, ok := parts[shard{1, 1}]; ok {
		order = ids(whole.Results)
	} else if complete := interleave(parts, n); complete != nil {
		order = complete
	}
	for _, f := range files {
		s, _ := parseShard(f.Run.Shard)
		var want []string
		for k := s.i - 1; k < len(order); k += s.n {
			want = append(want, order[k])
		}
		if !slices.Equal(ids(f.Results), want) {
			return nil, fmt.Errorf("these are not shards of one run, or one of them is missing: %s is not shard %v of the claims %s",
				f.file, s, strings.Join(order, ", "))
		}
	}
	return order, ascending(order, claims)
}

// ascending refuses a list that is not in the order of the catalogue: parts of different runs were dealt together.
func ascending(order []string, claims []props.Claim) error {
	last := -1
	for _, slug := range order {
		at := slices.Index(slugs(claims), slug)
		if at >= 0 && at <= last {
			return fmt.Errorf("these are not shards of one run: %s comes after claims that it stands before in the catalogue", slug)
		}
		last = max(last, at)
	}
	return nil
}

// interleave deals the rows of all n shards back into one list; it is nil when one of them is missing.
func interleave(parts map[shard]named, n int) []string {
	var order []string
	for k := 0; ; k++ {
		part, ok := parts[shard{k%n + 1, n}]
		switch {
		case !ok:
			return nil
		case k/n >= len(part.Claims):
			return order
		}
		order = append(order, part.Claims[k/n].ID)
	}
}

// blend joins what is known of two runs: shards run at the same time on different machines.
func blend(into *props.Results, r *props.Results) {
	a, b := &into.Run, r.Run
	a.Jobs = max(a.Jobs, b.Jobs)
	a.WallSeconds = max(a.WallSeconds, b.WallSeconds)
	a.Interrupted = a.Interrupted || b.Interrupted
	if b.Started.Before(a.Started) {
		a.Started = b.Started
	}
	t, u := &into.Tool, r.Tool
	for _, pair := range []struct {
		into *string
		from string
	}{{&t.Go, u.Go}, {&t.GOOS, u.GOOS}, {&t.GOAMD64, u.GOAMD64}, {&t.Kernel, u.Kernel}, {&t.CPU, u.CPU}} {
		*pair.into = union(*pair.into, pair.from)
	}
	if len(into.Calibration) == 0 { // it depends on the seed only; an interrupted run leaves it out
		into.Calibration = r.Calibration
	}
}

// union joins two lists whose entries are separated by semicolons.
func union(a, b string) string {
	all := append(strings.Split(a, "; "), strings.Split(b, "; ")...)
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == "" })
	return strings.Join(all, "; ")
}

// pick finds the row of a claim, or nil. Rows of several files must agree, apart from their times; a row of which
// nothing ran gives way to one of which something did.
func pick(slug string, files []named) (*props.ClaimResult, error) {
	var best *props.ClaimResult
	from := ""
	for _, f := range files {
		row := rowOf(f.Results, slug)
		if row == nil {
			continue
		}
		better, err := prefer(row, best)
		if err != nil {
			return nil, fmt.Errorf("%s is in %s and in %s with %w", slug, from, f.file, err)
		}
		if better {
			best, from = row, f.file
		}
	}
	return best, nil
}

// prefer reports whether a row replaces the best one so far. The order of the files must not matter.
func prefer(row, best *props.ClaimResult) (bool, error) {
	if best == nil || idle(row) != idle(best) {
		return best == nil || idle(best), nil
	}
	switch c := bytes.Compare(content(row), content(best)); {
	case c == 0:
		return row.Seconds > best.Seconds, nil
	case idle(row):
		return c < 0, nil
	}
	return false, errors.New("different results")
}

// idle reports whether nothing of a row ran.
func idle(row *props.ClaimResult) bool { return row.Verdict == props.Incomplete && row.Cases.Run == 0 }

// content is a row without its times.
func content(row *props.ClaimResult) []byte {
	timeless := *row
	timeless.Seconds = 0
	encoded, err := json.Marshal(timeless)
	if err != nil {
		panic("thm: a row does not encode")
	}
	return encoded
}

// fill makes the rows of claims whose shards are missing: those of a run that was stopped before it began.
func fill(joined *props.Results, missing []props.Claim) {
	if len(missing) == 0 {
		return
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	blank := props.Run(stopped, missing, props.Options{Effort: joined.Run.Effort, Seed: joined.Run.Seed})
	for i, row := range joined.Claims {
		if b := rowOf(blank, row.ID); b != nil {
			b.Verdict, b.Message, b.Seconds = props.Incomplete, "the results file of its shard is missing", 0
			joined.Claims[i] = *b
		}
	}
}
