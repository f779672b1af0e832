package props

import (
	"math"
	"strings"
	"time"

	"github.com/thm-suite/thm/theory"
)

// claim runs everything about one claim.
func (r *run) claim(c Claim) (row ClaimResult) {
	if len(c.Verify) == 0 {
		return r.runSpec(c)
	}
	s := newSession(r, c.Statement.Slug)
	row = newRow(c.Statement)
	defer func() { // a plan or the making of a check may panic; the other claims must not pay for it
		if p := recover(); p != nil {
			row.Verdict, row.Message = Error, describe(p)
		}
	}()
	s.verify(c, &row)
	for _, control := range c.Controls {
		r.report(Event{Claim: s.slug, Stage: "control: " + control.Name})
		row.Controls = append(row.Controls, s.control(control))
	}
	for _, refutation := range c.Errata {
		r.report(Event{Claim: s.slug, Stage: "erratum: " + refutation.Erratum})
		s.refute(c.Statement, refutation, &row)
	}
	for _, resolution := range c.Resolve {
		r.report(Event{Claim: s.slug, Stage: "resolve: " + resolution.Of})
		result := s.resolve(resolution)
		row.Resolutions = append(row.Resolutions, result)
		row.Resolution = max(row.Resolution, result.Value)
	}
	if r.ctx.Err() != nil && row.Verdict == Holds && !row.finished(c) {
		row.Verdict, row.Message = Incomplete, "interrupted before all controls, errata and resolutions had run"
	}
	row.Seconds = time.Duration(s.seconds.Load()).Seconds()
	return row
}

func newRow(s *theory.Statement) ClaimResult {
	return ClaimResult{
		ID: s.Slug, Title: s.Title, Kind: string(s.Kind), Standing: string(s.Standing),
		Source:  SourceRef{s.Source.Paper, s.Source.ArXiv, s.Source.Locus},
		Verdict: Holds,
		Parts:   []PartResult{}, Controls: []ControlResult{}, Errata: []ErratumResult{},
		Resolutions: []ResolutionResult{}, Facts: []Fact{}, Figures: []Figure{}, Series: []Series{},
	}
}

func (s *session) verify(c Claim, row *ClaimResult) {
	total := Ratio{}
	for _, check := range c.Verify {
		s.report(Event{Claim: s.slug, Stage: "verify: " + check.name})
		o := s.execute(check, 0)
		row.Cases = row.Cases.plus(o.count)
		row.Verdict = worst(row.Verdict, o.verdict)
		if row.Message == "" {
			row.Message = o.message
		}
		if o.verdict == Error || o.verdict == Incomplete {
			total = inf // what was not judged has no ratio
			continue
		}
		total = worse(total, o.Ratio())
		s.evidence(check, o, row)
	}
	if len(c.Verify) == 0 {
		total, row.Verdict, row.Message = inf, Error, "the claim has no check"
	}
	row.WorstRatio = Number(total.Value)
}

// evidence records parts, facts, figures and the counterexample of a judged check.
func (s *session) evidence(check LegacyCheck, o outcome, row *ClaimResult) {
	for _, p := range o.Parts {
		row.Parts = append(row.Parts, PartResult{Check: check.name, Name: p.Name, Verdict: p.Ratio.Verdict(),
			Ratio: Number(p.Ratio.Value), Floor: Number(p.Ratio.Lower), Alpha: p.Alpha, Zone: Number(p.Zone),
			Detects: Number(p.Detects), Needs: Number(p.Needs)})
	}
	row.Facts = append(row.Facts, o.Facts...)
	row.addFigures(o.Figures)
	if o.verdict != Refuted || row.Counterexample != "" {
		return
	}
	row.Counterexample = s.counterexample(check, o)
}

// counterexample is the worst case of a refuted check in the claim's own terms, the simplest that can be found.
func (s *session) counterexample(check LegacyCheck, o outcome) string {
	if o.failing != nil && check.shrink != nil {
		s.report(Event{Claim: s.slug, Stage: "shrink: " + check.name})
		if shrunk := check.shrink(o.failing); shrunk != "" {
			return shrunk
		}
	}
	return o.Counterexample
}

func (row *ClaimResult) addFigures(figures []Figure) {
	for _, f := range figures {
		row.Figures = append(row.Figures, f)
		for _, c := range f.Curves {
			row.Series = append(row.Series, Series{f.ID, c.Name, c.Style,
				numbers(c.X), numbers(c.Y), numbers(c.Lo), numbers(c.Hi)})
		}
	}
}

func numbers(xs []float64) []Number {
	if xs == nil {
		return nil
	}
	out := make([]Number, len(xs))
	for i, x := range xs {
		out[i] = Number(x)
	}
	return out
}

// times is how often a check is repeated with fresh streams.
func (s *session) times(c LegacyCheck, scale Scale) int {
	n := scale.At(s.Effort)
	if c.replicates > 0 {
		n = min(n, c.replicates)
	}
	return n
}

// control runs a wrong version of the claim. It must be rejected on every replicate.
func (s *session) control(c LegacyControl) ControlResult {
	result := ControlResult{Name: c.Name, Assumption: c.Assumption, Ratio: Number(math.Inf(1))}
	n, rejected := s.times(c.Check, replicates), 0
	for replicate := range n {
		o := s.execute(c.Check, replicate)
		if o.message != "" {
			result.Message = o.message
			continue
		}
		result.Ratio = min(result.Ratio, Number(o.Ratio().Lower))
		if o.verdict == Refuted {
			rejected++
		}
	}
	result.Rejected = rejected == n
	result.Fraction = Number(float64(rejected) / float64(n))
	return result
}

// refute runs a printed form against its counterexample.
func (s *session) refute(st *theory.Statement, f Refutation, row *ClaimResult) {
	result := ErratumResult{ID: f.Erratum}
	for _, e := range st.Errata {
		if e.ID == f.Erratum {
			result.Printed, result.Counterexample = e.Printed, e.Counterexample
		}
	}
	o := s.execute(f.Check, 0)
	result.Message = o.message
	if o.verdict != Error && o.verdict != Incomplete {
		result.Refuted = o.verdict == Refuted
		result.Ratio = Number(o.Ratio().Lower)
		result.Evidence = o.Counterexample
		row.Facts = append(row.Facts, o.Facts...)
		for _, fig := range o.Figures {
			if !strings.HasPrefix(fig.ID, "ratios-") { // the ratios of a refuted form say nothing more
				fig.ID = f.Erratum + "-" + fig.ID // the claim's own check may draw a figure of this name
				row.addFigures([]Figure{fig})
			}
		}
	}
	row.Errata = append(row.Errata, result)
}

// finished reports whether all controls, errata and resolutions of the claim ran to their end.
func (row *ClaimResult) finished(c Claim) bool {
	for _, control := range row.Controls {
		if control.Message != "" {
			return false
		}
	}
	for _, e := range row.Errata {
		if e.Message != "" {
			return false
		}
	}
	for _, r := range row.Resolutions {
		if r.Value != r.Value {
			return false
		}
	}
	return len(row.Controls) == len(c.Controls) && len(row.Errata) == len(c.Errata) && len(row.Resolutions) == len(c.Resolve)
}
