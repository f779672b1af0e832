package study

import (
	"fmt"
	"time"
)

// CountPlan is how a study was made that reads and writes lines. It stands in the first line of its data.
type CountPlan struct {
	Format    string    `json:"format"`
	Seed      uint64    `json:"seed"`
	Benchtime string    `json:"benchtime"` // of the samples of time
	Counter   string    `json:"counter,omitempty"`
	Machine   string    `json:"machine"`
	Commit    string    `json:"commit"`
	Started   time.Time `json:"started"`
}

// readCounts reads the data of a study of a format that has such a plan.
func readCounts[T any](text []byte, format string, valid func(T) error) (CountPlan, []T, error) {
	return readLines(text, func(p CountPlan) error {
		if p.Format != format {
			return fmt.Errorf("the format is %q and not %s", p.Format, format)
		}
		return nil
	}, func(_ CountPlan, _ int, one T) error { return valid(one) })
}
