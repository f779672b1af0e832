package soak

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mostSeeds bounds a list of seeds: more are a slip.
const mostSeeds = 1_000_000

// ParseSeeds reads a list of seeds and ranges, such as 2..101 or 1,5,7..9.
func ParseSeeds(text string) ([]uint64, error) {
	var out []uint64
	seen := map[uint64]bool{}
	for _, part := range strings.Split(text, ",") {
		left, right, isRange := strings.Cut(part, "..")
		if !isRange {
			right = left
		}
		from, errFrom := strconv.ParseUint(left, 10, 64)
		to, errTo := strconv.ParseUint(right, 10, 64)
		if errFrom != nil || errTo != nil || from > to {
			return nil, errors.New("seeds are a list such as 2..101 or 1,5,7..9")
		}
		if to-from >= mostSeeds || len(out)+int(to-from) >= mostSeeds {
			return nil, fmt.Errorf("more than %d seeds", mostSeeds)
		}
		for seed := from; ; seed++ {
			if !seen[seed] {
				seen[seed] = true
				out = append(out, seed)
			}
			if seed == to {
				break
			}
		}
	}
	return out, nil
}
