package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props/figure"
)

// Manifest says what a results file is about: of which source, by which program, and what was planned. Seed and effort
// stand here again so that it says everything that a second run needs.
type Manifest struct {
	Commit   string   `json:"commit"`   // of the source tree; empty where nothing says it
	Modified bool     `json:"modified"` // the tree had changes that were not committed
	Build    []string `json:"build"`    // KEY=VALUE settings of the compiler
	Binary   string   `json:"binary"`   // SHA-256 of the program
	Patterns []string `json:"patterns"` // that chose the claims; none for the whole catalogue
	Planned  []string `json:"planned"`  // slugs
	Effort   Effort   `json:"effort"`
	Seed     uint64   `json:"seed"`
	Digest   string   `json:"digest"` // of the claims, see [Results.Digest]
}

// Source is the source of the program that made the results.
func (m Manifest) Source() source.State {
	return source.State{Commit: m.Commit, Modified: m.Modified, Build: m.Build, Binary: m.Binary}
}

// Digest is the SHA-256 of the rows without their times. Two runs of one source with one effort and one seed agree on
// it, on the same kind of machine, whatever the number of workers or shards.
func (r *Results) Digest() string {
	h := sha256.New()
	e := json.NewEncoder(h)
	for _, row := range r.WithoutTimes().Claims {
		if e.Encode(row.tidy()) != nil {
			return ""
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// tidy returns the row with empty lists in place of absent ones, as a results file has them: JSON would write null.
func (row Claim) tidy() Claim {
	row.Checks = append([]Check{}, row.Checks...)
	row.Criteria = append([]Criterion{}, row.Criteria...)
	row.Controls = append([]Control{}, row.Controls...)
	row.Errata = append([]Erratum{}, row.Errata...)
	row.Resolutions = append([]Resolution{}, row.Resolutions...)
	row.Measurements = append([]Measurement{}, row.Measurements...)
	row.Figures = append([]figure.Figure{}, row.Figures...)
	for k := range row.Figures {
		row.Figures[k].Curves = append([]figure.Curve{}, row.Figures[k].Curves...)
	}
	return row
}

// Tidy returns the results with empty lists in place of absent ones.
func (r *Results) Tidy() *Results {
	c := *r
	c.Manifest.Patterns = append([]string{}, r.Manifest.Patterns...)
	c.Manifest.Planned = append([]string{}, r.Manifest.Planned...)
	c.Manifest.Build = append([]string{}, r.Manifest.Build...)
	c.Calibration = append([]Calibration{}, r.Calibration...)
	c.Claims = append([]Claim{}, r.Claims...)
	for i := range c.Claims {
		c.Claims[i] = c.Claims[i].tidy()
	}
	return &c
}
