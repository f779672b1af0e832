package measure

import (
	"strconv"

	"github.com/thm-suite/thm/internal/streams"
)

// Slot is one sample to take.
type Slot struct {
	Benchmark
	Arm   string
	Round int
}

// Schedule lists the slots of one round: the benchmarks in random order, and for each its arms in random order, one
// directly after the other. The order depends on the seed, the round and the arguments only.
//
// Because the arms of a benchmark are exchangeable within a round by this randomisation, and by nothing else that one
// would have to believe, tests that permute them are exact.
func Schedule(seed uint64, round int, benchmarks []Benchmark, arms []string) []Slot {
	rng := streams.New(seed, "bench", "order", strconv.Itoa(round))
	var slots []Slot
	for _, i := range rng.Perm(len(benchmarks)) {
		for _, k := range rng.Perm(len(arms)) {
			slots = append(slots, Slot{benchmarks[i], arms[k], round})
		}
	}
	return slots
}
