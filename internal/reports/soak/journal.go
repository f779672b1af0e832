// Package soak stores the results of claims at many seeds, and reports how close each criterion and each control came
// to the opposite verdict.
package soak

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// JournalName is the file in the directory of a soak that keeps the results so far, a claim at a seed on each line.
const JournalName = "soak.journal"

// JournalSchema is the version of its format.
const JournalSchema = "thm.soak.journal/v2"

// Run says which program ran at which effort. It is the first line of a journal. The findings of two programs do not
// add up.
type Run struct {
	Schema string       `json:"schema"`
	Tool   results.Tool `json:"tool"`
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

// program names the program that ran: its commit, or its hash if it has none.
func (r Run) program() string { return cmp.Or(r.Commit, r.Binary) }

// At identifies one run: a claim at a seed.
type At struct {
	Seed  uint64
	Claim string
}

// Entry holds the results of one claim at one seed.
type Entry struct {
	Seed     uint64          `json:"seed"`
	Claim    string          `json:"claim"`
	Verdict  results.Verdict `json:"verdict"`
	Green    bool            `json:"green"` // it holds, and all its controls were rejected
	Seconds  float64         `json:"seconds"`
	Criteria []Criterion     `json:"criteria"`
	Controls []Tried         `json:"controls"`
	commit   string          // of the program, if it differs from the commit of the soak
}

// At returns the run that an entry is about.
func (e Entry) At() At { return At{e.Seed, e.Claim} }

// Criterion holds the results of a criterion.
type Criterion struct {
	Check    string          `json:"check"`
	Name     string          `json:"name"`
	Form     results.Form    `json:"form"`
	Verdict  results.Verdict `json:"verdict"`
	Ratio    results.Number  `json:"ratio"`
	Chance   float64         `json:"chance,omitempty"` // of being red though the claim is true, as it declares
	Cases    int             `json:"cases,omitempty"`
	Declined int             `json:"declined,omitempty"`
	Proven   bool            `json:"proven,omitempty"`  // the tolerance covers every draw
	Largest  []float64       `json:"largest,omitempty"` // ratios of the worst cases; all cases, or at least ten
}

// Tried holds the results of a control.
type Tried struct {
	Check      string         `json:"check"`
	Name       string         `json:"name"`
	Rejected   bool           `json:"rejected"`
	Form       results.Form   `json:"form,omitempty"` // of the criterion that rejects it
	Ratio      results.Number `json:"ratio"`
	Replicates int            `json:"replicates"`
	Cases      int            `json:"cases,omitempty"`
	Seen       int            `json:"seen,omitempty"`
	Reserve    results.Number `json:"reserve,omitempty"`
	Fixed      bool           `json:"fixed,omitempty"`
}

// EntryOf returns the part of a row that a soak keeps.
func EntryOf(seed uint64, row results.Claim) Entry {
	e := Entry{Seed: seed, Claim: row.ID, Verdict: row.Verdict, Seconds: row.Seconds,
		Green: row.Verdict == results.Holds && !row.Missed() && !row.Unfinished()}
	for _, p := range row.Criteria {
		m := Criterion{Check: p.Check, Name: p.Name, Form: p.Form, Verdict: p.Verdict, Ratio: p.Ratio,
			Chance: p.Alpha + p.Undecided, Proven: p.Proven != ""}
		for _, r := range p.Regimes {
			m.Cases, m.Declined = m.Cases+r.Cases, m.Declined+r.Declined
		}
		for _, ratio := range p.Largest {
			m.Largest = append(m.Largest, float64(digits(ratio)))
		}
		e.Criteria = append(e.Criteria, m)
	}
	for _, c := range row.Controls {
		t := Tried{Check: c.Check, Name: c.Name, Rejected: c.Rejected, Ratio: c.Ratio, Replicates: c.Replicates,
			Cases: c.Cases, Seen: c.Seen, Reserve: c.Reserve, Fixed: c.Fixed}
		for _, p := range row.Criteria {
			if p.Check == c.Check && p.Name == c.Criterion {
				t.Form = p.Form
			}
		}
		e.Controls = append(e.Controls, t)
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
	old, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	case !old.same(run):
		return nil, nil, fmt.Errorf("%s holds a soak of a different program or effort; choose another directory with --out",
			path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, nil, fmt.Errorf("the soak cannot be written: %w; choose another directory with --out", err)
	}
	j := &Journal{f}
	if err = f.Truncate(old.end); err == nil {
		_, err = f.Seek(old.end, io.SeekStart)
	}
	if err == nil && old.end == 0 {
		err = j.line(run)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return j, old.entries, nil
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

// Read reads the journals of the parts of one soak. An entry that several have counts once. The findings of two
// programs about a claim do not add up: each claim is taken from the program that the last journal with this claim is
// of. So the claims that a change touches can be soaked again without the others.
func Read(dirs []string) (Run, []Entry, error) {
	journals := make([]journal, len(dirs))
	last := map[string]Run{}
	for i, dir := range dirs {
		j, err := readDir(dir)
		if err != nil {
			return Run{}, nil, err
		}
		if j.Effort != journals[0].Effort && i > 0 {
			return Run{}, nil, fmt.Errorf("%s and %s are soaks of two efforts", dirs[0], dir)
		}
		for _, e := range j.entries {
			last[e.Claim] = j.Run
		}
		journals[i] = j
	}
	run := journals[len(journals)-1].Run
	var out []Entry
	seen := map[At]bool{}
	for _, j := range journals {
		for _, e := range j.entries {
			if seen[e.At()] || !j.same(last[e.Claim]) {
				continue
			}
			seen[e.At()] = true
			if !j.same(run) {
				e.commit = j.program()
			}
			out = append(out, e)
		}
	}
	return run, out, nil
}

// journal holds the contents of a file.
type journal struct {
	Run
	entries []Entry
	end     int64 // of its last whole line
}

// readDir reads the journal in a directory, or the file.
func readDir(dir string) (journal, error) {
	path := dir
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		path = filepath.Join(dir, JournalName)
	}
	j, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return j, fmt.Errorf("no soak in %s: thm soak --out writes one there", dir)
	}
	return j, err
}

// read reads a journal. A last line that is cut off is not part of it.
func read(path string) (journal, error) {
	var j journal
	b, err := os.ReadFile(path)
	if err != nil {
		return j, err
	}
	r := bufio.NewReader(bytes.NewReader(b))
	line, err := r.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &j.Run) != nil || j.Schema != JournalSchema {
		return j, fmt.Errorf("%s is not a journal of thm soak (its first line has no schema %q)", path, JournalSchema)
	}
	j.end = int64(len(line))
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return j, nil
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return j, fmt.Errorf("%s: line %d is damaged: %w", path, len(j.entries)+2, err)
		}
		j.entries, j.end = append(j.entries, e), j.end+int64(len(line))
	}
}
