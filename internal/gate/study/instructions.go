package study

import (
	"fmt"
	"slices"
	"time"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
)

// planted are the benchmarks of the study of instructions, which could be slowed down. The last two worked with modules
// that others wrote.
var planted = []string{"Plant/sort", "Plant/sha256", "Plant/format", "Plant/x-text", "Plant/klauspost"}

// Slowdowns are those of the places in a round: the unchanged code twice, as a comparison has it, and slowed down.
var Slowdowns = []float64{0, 0, 0.01, 0.02, 0.05}

// firstLook is the number of rounds after which a count is first looked at, as in benchgate diff.
const firstLook = 3

// lookRounds is the number of rounds of the second look: two more than the fewest that the level needs, as in benchgate
// diff.
func lookRounds() int {
	return blocks.Minimum(blocks.Share(compare.DefaultPolicy().Alpha, len(planted), 2)) + 2
}

// countSlot is a sample: of the unchanged and slowed code, or of a twin.
type countSlot struct {
	Name  string `json:"name"`
	Round int    `json:"round"`
	Place int    `json:"place"`          // among the slowdowns
	Twin  int    `json:"twin,omitempty"` // its number; 0 for no twin
}

// Counting is one sample of the study of instructions.
type Counting struct {
	countSlot
	Instructions float64 `json:"instructions"`
	Nanoseconds  float64 `json:"ns"`
	Load         float64 `json:"load"`
}

// CountPlan is how a study was made that reads and writes lines. It stands in the first line of its data.
type CountPlan struct {
	Format    string    `json:"format"`
	Seed      uint64    `json:"seed"`
	Benchtime string    `json:"benchtime"`      // of the samples of time
	Jobs      int       `json:"jobs,omitempty"` // samples that were taken at the same time, at most
	Counter   string    `json:"counter,omitempty"`
	Machine   string    `json:"machine"`
	Commit    string    `json:"commit"`
	Started   time.Time `json:"started"`
}

const countFormat = "thm.study.instructions/v1"

// furtherRound is the first of the rounds that only undecided comparisons of twins have.
const furtherRound = 1000

// readCounts reads the data of a study of a format that has such a plan.
func readCounts[T any](text []byte, format string, valid func(T) error) (CountPlan, []T, error) {
	return readLines(text, func(p CountPlan) error {
		if p.Format != format {
			return fmt.Errorf("the format is %q and not %s", p.Format, format)
		}
		return nil
	}, func(_ CountPlan, _ int, one T) error { return valid(one) })
}

// ReadCounts reads the data of a study of instructions.
func ReadCounts(text []byte) (CountPlan, []Counting, error) {
	return readCounts(text, countFormat, Counting.valid)
}

func (c Counting) valid() error {
	known := slices.Contains(planted, c.Name)
	if !known || c.Place < 0 || c.Place >= len(Slowdowns) || c.Round < 0 || c.Twin < 0 || c.Twin > twins ||
		!(c.Instructions > 0) || !(c.Nanoseconds > 0) {
		return fmt.Errorf("%+v is no sample", c)
	}
	return nil
}
