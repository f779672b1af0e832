package props

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
)

// evidence is what a claim's checks showed at quick effort and seed 1, pinned in a file beside the claim. A check that
// is weakened, by a wider tolerance or margin, fewer cases, a dropped criterion, a coarser control, departs from it,
// and the suite is red until the file is written again on purpose. The diff of the file is what a reviewer reads.
type evidence struct {
	Claim    string              `json:"claim"`
	Criteria []criterionEvidence `json:"criteria"`
	Controls []controlEvidence   `json:"controls"`
	NotDrawn []string            `json:"not_drawn,omitempty"`
}

type criterionEvidence struct {
	Check   string           `json:"check"`
	Name    string           `json:"name"`
	Form    Form             `json:"form"`
	Margin  Number           `json:"margin,omitempty"`
	Alpha   Number           `json:"alpha,omitempty"`
	Coarse  string           `json:"coarse,omitempty"`
	Proven  string           `json:"proven,omitempty"`
	Regimes []regimeEvidence `json:"regimes"`
}

type regimeEvidence struct {
	Name   string `json:"name,omitempty"`
	Cases  int    `json:"cases"`
	Run    Number `json:"run"`
	Median Number `json:"median"`
	Decile Number `json:"decile"`

	MayDecline int `json:"may_decline,omitempty"`
}

type controlEvidence struct {
	Check     string `json:"check"`
	Name      string `json:"name"`
	Criterion string `json:"criterion"`
	Ratio     Number `json:"ratio"`
}

// How far evidence may depart from what is pinned. A median resolution is a tolerance over a size and moves by little
// more than rounding on another machine; extremes of a sample move more. The ratio of a control may move either way: a
// larger one says that somebody has made the control grosser.
const (
	evidenceFactor = 1.25
	extremesFactor = 2.0
	casesShare     = 0.9
)

// evidence returns what is to be pinned of a row, rounded to three digits.
func (row *ClaimResult) evidence() evidence {
	e := evidence{Claim: row.ID, NotDrawn: row.NotDrawn}
	for _, p := range row.Criteria {
		c := criterionEvidence{Check: p.Check, Name: p.Name, Form: p.Form, Margin: rounded(p.Margin),
			Alpha: rounded(Number(p.Alpha)), Coarse: p.Coarse, Proven: p.Proven}
		for _, r := range p.Regimes {
			c.Regimes = append(c.Regimes, regimeEvidence{r.Name, r.Cases, rounded(r.Run), rounded(r.Median),
				rounded(r.Decile), r.MayDecline})
		}
		e.Criteria = append(e.Criteria, c)
	}
	for _, c := range row.Controls {
		e.Controls = append(e.Controls, controlEvidence{c.Check, c.Name, c.Criterion, rounded(c.Ratio)})
	}
	return e
}

func rounded(x Number) Number {
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return Number(f)
}

// weakened lists what of the pinned evidence is worse now, or gone.
func (pinned evidence) weakened(now evidence) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, p := range pinned.Criteria {
		at := slices.IndexFunc(now.Criteria, func(c criterionEvidence) bool { return c.Check == p.Check && c.Name == p.Name })
		if at < 0 {
			say("criterion %q of check %q is gone", p.Name, p.Check)
			continue
		}
		out = append(out, p.weakened(now.Criteria[at])...)
	}
	for _, p := range pinned.Controls {
		at := slices.IndexFunc(now.Controls, func(c controlEvidence) bool { return c.Check == p.Check && c.Name == p.Name })
		switch {
		case at < 0:
			say("control %q of check %q is gone", p.Name, p.Check)
		case now.Controls[at].Criterion != p.Criterion:
			say("control %q is rejected by criterion %q and no longer by %q", p.Name, now.Controls[at].Criterion, p.Criterion)
		case apart(p.Ratio, now.Controls[at].Ratio, evidenceFactor):
			say("control %q is rejected at a ratio of %v, pinned %v", p.Name, now.Controls[at].Ratio, p.Ratio)
		}
	}
	for _, regime := range now.NotDrawn {
		if !slices.Contains(pinned.NotDrawn, regime) {
			say("%s is not drawn any more", regime)
		}
	}
	return out
}

