package props

import (
	"math/rand/v2"
	"strconv"

	"github.com/thm-suite/thm/internal/streams"
)

// Trial is one execution of a check on one cell.
type Trial struct {
	Effort Effort
	Index  int        // position of the cell in the plan
	Rand   *rand.Rand // the stream of this claim, check, cell and replicate

	seed uint64
	key  []string
}

// Stream returns an independent stream of the same cell, for a second source of randomness whose draws must not
// shift the first.
func (t *Trial) Stream(label string) *rand.Rand {
	return streams.New(t.seed, append(append([]string{}, t.key...), label)...)
}

// sibling is the trial of another cell of the same check and replicate.
func (t *Trial) sibling(label string, index int) *Trial {
	key := append([]string{}, t.key...)
	key[len(key)-2] = label
	return &Trial{Effort: t.Effort, Index: index, Rand: streams.New(t.seed, key...), seed: t.seed, key: key}
}

// entryStream picks the entries of matrices that a judge of all cells perturbs.
func entryStream(seed uint64, slug, check string, replicate int) func(string) *rand.Rand {
	return func(label string) *rand.Rand {
		return streams.New(seed, slug, check, label, strconv.Itoa(replicate), "perturbed entry")
	}
}
