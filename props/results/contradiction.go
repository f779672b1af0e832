package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Contradiction compares what results say with what follows from them, and returns an error with the path to the first
// place where the two differ. It does not say what follows: that would be what to write there.
func (r *Results) Contradiction() error {
	again := r.copyOfConclusions()
	again.Conclude()
	again.Manifest.Digest = r.Digest()
	found, err := tree(r.copyOfConclusions())
	if err != nil {
		return err
	}
	want, err := tree(again)
	if err != nil {
		return err
	}
	return differ("", found, want)
}

// copyOfConclusions copies what [Results.Conclude] writes to. The figures stay behind: nothing follows from them.
func (r *Results) copyOfConclusions() *Results {
	c := r.Tidy()
	for i := range c.Claims {
		c.Claims[i].Figures = nil
	}
	return c
}

// tree is a value as JSON has it.
func tree(value any) (out any, err error) {
	b, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err = d.Decode(&out)
	return out, err
}

// differ finds the first place, in the order of a results file, where two trees differ. Rows come before what is summed
// over them, and the digest last, since everything changes it.
func differ(path string, found, want any) error {
	switch f := found.(type) {
	case map[string]any:
		w, ok := want.(map[string]any)
		if !ok {
			break
		}
		for _, key := range keysOf(f, w) {
			if err := differ(strings.TrimPrefix(path+"."+key, "."), f[key], w[key]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		w, ok := want.([]any)
		if !ok {
			break
		}
		for i := range min(len(f), len(w)) {
			if err := differ(fmt.Sprintf("%s[%d]", path, i), f[i], w[i]); err != nil {
				return err
			}
		}
		if len(f) != len(w) {
			return disagrees(path)
		}
		return nil
	}
	if found == want {
		return nil
	}
	return disagrees(path)
}

func disagrees(path string) error {
	return fmt.Errorf("%s: disagrees with the rest of the file; run thm check again", path)
}

// keysOf lists the fields of two objects, lists before what is said about them.
func keysOf(f, w map[string]any) []string {
	all := map[string]bool{}
	for _, m := range []map[string]any{f, w} {
		for key := range m {
			all[key] = true
		}
	}
	rank := func(key string) int { return slices.Index([]string{"manifest", "digest"}, key) }
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}
