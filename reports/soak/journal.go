// Package soak keeps what claims came to at many seeds, and says how close each criterion and each control came to the
// other verdict.
package soak

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/thm-suite/thm/props"
)

// JournalName is the file in the directory of a soak that keeps what is known so far, a claim at a seed on each line.
const JournalName = "soak.journal"

// JournalSchema is the version of its format.
const JournalSchema = "thm.soak.journal/v1"

// Run says which program ran at which effort. It is the first line of a journal. What two programs found does not add
// up.
type Run struct {
	Schema string       `json:"schema"`
	Tool   props.Tool   `json:"tool"`
	Commit string       `json:"commit"`
	Binary string       `json:"binary"` // SHA-256 of the program
	Effort props.Effort `json:"effort"`
}

// same reports whether two journals are of one program at one effort. Shards may come from several builds of a source.
func (r Run) same(other Run) bool {
	if r.Effort != other.Effort || r.Schema != other.Schema {
		return false
	}
	return r.Binary == other.Binary || r.Commit != "" && r.Commit == other.Commit
}

// Entry is one claim at one seed.
type Entry struct {
	Seed     uint64        `json:"seed"`
	Claim    string        `json:"claim"`
	Verdict  props.Verdict `json:"verdict"`
	Green    bool          `json:"green"` // it holds, and all its controls were rejected
	Seconds  float64       `json:"seconds"`
	Criteria []Criterion   `json:"criteria"`
	Controls []Tried       `json:"controls"`
}

// Criterion is what a criterion came to.
type Criterion struct {
	Check    string        `json:"check"`
	Name     string        `json:"name"`
	Form     props.Form    `json:"form"`
	Verdict  props.Verdict `json:"verdict"`
	Ratio    props.Number  `json:"ratio"`
	Chance   float64       `json:"chance,omitempty"` // of being red though the claim is true, as it declares
	Cases    int           `json:"cases,omitempty"`
	Declined int           `json:"declined,omitempty"`
	Largest  []float64     `json:"largest,omitempty"` // ratios of the worst cases; all cases, or at least ten
}

// Tried is what a control came to.
type Tried struct {
	Check      string       `json:"check"`
	Name       string       `json:"name"`
	Rejected   bool         `json:"rejected"`
	Ratio      props.Number `json:"ratio"`
	Replicates int          `json:"replicates"`
	Cases      int          `json:"cases,omitempty"`
	Seen       int          `json:"seen,omitempty"`
	Reserve    props.Number `json:"reserve,omitempty"`
	Fixed      bool         `json:"fixed,omitempty"`
}

// EntryOf is what a soak keeps of a row.
func EntryOf(seed uint64, row props.ClaimResult) Entry {
	e := Entry{Seed: seed, Claim: row.ID, Verdict: row.Verdict, Seconds: row.Seconds,
		Green: row.Verdict == props.Holds && !row.Missed() && !row.Unfinished()}
	for _, p := range row.Criteria {
		m := Criterion{Check: p.Check, Name: p.Name, Form: p.Form, Verdict: p.Verdict, Ratio: p.Ratio,
			Chance: p.Alpha + p.Undecided}
		for _, r := range p.Regimes {
			m.Cases, m.Declined = m.Cases+r.Cases, m.Declined+r.Declined
		}
		for _, ratio := range p.Largest {
			m.Largest = append(m.Largest, float64(digits(ratio)))
		}
		e.Criteria = append(e.Criteria, m)
	}
	for _, c := range row.Controls {
		e.Controls = append(e.Controls, Tried{Check: c.Check, Name: c.Name, Rejected: c.Rejected, Ratio: c.Ratio,
			Replicates: c.Replicates, Cases: c.Cases, Seen: c.Seen, Reserve: c.Reserve, Fixed: c.Fixed})
	}
	return e
}

// Journal is a soak that goes on.
type Journal struct{ file *os.File }

// Open goes on with the soak in a directory, or begins one there. A last line that is cut off is dropped. A soak of
// another program or effort is refused: nothing is lost.
func Open(dir string, run Run) (*Journal, []Entry, error) {
	run.Schema = JournalSchema
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, fmt.Errorf("the soak cannot be written: %w; choose another directory with --out", err)
	}
	path := filepath.Join(dir, JournalName)
	old, entries, end, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		end = 0
	case err != nil:
		return nil, nil, err
	case !old.same(run):
		return nil, nil, fmt.Errorf("%s is the soak of another program or effort; choose another directory with --out",
			path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, nil, fmt.Errorf("the soak cannot be written: %w; choose another directory with --out", err)
	}
	j := &Journal{f}
	if err = f.Truncate(end); err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err == nil && end == 0 {
		err = j.line(run)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return j, entries, nil
}

// Keep adds an entry.
func (j *Journal) Keep(e Entry) error { return j.line(e) }

// Close ends the writing.
func (j *Journal) Close() error { return j.file.Close() }

func (j *Journal) line(value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(b, '\n'))
	return err
}

// Read reads the journals of parts of one soak. An entry that several have counts once.
func Read(dirs []string) (Run, []Entry, error) {
	type at struct {
		seed  uint64
		claim string
	}
	var first Run
	var out []Entry
	seen := map[at]bool{}
	for i, dir := range dirs {
		path := dir
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			path = filepath.Join(dir, JournalName)
		}
		run, entries, _, err := read(path)
		if errors.Is(err, fs.ErrNotExist) {
			return Run{}, nil, fmt.Errorf("no soak in %s: thm soak --out writes one there", dir)
		}
		if err != nil {
			return Run{}, nil, err
		}
		if i == 0 {
			first = run
		}
		if !run.same(first) {
			return Run{}, nil, fmt.Errorf("%s and %s are soaks of two programs or efforts", dirs[0], dir)
		}
		for _, e := range entries {
			if !seen[at{e.Seed, e.Claim}] {
				seen[at{e.Seed, e.Claim}] = true
				out = append(out, e)
			}
		}
	}
	return first, out, nil
}

// read returns what a journal holds and where its last whole line ends.
func read(path string) (run Run, entries []Entry, end int64, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return run, nil, 0, err
	}
	r := bufio.NewReader(bytes.NewReader(b))
	line, err := r.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &run) != nil || run.Schema != JournalSchema {
		return run, nil, 0, fmt.Errorf("%s is no journal of thm soak (its first line has no schema %q)", path, JournalSchema)
	}
	end = int64(len(line))
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return run, entries, end, nil
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return run, nil, 0, fmt.Errorf("%s: line %d is damaged: %w", path, len(entries)+2, err)
		}
		entries, end = append(entries, e), end+int64(len(line))
	}
}
