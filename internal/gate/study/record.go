package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/thm-suite/thm/internal/strictjson"
)

// Plan is how a study is made. It stands in the first line of its data.
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

// ReadFile reads the data of a study, compressed or not.
func ReadFile(path string) (*Data, error) {
	data, _, err := readFile(path)
	return data, err
}

// readFile also returns how long the file is up to the end of the last whole line.
func readFile(path string) (*Data, int64, error) {
	text, err := ReadPacked(path)
	if err != nil {
		return nil, 0, err
	}
	data, whole, err := Read(text)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return data, whole, nil
}

// Read reads the lines of a study's data, and returns how many bytes of whole lines there are. A line without an end
// was torn by an interruption and does not count.
func Read(text []byte) (*Data, int64, error) {
	var data Data
	number, whole := 0, int64(0)
	for line := range bytes.Lines(text) {
		if line[len(line)-1] != '\n' {
			break
		}
		number++
		whole += int64(len(line))
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
			return nil, 0, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if number == 0 {
		return nil, 0, errors.New("line 1: a study begins with its plan")
	}
	return &data, whole, nil
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

// Restore writes the lines of published data back to a file, so that a study can go on.
func (d *Data) Restore(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(d.lines(file), file.Close())
}

// lines writes the plan and the comparisons.
func (d *Data) lines(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	lines := json.NewEncoder(buffered)
	if err := lines.Encode(d.Plan); err != nil {
		return err
	}
	for _, c := range d.Comparisons {
		if err := lines.Encode(c); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// journal is the file of a study that is going on.
type journal struct {
	file *os.File
	data *Data
}

// open begins the data of a study, or goes on with those that are there if their plan agrees.
func open(path string, plan Plan) (*journal, error) {
	data, whole, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data, whole = &Data{Plan: plan}, 0
	case err != nil:
		return nil, err
	case !data.Plan.agrees(plan):
		const what = "seed, rounds, looks, pilot, benchtime or machine"
		return nil, fmt.Errorf("%s was begun with another plan (%s); choose another directory", path, what)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	b := &journal{file, data}
	if err := file.Truncate(whole); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if whole == 0 {
		if err := b.line(plan); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return b, nil
}

// agrees reports whether samples of two plans may stand in one study.
func (p Plan) agrees(q Plan) bool {
	p.Commit, p.Started = q.Commit, q.Started
	return p == q
}

// add appends a comparison.
func (b *journal) add(c Comparison) error {
	if err := c.valid(b.data.Plan, len(b.data.Comparisons)); err != nil {
		return err
	}
	if err := b.line(c); err != nil {
		return err
	}
	b.data.Comparisons = append(b.data.Comparisons, c)
	return nil
}

func (b *journal) line(x any) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if _, err := b.file.Write(append(text, '\n')); err != nil {
		return err
	}
	return b.file.Sync()
}

// Compress writes the data of a study as they are published.
func (d *Data) Compress(w io.Writer) error { return Pack(w, d.lines) }
