package runs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/list"
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

// Units returns the units of work of the shard, and the claims that it has to run: those of its units, and those that
// have no unit at all, which are broken, as their rows say.
func (s Shard) Units(claims []props.Claim, o props.Options) (own []props.WorkUnit, run []props.Claim, err error) {
	work := props.Planned(claims, o, Costs())
	own = work.Shard(s.i-1, s.n)
	units := work.Units()
	if len(own) == 0 && s.Partial() {
		all := 0
		for _, n := range units {
			all += n
		}
		return nil, nil, fmt.Errorf("shard %v has nothing to do: %s to share", s, terminal.Plural(all, "unit of work"))
	}
	for _, u := range own {
		units[u.Claim] = 0
	}
	return own, list.Where(claims, func(c props.Claim) bool { return units[c.Statement.Slug] == 0 }), nil
}

// Of deals a list out: the shard has every n-th entry.
func (s Shard) Of(seeds []uint64) []uint64 {
	var out []uint64
	for k := s.i - 1; k < len(seeds); k += s.n {
		out = append(out, seeds[k])
	}
	return out
}
