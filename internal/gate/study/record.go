package study

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/thm-suite/thm/internal/strictjson"
)

const (
	nullFormat  = "thm.study.null/v1"
	powerFormat = "thm.study.power/v1"
)

// Plan is how a study was made. It stands in the first line of its data.
type Plan struct {
	Format    string    `json:"format"` // thm.study.null/v1 or thm.study.power/v1
	Seed      uint64    `json:"seed"`
	Rounds    int       `json:"rounds"` // of a look
	Looks     int       `json:"looks"`
	Pilot     int       `json:"pilot,omitempty"` // rounds from which the power is estimated
	Benchtime string    `json:"benchtime"`
	Machine   string    `json:"machine"`
	Commit    string    `json:"commit,omitempty"`
	Started   time.Time `json:"started"`
}

// Comparison is the raw data of one comparison. Comparisons share no samples.
type Comparison struct {
	Index int             `json:"i"`
	At    time.Time       `json:"at"`
	Load  []float64       `json:"load,omitempty"` // load average before and after
	Rows  []Row           `json:"rows"`
	Pilot []Rounds        `json:"pilot,omitempty"`   // without injection, of the first row
	Power []PowerEstimate `json:"promise,omitempty"` // made from the pilot before the other rows were measured
}

// Row is one benchmark of a comparison. Times are in nanoseconds.
type Row struct {
	Name   string    `json:"name"`
	Rounds []Rounds  `json:"rounds"`        // measured in randomised blocks
	Old    []float64 `json:"old,omitempty"` // measured one after the other by go test -count
	New    []float64 `json:"new,omitempty"`
}

// Rounds is one round: old, old again, new.
type Rounds [3]float64

// Data is a study as far as it has come.
type Data struct {
	Plan        Plan
	Comparisons []Comparison
}

// Read reads the lines of a study's data.
func Read(text []byte) (*Data, error) {
	plan, comparisons, err := readLines(text, Plan.valid, func(p Plan, i int, c Comparison) error { return c.valid(p, i) })
	if err != nil {
		return nil, err
	}
	return &Data{plan, comparisons}, nil
}

// readLines reads the data of a study: its plan, and values of which each stands on a line. The plan, and a value with
// its number, must be valid.
func readLines[P, T any](text []byte, planned func(P) error, valid func(P, int, T) error) (plan P, all []T, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		if number++; number == 1 {
			if err = strictjson.Decode(line, &plan); err == nil {
				err = planned(plan)
			}
		} else {
			var one T
			if err = strictjson.Decode(line, &one); err == nil {
				err = valid(plan, len(all), one)
			}
			all = append(all, one)
		}
		if err != nil {
			return plan, nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if number == 0 {
		return plan, nil, errors.New("line 1: a study begins with its plan")
	}
	return plan, all, nil
}

func (p Plan) valid() error {
	if p.Format != nullFormat && p.Format != powerFormat {
		return fmt.Errorf("format %q is neither %s nor %s", p.Format, nullFormat, powerFormat)
	}
	if p.Rounds < 1 || p.Looks < 1 || p.Pilot < 0 {
		return errors.New("rounds and looks are at least 1")
	}
	return nil
}

// valid makes sure that every number is the time of something.
func (c Comparison) valid(p Plan, index int) error {
	if c.Index != index {
		return fmt.Errorf("comparison %d is in the place of %d", c.Index, index)
	}
	if len(c.Rows) == 0 {
		return errors.New("a comparison has rows")
	}
	var times []float64
	for _, r := range append([]Row{{Name: "pilot", Rounds: c.Pilot}}, c.Rows...) {
		if r.Name != "pilot" && len(r.Rounds) < p.Rounds {
			return fmt.Errorf("row %s has %d rounds of at least %d", r.Name, len(r.Rounds), p.Rounds)
		}
		for _, round := range r.Rounds {
			times = append(times, round[:]...)
		}
		times = append(append(times, r.Old...), r.New...)
	}
	for _, x := range times {
		if !(x > 0 && x < 1e15) {
			return fmt.Errorf("%v is not a valid time", x)
		}
	}
	return nil
}
