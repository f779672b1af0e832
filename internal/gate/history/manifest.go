package history

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/strictjson"
)

// ManifestSchema is the name of the format of manifests.
const ManifestSchema = "thm.bench.record/v1"

// Manifest describes a run. It follows from the data and the label of the machine, and is checked against them.
type Manifest struct {
	Schema string    `json:"schema"`
	Name   string    `json:"name"` // of the folder
	Date   time.Time `json:"date"` // when the run began
	Commit string    `json:"commit,omitempty"`
	Dirty  bool      `json:"dirty,omitempty"` // there were changes that are not committed
	// 8 hexadecimal digits that stand for what makes times comparable
	Machine   string            `json:"machine"`
	Label     string            `json:"label,omitempty"` // tells machines apart that look the same
	Host      string            `json:"host,omitempty"`
	Benchtime string            `json:"benchtime"`
	Config    map[string]string `json:"config"`         // of the machine and the build: cpu, goversion, ...
	Load      []float64         `json:"load,omitempty"` // least and greatest load average while it ran
	Samples   int               `json:"samples"`
	Failed    int               `json:"failed,omitempty"` // samples that failed
	Data      string            `json:"data"`             // SHA-256 of the data file
}

// machineKeys are the configuration that makes a machine. Runs that differ in it are not compared.
var machineKeys = []string{
	"goos", "goarch", "cpu", "cpus", "kernel",
	// add here
}

// label is a word that can stand in the name of a folder.
var label = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// Setup names the conditions under which times are comparable: the machine and the length of a sample.
func (m Manifest) Setup() string { return m.Machine + " " + m.Benchtime }

// Revision is the commit in twelve digits, with a mark if there were other changes.
func (m Manifest) Revision() string {
	revision := cmp.Or(m.Commit[:min(12, len(m.Commit))], "no commit")
	if m.Dirty {
		revision += "+"
	}
	return revision
}

// brief is the commit as it is written on axes: seven digits, as git abbreviates it.
func (m Manifest) brief() string {
	brief := cmp.Or(m.Commit[:min(7, len(m.Commit))], "none")
	if m.Dirty {
		brief += "+"
	}
	return brief
}

// describe derives the manifest of a run from its data.
func describe(content []byte, name string) (Manifest, *measure.Contents, error) {
	m := Manifest{Schema: ManifestSchema, Label: name, Data: fmt.Sprintf("%x", sha256.Sum256(content))}
	if name != "" && !label.MatchString(name) {
		return m, nil, fmt.Errorf("the label %q of the machine is not of lower-case letters, digits and hyphens", name)
	}
	r, err := measure.Read(bytes.NewReader(content))
	if err != nil {
		return m, nil, err
	}
	if len(r.Run.Arms) != 1 || r.Run.Arms[0].Name != "" {
		return m, nil, errors.New("the file compares versions; a record is a file of the command run")
	}
	m.Date, m.Host, m.Benchtime = r.Run.Started.UTC(), r.Run.Host, r.Run.Benchtime
	m.Commit, m.Dirty = r.Run.Arms[0].Commit, r.Run.Arms[0].Dirty
	if m.Commit != "" && !commit.MatchString(m.Commit) {
		return m, nil, fmt.Errorf("%q is no commit", m.Commit)
	}
	if year := m.Date.Year(); year < 1970 || year > 9999 {
		return m, nil, fmt.Errorf("the run began in the year %d", year)
	}
	if err := errors.Join(m.count(r), m.configure(content)); err != nil {
		return m, nil, err
	}
	m.Machine = identity(m.Config, name)
	m.Name = strings.Join([]string{m.Date.Format(stamp), m.Machine,
		cmp.Or(m.Commit[:min(12, len(m.Commit))], "nocommit")}, "-")
	return m, r, nil
}

var commit = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// stamp is the date in the name of a folder, to the second, so that names sort as the runs do.
const stamp = "2006-01-02-150405"

// count goes through the samples: their number and their load.
func (m *Manifest) count(r *measure.Contents) error {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range r.Samples {
		if s.Load >= 0 && s.Load < 1e6 { // not where it is unknown
			lo, hi = min(lo, s.Load), max(hi, s.Load)
		}
		if s.Result == nil {
			m.Failed++
		} else {
			m.Samples++
		}
	}
	if m.Samples == 0 {
		return errors.New("there are no results")
	}
	if lo <= hi {
		m.Load = []float64{lo, hi}
	}
	return nil
}

// configure collects the configuration that all results have in common. That of the machine must be the same in all.
func (m *Manifest) configure(content []byte) error {
	reader := benchfmt.NewReader(bytes.NewReader(content), "")
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue // package measure has judged it
		}
		config := map[string]string{}
		for _, c := range result.Config {
			if c.File && c.Key != "pkg" {
				config[c.Key] = string(c.Value)
			}
		}
		if m.Config == nil {
			m.Config = config
		}
		for _, key := range machineKeys {
			if config[key] != m.Config[key] {
				return fmt.Errorf("samples of several machines: %s is %q and %q", key, m.Config[key], config[key])
			}
		}
		maps.DeleteFunc(m.Config, func(key, value string) bool { return config[key] != value })
	}
	return reader.Err()
}

// identity stands for a machine: the beginning of a hash of what makes it.
func identity(config map[string]string, name string) string {
	var text strings.Builder
	for _, key := range machineKeys {
		fmt.Fprintf(&text, "%s=%q\n", key, config[key])
	}
	fmt.Fprintf(&text, "label=%q\n", name)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))[:8]
}

// encode writes a manifest.
func (m Manifest) encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

// decodeManifest reads a manifest. Fields that do not belong there are refused.
func decodeManifest(text []byte) (Manifest, error) {
	var m Manifest
	if err := strictjson.Decode(text, &m); err != nil {
		return m, err
	}
	if m.Schema != ManifestSchema {
		return m, fmt.Errorf("the schema is %q and not %s", m.Schema, ManifestSchema)
	}
	return m, nil
}

// verify reads a record and asks that its manifest is the one that its data have.
func verify(folder string, manifest, data []byte) (Run, error) {
	have, err := decodeManifest(manifest)
	if err != nil {
		return Run{}, fmt.Errorf("manifest.json: %w", err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != have.Data {
		return Run{}, fmt.Errorf("%s was changed: its SHA-256 begins with %s, and that of its manifest with %.12q",
			dataFile, sum[:12], have.Data)
	}
	want, record, err := describe(data, have.Label)
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", dataFile, err)
	}
	canonical, err := want.encode()
	if err != nil {
		return Run{}, err
	}
	if !slices.Equal(canonical, manifest) {
		return Run{}, errors.New("manifest.json was changed: it does not follow from the data")
	}
	if folder != want.Name {
		return Run{}, fmt.Errorf("the folder was renamed from %s", want.Name)
	}
	return Run{Manifest: want, record: record}, nil
}
