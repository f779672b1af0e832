package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/internal/atomicfile"
)

// Write writes results.json, index.html and report.md into a directory, which it makes if need be. Each file is
// replaced at once, results.json first: the others can be rendered again from it.
func Write(dir string, r *experiment.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name   string
		render func(*experiment.Result) ([]byte, error)
	}{
		{"results.json", Encode},
		{"index.html", HTML},
		{"report.md", Markdown},
	} {
		b, err := f.render(r)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := atomicfile.Write(filepath.Join(dir, f.name), b); err != nil {
			return err
		}
	}
	return nil
}

// Encode writes the results as JSON, a run per line.
func Encode(r *experiment.Result) ([]byte, error) {
	var whole bytes.Buffer
	encoder := json.NewEncoder(&whole)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(whole.Bytes(), []byte(`},{`), []byte("},\n{")), nil
}

// Decode reads results.json. It refuses other formats and unknown fields.
func Decode(b []byte) (*experiment.Result, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, fmt.Errorf("experiments: not JSON: %w", err)
	}
	if head.Schema != experiment.SchemaName {
		return nil, fmt.Errorf("experiments: schema is %q; this program reads %q", head.Schema, experiment.SchemaName)
	}
	in := json.NewDecoder(bytes.NewReader(b))
	in.DisallowUnknownFields()
	r := &experiment.Result{}
	if err := in.Decode(r); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	return r, check(r)
}

// check refuses results that the renderer could not draw.
func check(r *experiment.Result) error {
	for _, f := range append(append([]experiment.Finding{}, r.Headlines...), r.Findings...) {
		if _, known := verdicts[f.Verdict]; !known {
			return fmt.Errorf("experiments: verdict %q of %s on %s", f.Verdict, f.Claim, f.Dataset)
		}
		if !knownClaim(f.Claim) {
			return fmt.Errorf("experiments: claim %q", f.Claim)
		}
	}
	for _, g := range r.Training {
		for _, rule := range g.Rules {
			if rule.Best < 0 || rule.Best >= len(rule.Gammas) {
				return fmt.Errorf("experiments: %s, %s, %s: step size number %d of %d", g.Dataset, g.Network, rule.Rule,
					rule.Best, len(rule.Gammas))
			}
			for _, gamma := range rule.Gammas {
				for _, run := range gamma.Runs {
					if n := r.Run.Sizes.Epochs + 1; len(run.Test) != n || len(run.Validation) != n {
						return fmt.Errorf("experiments: %s, %s, %s: a run has %d accuracies, not %d", g.Dataset,
							g.Network, rule.Rule, len(run.Test), n)
					}
				}
			}
		}
	}
	for _, c := range r.Covariance {
		for _, run := range c.Runs {
			if len(run.Epochs) != r.Run.Sizes.Epochs {
				return fmt.Errorf("experiments: %s: a run has %d epochs, not %d", c.Dataset, len(run.Epochs),
					r.Run.Sizes.Epochs)
			}
			for _, d := range [][]float64{run.Gram, run.Shift, run.AGOP, run.Increment} {
				if len(d) != 0 && len(d) != run.Side*run.Side {
					return fmt.Errorf("experiments: %s: picture of %d pixels, not %d×%d", c.Dataset, len(d), run.Side,
						run.Side)
				}
			}
		}
	}
	return checkKeeping(r)
}

func checkKeeping(r *experiment.Result) error {
	for _, n := range r.NewtonSchulz {
		for _, run := range n.Runs {
			if len(run.Ten) != len(n.Runs[0].Ten) || len(run.Exact) != len(run.Ten) || len(run.Ten) == 0 {
				return fmt.Errorf("experiments: %s: runs of different lengths", n.Dataset)
			}
		}
	}
	return nil
}

func knownClaim(id string) bool {
	for _, c := range experiment.Claims {
		if c.ID == id {
			return true
		}
	}
	return false
}
