package runs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// Shard is part i of n, counted from 1.
type Shard struct{ i, n int }

// Undivided is the shard that has everything.
var Undivided = Shard{1, 1}

// Partial reports whether there are other shards.
func (s Shard) Partial() bool { return s.n > 1 }

// Last reports whether no shard comes after this one.
func (s Shard) Last() bool { return s.i == s.n }

// Parts returns the number of shards.
func (s Shard) Parts() int { return s.n }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.i, s.n) }

// ParseShard reads I/N, where 0 means N, because some schedulers count from 0.
func ParseShard(text string) (Shard, error) {
	left, right, _ := strings.Cut(text, "/")
	i, errI := strconv.ParseUint(left, 10, 16)
	n, errN := strconv.ParseUint(right, 10, 16)
	if errI != nil || errN != nil || n < 1 || i > n {
		return Shard{}, errors.New("a shard is I/N with 1 ≤ I ≤ N, as in 2/3")
	}
	if i == 0 {
		i = n
	}
	return Shard{int(i), int(n)}, nil
}

// Units returns the units of work of the shard.
func (s Shard) Units(claims []props.Claim, o props.Options) ([]props.WorkUnit, error) {
	units := props.Plan(claims, o, Costs())
	if !s.Partial() {
		return units, nil
	}
	part := props.Shards(units, s.n)[s.i-1]
	if len(part) == 0 { // a claim without a case is broken, and its row says so
		return nil, fmt.Errorf("shard %v has nothing to do: %s to share", s,
			terminal.Plural(len(units), "unit of work"))
	}
	return part, nil
}

// Of deals a list out: the shard has every n-th entry.
func (s Shard) Of(seeds []uint64) []uint64 {
	var out []uint64
	for k := s.i - 1; k < len(seeds); k += s.n {
		out = append(out, seeds[k])
	}
	return out
}
