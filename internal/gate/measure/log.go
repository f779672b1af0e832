package measure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Format is the first word of a [Log]'s own comment lines.
const Format = "thm.bench/v1"

// Run says how a file was measured. It stands in the file's first line.
type Run struct {
	Seed      uint64    `json:"seed"`
	Benchtime string    `json:"benchtime"`
	Rounds    int       `json:"rounds,omitempty"`   // of a look, where versions are compared
	Module    string    `json:"module,omitempty"`   // path of the module
	Packages  []string  `json:"packages,omitempty"` // patterns of the go command
	Pattern   string    `json:"pattern,omitempty"`  // of go test -bench
	Filter    string    `json:"filter,omitempty"`   // in the syntax of benchstat
	Arms      []Arm     `json:"arms"`
	Started   time.Time `json:"started"`
	Host      string    `json:"host,omitempty"`      // in older files; no longer written
	Quantity  string    `json:"meter,omitempty"`     // instructions or cycles, where they were counted too
	Frequency string    `json:"frequency,omitempty"` // what is known of how the clock of the processor behaves

	// Builds are the SHA-256 sums of the test binaries, by arm and import path. A run is resumed only with the same.
	Builds map[string]string `json:"builds"`
}

// Arm is one of the versions that a file compares; an ordinary run has one without a name.
type Arm struct {
	Name   string `json:"name,omitempty"`
	Commit string `json:"commit,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"` // there were changes that are not committed
}

// mark is the comment line that closes the record of a sample.
type mark struct {
	Package string    `json:"pkg"`
	Name    string    `json:"name"`
	Arm     string    `json:"arm,omitempty"`
	Round   int       `json:"round"`
	At      time.Time `json:"at"`
	Load    *float64  `json:"load,omitempty"`
	Fail    string    `json:"fail,omitempty"`

	Counted   int    `json:"counted,omitempty"`
	Uncounted string `json:"uncounted,omitempty"`
	Note      string `json:"note,omitempty"`

	Functions map[string]float64 `json:"functions,omitempty"`
}

const sampleMark = "# sample "

// Log appends samples to a file. Each is written in one piece and synced before Add returns.
type Log struct {
	file   *os.File
	text   bytes.Buffer
	writer *benchfmt.Writer
	config [][2]string
	units  map[string]bool // unit lines that are in the file
	now    func() time.Time
}

// Create begins a file. It refuses to touch one that exists. The configuration is added to that which the benchmarks
// print themselves; it must not hold what differs from run to run.
func Create(path string, run Run, config [][2]string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is already there; choose another file, or go on with --resume %s", path, path)
	}
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(run)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	l := newLog(file, config)
	l.text.WriteString("# " + Format + " " + string(head) + "\n")
	if err := l.flush(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// Resume opens a file to go on, after cutting off a record that an interruption tore, and returns what is in it.
func Resume(path string, config [][2]string) (*Log, *Contents, error) {
	record, err := ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, err
	}
	if err := file.Truncate(record.whole); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return newLog(file, config), record, nil
}

func newLog(file *os.File, config [][2]string) *Log {
	l := &Log{file: file, config: config, units: map[string]bool{}, now: time.Now}
	l.writer = benchfmt.NewWriter(&l.text)
	return l
}

// Add appends a sample.
func (l *Log) Add(s Sample) error {
	for _, u := range s.Units {
		if line := fmt.Sprint(u.OrigUnit, u.Key, u.Value); !l.units[line] {
			l.units[line] = true
			if err := l.writer.Write(u); err != nil {
				return err
			}
		}
	}
	if s.Result != nil {
		r := s.Result.Clone()
		setConfig(r, "pkg", s.Package)
		setConfig(r, "arm", s.Arm)
		for _, c := range l.config {
			setConfig(r, c[0], c[1])
		}
		if err := l.writer.Write(r); err != nil {
			return err
		}
	}
	if s.Fail != "" {
		l.text.WriteString("--- FAIL: Benchmark" + s.Name + "\n") // what go test prints, so that every tool sees it
	}
	m := mark{Package: s.Package, Name: s.Name, Arm: s.Arm, Round: s.Round,
		At: l.now().UTC().Truncate(time.Millisecond), Fail: s.Fail, Counted: s.Counted,
		Uncounted: s.Uncounted, Note: s.Note, Functions: s.Functions}
	if !math.IsNaN(s.Load) {
		m.Load = &s.Load
	}
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	l.text.WriteString(sampleMark + string(line) + "\n")
	return l.flush()
}

// setConfig sets a configuration line of a file. Without a value there is none.
func setConfig(r *benchfmt.Result, key, value string) {
	r.SetConfig(key, strings.Join(strings.Fields(value), " "))
	if i, ok := r.ConfigIndex(key); ok {
		r.Config[i].File = true
	}
}

// flush writes what has gathered, in one piece, to the disk.
func (l *Log) flush() error {
	if _, err := l.file.Write(l.text.Bytes()); err != nil {
		return err
	}
	l.text.Reset()
	return l.file.Sync()
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
