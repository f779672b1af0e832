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
	var data Data
	number := 0
	for line := range bytes.Lines(text) {
		number++
		var err error
		if number == 1 {
			err = strictjson.Decode(line, &data.Plan)
			if err == nil {
				err = data.Plan.valid()
			}
		} else {
			var c Comparison
			if err = strictjson.Decode(line, &c); err == nil {
				err = c.valid(data.Plan, len(data.Comparisons))
			}
			data.Comparisons = append(data.Comparisons, c)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if number == 0 {
		return nil, errors.New("line 1: a study begins with its plan")
	}
	return &data, nil
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
		return fmt.Errorf("comparison %d stands in the place of %d", c.Index, index)
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
			return fmt.Errorf("%v is the time of nothing", x)
		}
	}
	return nil
}