func (p criterionEvidence) weakened(now criterionEvidence) []string {
	var out []string
	say := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("%s / %s: ", p.Check, p.Name)+fmt.Sprintf(format, args...))
	}
	if now.Form != p.Form {
		say("is of the form %q and was of %q", now.Form, p.Form)
	}
	if now.Proven != "" && p.Proven == "" {
		say("its tolerance is called proven, and was not")
	}
	if now.Margin > evidenceFactor*p.Margin {
		say("equivalence margin %v, pinned %v", now.Margin, p.Margin)
	}
	if p.Alpha > 0 && now.Alpha != p.Alpha {
		say("false-alarm rate %v, pinned %v", now.Alpha, p.Alpha)
	}
	for _, r := range p.Regimes {
		at := slices.IndexFunc(now.Regimes, func(x regimeEvidence) bool { return x.Name == r.Name })
		if at < 0 {
			say("regime %q is gone", r.Name)
			continue
		}
		x := now.Regimes[at]
		if float64(x.Cases) < casesShare*float64(r.Cases) {
			say("%d cases %s, pinned %d", x.Cases, r.Name, r.Cases)
		}
		if x.MayDecline > r.MayDecline && float64(x.MayDecline) > evidenceFactor*float64(r.MayDecline) {
			say("%d cases %s may be declined, pinned %d", x.MayDecline, r.Name, r.MayDecline)
		}
		for _, c := range []struct {
			what        string
			now, pinned Number
			factor      Number
		}{{"the run", x.Run, r.Run, extremesFactor}, {"the median case", x.Median, r.Median, evidenceFactor},
			{"nine cases of ten", x.Decile, r.Decile, extremesFactor}} {
			if c.now > c.factor*c.pinned || math.IsNaN(float64(c.now)) != math.IsNaN(float64(c.pinned)) {
				say("%s %s now notices errors from %v on, pinned %v", c.what, r.Name, c.now, c.pinned)
			}
		}
	}
	return out
}

// apart reports whether two numbers differ by more than a factor. Infinities are equal to themselves.
func apart(a, b Number, factor float64) bool {
	if a == b {
		return false
	}
	x, y := float64(a), float64(b)
	return !(x <= factor*y && y <= factor*x)
}

// evidenceFile is where the evidence of a claim is pinned.
func evidenceFile(dir, slug string) string { return filepath.Join(dir, path.Base(slug)+".json") }

// compareEvidence reads the pinned evidence of a claim and lists what is weaker now. A missing file is a complaint.
func compareEvidence(dir string, row *ClaimResult) []string {
	raw, err := os.ReadFile(evidenceFile(dir, row.ID))
	if errors.Is(err, os.ErrNotExist) {
		return []string{fmt.Sprintf("no evidence is pinned for %s; run its test with -update", row.ID)}
	}
	var pinned evidence
	if err == nil {
		err = json.Unmarshal(raw, &pinned)
	}
	if err == nil && pinned.Claim != row.ID {
		err = fmt.Errorf("it is that of %q", pinned.Claim)
	}
	if err != nil {
		return []string{fmt.Sprintf("the pinned evidence of %s cannot be used: %v", row.ID, err)}
	}
	var out []string
	for _, w := range pinned.weakened(row.evidence()) {
		out = append(out, "weaker than the pinned evidence: "+w)
	}
	return out
}

// writeEvidence pins the evidence of a claim.
func writeEvidence(dir string, row *ClaimResult) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(row.evidence()); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(evidenceFile(dir, row.ID), b.Bytes(), 0o666)
}

// orphans lists pinned evidence that belongs to no claim.
func orphans(dir string, claims []Claim) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, entry := range entries {
		if !slices.ContainsFunc(claims, func(c Claim) bool {
			return evidenceFile(dir, c.Statement.Slug) == filepath.Join(dir,
				entry.Name())
		}) {
			out = append(out, fmt.Sprintf("%s is pinned evidence of no claim", filepath.Join(dir, entry.Name())))
		}
	}
	return out
}
