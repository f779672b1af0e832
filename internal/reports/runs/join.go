package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
)

// Join reads the journals of shards, each given by its file or the directory of its report, and finds the claims of
// their run among those that are known. Shards that this program did not measure are refused.
func Join(words []string, known []props.Claim) (*props.Journal, props.RunID, []props.Claim, error) {
	var paths []string
	for _, word := range words {
		if info, err := os.Stat(word); err == nil && info.IsDir() {
			word = filepath.Join(word, JournalName)
		}
		paths = append(paths, word)
	}
	journal, id, err := props.MergeJournals(paths)
	if err != nil {
		return nil, id, nil, err
	}
	if here := toolLine(); id.Tool != here {
		return nil, id, nil, fmt.Errorf("%s was measured by %q and this is %q: judge with the program that measured",
			paths[0], id.Tool, here)
	}
	if here := source.Now().Name(); id.Source != here {
		return nil, id, nil, fmt.Errorf("%s was measured on the source %s and this is %s: judge with the program "+
			"that measured",
			paths[0], id.Source, here)
	}
	claims, err := named(known, id.Claims)
	if err != nil {
		return nil, id, nil, fmt.Errorf("%s: %w", paths[0], err)
	}
	return journal, id, claims, nil
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
