package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/strictjson"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// SchemaName is the format of the results.
const SchemaName = "thm.experiment/v2"

// Result is everything that a run of an experiment found.
type Result struct {
	Schema     string       `json:"schema"`
	Experiment string       `json:"experiment"` // its name
	Tool       results.Tool `json:"tool"`
	Run        Setting      `json:"run"`
	Skipped    []string     `json:"skipped"` // what was not there, one sentence each
	Headlines  []Finding    `json:"headlines"`
	Findings   []Finding    `json:"findings"`
	Runs       []RawRun     `json:"runs"`
}

// Setting is how the results were made.
type Setting struct {
	Effort      props.Effort    `json:"effort"`
	Seed        uint64          `json:"seed"`
	Datasets    []string        `json:"datasets"`
	Sizes       json.RawMessage `json:"sizes"`
	Alpha       float64         `json:"alpha"` // level of every interval
	Cells       results.Count   `json:"cells"`
	Interrupted bool            `json:"interrupted"`
	Runs        int             `json:"-"` // of everything, as the effort has them
}

// Judge returns what the experiment makes of the runs of a result, and sets its findings and headlines.
func (e Experiment) Judge(r *Result) (Judgement, error) {
	j, err := e.judge(r.Run, r.Runs)
	if err != nil {
		return j, err
	}
	if j.Headlines == nil {
		j.Headlines = Conjunctions(j.Findings)
	}
	r.Findings, r.Headlines = append([]Finding{}, j.Findings...), append([]Finding{}, j.Headlines...)
	return j, nil
}

// Claim returns the claim of that name, and whether there is one.
func (a About) Claim(id string) (Claim, bool) {
	if i := slices.IndexFunc(a.Claims, func(c Claim) bool { return c.ID == id }); i >= 0 {
		return a.Claims[i], true
	}
	return Claim{}, false
}

// Encode writes the results as JSON, an object per line.
func (r *Result) Encode() ([]byte, error) {
	var whole bytes.Buffer
	encoder := json.NewEncoder(&whole)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(whole.Bytes(), []byte(`},{`), []byte("},\n{")), nil
}

// Decode reads results.json of the experiment. It refuses other formats, unknown names, and findings that do not follow
// from the runs.
func (e Experiment) Decode(b []byte) (*Result, error) {
	var head struct {
		Schema     string `json:"schema"`
		Experiment string `json:"experiment"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, fmt.Errorf("experiments: not JSON: %w", err)
	}
	if head.Schema != SchemaName {
		return nil, fmt.Errorf("experiments: schema is %q; this program reads %q", head.Schema, SchemaName)
	}
	if head.Experiment != e.Name {
		return nil, fmt.Errorf("experiments: results of %q, not of %q", head.Experiment, e.Name)
	}
	r := &Result{}
	if err := strictjson.Decode(b, r); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	stored := encoded([]any{r.Headlines, r.Findings})
	if _, err := e.Judge(r); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	if !bytes.Equal(stored, encoded([]any{r.Headlines, r.Findings})) {
		return nil, fmt.Errorf("experiments: the findings of %s do not follow from its runs", e.Name)
	}
	return r, nil
}

// Dir is the folder of the experiment's report in that of all.
func (e Experiment) Dir(dir string) string { return filepath.Join(dir, filepath.FromSlash(e.Name)) }

// ResultsName is the file of the results in that folder.
const ResultsName = "results.json"

// Read reads the results of the experiment from the folder of all reports; nil where there are none.
func (e Experiment) Read(dir string) (*Result, error) {
	file := filepath.Join(e.Dir(dir), ResultsName)
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := e.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}
