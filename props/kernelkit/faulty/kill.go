package faulty

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit"
	"github.com/thm-suite/thm/props/results"
)

// KillMatrix says which faults each check rejects.
type KillMatrix struct {
	Schema string    `json:"schema"`
	Sound  string    `json:"sound"` // the kernel that the faults were built into
	Full   bool      `json:"full"`  // every check of a family ran on every fault of the family
	Rows   []KillRow `json:"rows"`
}

// KillRow is one check of the matrix.
type KillRow struct {
	Check   string            `json:"check"`
	Verdict kernelkit.Verdict `json:"verdict"` // of the sound kernel: a check that rejects that one too shows nothing
	Faults  []Kill            `json:"faults"`
}

// Kill is one check on one fault.
type Kill struct {
	Fault    string         `json:"fault"`
	Own      bool           `json:"own"` // the check promises to reject it
	Rejected bool           `json:"rejected"`
	Ratio    results.Number `json:"ratio"`
	Message  string         `json:"message,omitempty"` // why the check came to no verdict
}

// Kills runs the checks on kernels with built-in faults, each check on those that it promises to reject. With full set
// it runs on every fault of its family, which is what the names share before the slash. Only the options Effort, Seed,
// Match and Progress count: instances run one at a time, because faults that remember earlier calls would otherwise
// make them depend on each other. Checks of parts that the sound kernel does not offer are left out.
func Kills(ctx context.Context, sound kernel.Kernel, o kernelkit.Options, full bool) (*KillMatrix, error) {
	checks, err := kernelkit.Match(o.Match)
	if err != nil {
		return nil, err
	}
	restore, err := sound.Begin()
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", sound.Name, err)
	}
	defer restore()
	o.Jobs = 1
	m := &KillMatrix{Schema: kernelkit.Schema, Sound: sound.Name, Full: full}
	m.add(ctx, sound, "", checks, o)
	m.add(ctx, inSingle(sound), ", in single precision", checks, o)
	return m, nil
}

// add runs checks on a sound kernel with its faults.
func (m *KillMatrix) add(ctx context.Context, sound kernel.Kernel, suffix string, checks []kernelkit.Check,
	o kernelkit.Options) {
	for _, c := range checks {
		if !c.OfferedBy(sound) {
			continue
		}
		row := KillRow{Check: c.Name + suffix, Verdict: kernelkit.VerdictOf(kernelkit.Judge(ctx, c, sound, o).Verdict)}
		for _, f := range meets(c, m.Full) {
			out := kernelkit.Judge(ctx, c, f.Break(sound), o)
			row.Faults = append(row.Faults, Kill{Fault: f.Name, Own: promises(c, f.Name),
				Rejected: out.Verdict == results.Refuted,
				Ratio:    out.Ratio, Message: out.Message})
		}
		m.Rows = append(m.Rows, row)
	}
}

// meets are the faults that a check runs on: its own, and on request those of its family.
func meets(c kernelkit.Check, family bool) []Fault {
	faults := slices.Clone(Of(c.Name))
	if !family {
		return faults
	}
	name, _, _ := strings.Cut(c.Name, "/")
	for _, other := range kernelkit.Checks() {
		if !strings.HasPrefix(other.Name, name+"/") || other.Part != c.Part {
			continue
		}
		for _, f := range Of(other.Name) {
			if !slices.ContainsFunc(faults, func(g Fault) bool { return g.Name == f.Name }) {
				faults = append(faults, f)
			}
		}
	}
	return faults
}

func promises(c kernelkit.Check, fault string) bool {
	return slices.ContainsFunc(Of(c.Name), func(f Fault) bool { return f.Name == fault })
}

// Gaps lists what keeps the matrix from being complete: a check without a fault, a fault that a check promises to
// reject and does not, a check that the sound kernel fails. It is empty when the matrix is complete.
func (m *KillMatrix) Gaps() []string {
	var gaps []string
	if len(m.Rows) == 0 {
		gaps = append(gaps, "no check was tried")
	}
	for _, row := range m.Rows {
		if row.Verdict != kernelkit.Holds {
			gaps = append(gaps, fmt.Sprintf("%s: %s on the sound kernel", row.Check, row.Verdict))
		}
		own := 0
		for _, k := range row.Faults {
			if !k.Own {
				continue
			}
			own++
			if !k.Rejected {
				gaps = append(gaps, strings.TrimSpace(fmt.Sprintf("%s: accepts the fault %q (ratio %.3g) %s", row.Check,
					k.Fault, float64(k.Ratio), k.Message)))
			}
		}
		if own == 0 {
			gaps = append(gaps, row.Check+": has no fault to reject")
		}
	}
	return gaps
}

// Render prints the matrix: a line for each check, then what its own faults came to, and for a full matrix which faults
// of other checks it rejects besides.
func (m *KillMatrix) Render(w io.Writer) error {
	var b strings.Builder
	rejected, tried := 0, 0
	for _, row := range m.Rows {
		fmt.Fprintf(&b, "%s\n", row.Check)
		also := []string{}
		for _, k := range row.Faults {
			switch {
			case k.Own && k.Rejected:
				fmt.Fprintf(&b, "  rejects  %s\n", k.Fault)
			case k.Own:
				fmt.Fprintf(&b, "  ACCEPTS  %s\n", k.Fault)
			case k.Rejected:
				also = append(also, k.Fault)
			}
			if k.Own {
				tried++
				if k.Rejected {
					rejected++
				}
			}
		}
		if len(also) > 0 {
			fmt.Fprintf(&b, "  and also %s\n", strings.Join(also, ", "))
		}
	}
	fmt.Fprintf(&b, "%d checks, %d of %d faults rejected\n", len(m.Rows), rejected, tried)
	_, err := io.WriteString(w, b.String())
	return err
}
