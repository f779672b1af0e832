package runs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
)

// Select returns the claims that any of the patterns names, as [Choose] reads them.
func Select(claims []props.Claim, patterns ...string) ([]props.Claim, error) {
	return Choose("claim", claims, func(c props.Claim) (slug, title string) {
		return c.Statement.Slug, c.Statement.Title
	}, patterns...)
}

// Choose returns the things that any of the patterns names, in their order and each once. Without a pattern that is
// all of them.
//
// Case does not matter. A pattern with one of *?[ is a glob (path.Match): with a slash it is compared with the whole
// slug, as in vcl/*; without one against the part behind the slash, as in *spike*. Any other is the first of these
// that names something: a slug, the part of one behind the slash, a source, a part of slugs or titles. A pattern that
// matches nothing is an error that names the nearest slugs.
func Choose[T any](noun string, all []T, words func(T) (slug, title string), patterns ...string) ([]T, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	slugs, titles := make([]string, len(all)), make([]string, len(all))
	for i, x := range all {
		slugs[i], titles[i] = words(x)
	}
	chosen := make([]bool, len(all))
	for _, pattern := range patterns {
		named, err := match(slugs, titles, strings.ToLower(pattern))
		if err != nil {
			return nil, fmt.Errorf("pattern %q is malformed: a bracket is not closed or an escape is not finished", pattern)
		}
		if !slices.Contains(named, true) {
			return nil, fmt.Errorf("no %s matches %q; nearest: %s", noun, pattern, strings.Join(nearest(slugs, pattern), ", "))
		}
		for i := range chosen {
			chosen[i] = chosen[i] || named[i]
		}
	}
	var out []T
	for i, x := range all {
		if chosen[i] {
			out = append(out, x)
		}
	}
	return out, nil
}

// match reports for each claim whether a pattern in lower case selects its slug or title.
func match(slugs, titles []string, pattern string) ([]bool, error) {
	where := func(is func(slug, title string) bool) []bool {
		return list.Fill(len(slugs), func(i int) bool { return is(strings.ToLower(slugs[i]), strings.ToLower(titles[i])) })
	}
	if strings.ContainsAny(pattern, `*?[\`) {
		var failed error
		return where(func(slug, _ string) bool {
			ok, err := path.Match(pattern, subject(slug, pattern))
			failed = errors.Join(failed, err)
			return ok
		}), failed
	}
	var named []bool
	for _, means := range []func(slug, title string) bool{
		func(slug, _ string) bool { return slug == pattern },
		func(slug, _ string) bool { return path.Base(slug) == pattern },
		func(slug, _ string) bool { return path.Dir(slug) == strings.TrimSuffix(pattern, "/") },
		func(slug, title string) bool {
			return pattern != "" && (strings.Contains(slug, pattern) || strings.Contains(title, pattern))
		},
	} {
		if named = where(means); slices.Contains(named, true) {
			break
		}
	}
	return named, nil
}

// One returns the single claim that a word names, as [Select] reads it.
func One(claims []props.Claim, name string) (props.Claim, error) {
	found, err := Select(claims, name)
	if err != nil {
		return props.Claim{}, err
	}
	if len(found) > 1 {
		return props.Claim{}, fmt.Errorf("%q names %d claims, not one: %s", name, len(found),
			strings.Join(Slugs(found), ", "))
	}
	return found[0], nil
}

// subject returns the part of a slug that a pattern is matched against.
func subject(slug, pattern string) string {
	if strings.Contains(pattern, "/") {
		return slug
	}
	return path.Base(slug)
}

// nearest lists up to three patterns that match something and resemble the one that does not: slugs, and all
// claims of a source.
func nearest(slugs []string, pattern string) []string {
	distance := map[string]int{}
	for _, slug := range slugs {
		distance[slug] = edits(pattern, subject(slug, pattern))
		source := path.Dir(slug)
		distance[source+"/*"] = min(edits(pattern, source), edits(pattern, source+"/*"))
	}
	candidates := slices.SortedFunc(maps.Keys(distance),
		func(a, b string) int { return cmp.Or(distance[a]-distance[b], strings.Compare(a, b)) })
	return candidates[:min(3, len(candidates))]
}

// edits returns the Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions,
// substitutions, and swaps of neighbours.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			differ := 1
			if s[i-1] == t[j-1] {
				differ = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+differ)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}
