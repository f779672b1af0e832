// Package evidence stores the results of a claim's checks at quick effort and seed 1 in a file next to the claim. If a
// check becomes weaker (by a wider tolerance or margin, fewer cases or comparisons, narrower draws, a dropped criterion
// or a coarser control), it differs from the file, and the suite fails until somebody deliberately rewrites the file.
// For reviewers, the package describes in words how a new file is weaker.
package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/thm-suite/thm/internal/number"
)

// Evidence of one claim.
type Evidence struct {
	Claim    string      `json:"claim"`
	Planned  []Plan      `json:"planned"`
	Criteria []Criterion `json:"criteria"`
	Controls []Control   `json:"controls"`
	NotDrawn []string    `json:"not_drawn,omitempty"`
}

// Plan is the number of cases that a check plans at each effort.
type Plan struct {
	Check    string `json:"check"`
	Quick    int    `json:"quick"`
	Standard int    `json:"standard"`
	Deep     int    `json:"deep"`
	// how often a control is tried at standard effort
	Replicates int    `json:"replicates,omitempty"`
	Cells      Ranges `json:"cells,omitempty"` // of a sweep, at quick effort unless the name says another
	Drawn      Ranges `json:"drawn,omitempty"`
}

// Criterion is one comparison of a check.
type Criterion struct {
	Check   string        `json:"check"`
	Name    string        `json:"name"`
	Form    string        `json:"form"`
	Margin  number.Number `json:"margin,omitempty"`
	Alpha   number.Number `json:"alpha,omitempty"`
	Coarse  string        `json:"coarse,omitempty"`
	Proven  string        `json:"proven,omitempty"`
	Chosen  string        `json:"chosen,omitempty"` // after a look at the data
	Regimes []Regime      `json:"regimes"`
}

// Regime holds the resolutions of a criterion in one regime.
type Regime struct {
	Name   string        `json:"name,omitempty"`
	Cases  int           `json:"cases"`
	Ratio  number.Number `json:"ratio,omitempty"` // the worst of an equation in many cases
	Same   int           `json:"same,omitempty"`  // of these, cases in which nothing differs
	Run    number.Number `json:"run"`
	Median number.Number `json:"median"`
	Decile number.Number `json:"decile"`

	// tolerance, slack or margin over what is compared, in the median case by the comparison that allows most
	Allowed     number.Number `json:"allowed,omitempty"`
	Comparisons int           `json:"comparisons,omitempty"` // of two numbers, where not one a case
	MayDecline  int           `json:"may_decline,omitempty"`
}

// Control is a wrong version and how far it was rejected.
type Control struct {
	Check     string        `json:"check"`
	Name      string        `json:"name"`
	Criterion string        `json:"criterion"`
	Ratio     number.Number `json:"ratio"`
	Cases     int           `json:"cases,omitempty"` // that were tried
	// the other criteria that reject it, and at which ratios: one that no longer does may look at nothing obtained
	Also map[string]number.Number `json:"also_rejected_by,omitempty"`
}

// Rounded rounds to three digits: all that a file keeps.
func Rounded(x number.Number) number.Number {
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return number.Number(f)
}

// File is where the evidence of a claim is pinned.
func File(dir, slug string) string { return filepath.Join(dir, path.Base(slug)+".json") }

// Parse reads the contents of a file.
func Parse(raw []byte) (Evidence, error) {
	var e Evidence
	err := json.Unmarshal(raw, &e)
	if err == nil && e.Claim == "" {
		err = fmt.Errorf("it names no claim")
	}
	return e, err
}

// Write pins the evidence of a claim.
func (e Evidence) Write(dir string) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(e); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(File(dir, e.Claim), b.Bytes(), 0o666)
}
