package diff

import (
	"context"
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
)

// Relinked are the arms of the old and of the new code in random orders of the linker, of which each round has another.
var Relinked = []string{"old relinked", "new relinked"}

// relinkings is the number of such orders: 2/C(2n, n) is 10⁻⁶, less than the part of α of any row.
const relinkings = 12

// relinked gates time that is slower at the same count, if it is slower in random orders of the linker too. If the code
// does the same, all of these are equally likely on both sides, so that the test has its level whatever the place of
// code does to the time.
func (c Comparison) relinked(t *compare.Table) {
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Unit != "sec/op" || r.Reason != compare.LayoutReason {
			continue
		}
		var sides [2][]float64
		for _, s := range c.Samples {
			side := slices.Index(Relinked, s.Arm)
			if side < 0 || s.Result == nil || group(s.Package) != r.Group || string(s.Result.Name) != r.Name {
				continue
			}
			if x, ok := s.Result.Value("sec/op"); ok {
				sides[side] = append(sides[side], x)
			}
		}
		if len(sides[0]) == 0 {
			continue
		}
		j := compare.Judge(sides[0], sides[1], compare.Spec{Alpha: 1 - r.Change.Level, Margin: c.Policy.MarginOf(r.Unit),
			Better: -1})
		if r.Gated = j.Verdict == compare.Slower; r.Gated {
			r.Change = j.Change
		}
		word := map[bool]string{true: "slower", false: "not surely slower"}[r.Gated]
		r.Reason = fmt.Sprintf("%s in %d random orders of the linker, at the same count", word, len(sides[1]))
	}
}

// relink measures the benchmarks whose time is slower at the same count once more, each time in another order of the
// linker. What cannot be linked so is left as it is.
func (p *Procedure) relink(ctx context.Context, t *compare.Table, have []measure.Sample) ([]measure.Sample, error) {
	var all []measure.Sample
	suspects := slices.DeleteFunc(slices.Clone(p.Common), func(b measure.Benchmark) bool {
		return !slices.ContainsFunc(t.Rows, func(r compare.Row) bool {
			return r.Reason == compare.LayoutReason && r.Group == group(b.Package) && measure.Bare(r.Name) == b.Name
		})
	})
	if p.Relink == nil || len(suspects) == 0 {
		return nil, nil
	}
	session := p.Session
	session.Count, session.Have, session.Progress = nil, have, nil
	for round := range relinkings {
		p.Display.Count("linking what is slower at the same count in another order", round, relinkings, 0)
		session.Binaries = nil
		packages := map[string]bool{}
		for _, b := range suspects {
			for i, arm := range []string{Old, New} {
				if packages[b.Package+arm] {
					continue
				}
				packages[b.Package+arm] = true
				bin, err := p.Relink(ctx, b.Package, arm, 2*round+i+1)
				if err != nil {
					p.Display.Note("not linked in another order: " + err.Error())
					return all, ctx.Err()
				}
				bin.Arm = Relinked[i]
				session.Binaries = append(session.Binaries, bin)
			}
		}
		more, err := session.Take(ctx, suspects, round, round+1)
		if all = append(all, more...); err != nil {
			return all, err
		}
	}
	return all, nil
}
