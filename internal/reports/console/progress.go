package console

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// display shows a run while it goes on.
type display interface {
	Begin(string)      // the options of the run
	Event(props.Event) // as props.Run reports them: one at a time, from any goroutine
	Note(string)       // a line that must not get lost
	Close()
}

// progress holds the state of a run.
type progress struct {
	claims   []string // slugs of the run
	began    time.Time
	running  []*task // in the order in which they began
	finished int
	part     bool // the claims are only measured here, and judged when all parts are joined

	costs map[string]float64 // estimated seconds of processor time, by slug; nil where nothing is estimated
	jobs  int
	done  float64 // of the costs
}

// task is a claim that is being verified.
type task struct {
	slug, stage string
	cases       results.Count
	began       time.Time
}

// update takes in an event.
func (p *progress) update(e props.Event, now time.Time) {
	at := slices.IndexFunc(p.running, func(t *task) bool { return t.slug == e.Claim })
	if e.Finished != nil {
		p.finished++
		p.done += p.costs[e.Claim]
		if at >= 0 {
			p.running = slices.Delete(p.running, at, at+1)
		}
		return
	}
	if at < 0 {
		at = len(p.running)
		p.running = append(p.running, &task{slug: e.Claim, began: now})
	}
	t := p.running[at]
	t.cases = e.Cases
	if e.Stage != "" {
		t.stage = e.Stage
	}
}

// status returns the state of the run in one line.
func (p *progress) status(now time.Time) string {
	text := fmt.Sprintf("%d of %d done, %s", p.finished, len(p.claims), terminal.Clock(now.Sub(p.began)))
	if left, known := p.left(now); known && p.finished < len(p.claims) {
		text += ", about " + terminal.Clock(left) + " left"
	}
	return text
}

// left estimates the remaining time of the run from the costs of the claims, and from the times of the finished ones. A
// running claim counts as done in proportion to its time so far, up to nine tenths.
func (p *progress) left(now time.Time) (time.Duration, bool) {
	if p.costs == nil {
		return 0, false
	}
	total, done := 0.0, p.done
	for _, slug := range p.claims {
		total += p.costs[slug]
	}
	for _, t := range p.running {
		done += min(now.Sub(t.began).Seconds(), 0.9*p.costs[t.slug])
	}
	if total <= 0 {
		return 0, false
	}
	pace := 1 / float64(max(1, p.jobs)) // seconds on the clock for one of the table
	if p.done > total/20 {
		pace = now.Sub(p.began).Seconds() / done
	}
	return time.Duration(max(0, total-done) * pace * float64(time.Second)), true
}

// slugWidth returns the width of the longest slug.
func (p *progress) slugWidth() int {
	width := 0
	for _, slug := range p.claims {
		width = max(width, terminal.Width(slug))
	}
	return width
}

// finishedLine returns the row of a finished claim. The words before the slug have the width of the longest verdict.
func (p *progress) finishedLine(row results.Claim, s terminal.Style) string {
	sign, colour := mark(row)
	if p.part && row.Verdict != results.Error {
		return fmt.Sprintf("%s  %-*s  %s cases, %.1f s", s.Paint(terminal.Faint, fmt.Sprintf("· %-10s", "measured")),
			p.slugWidth(), row.ID, Count(row.Cases), row.Seconds)
	}
	line := fmt.Sprintf("%s  %-*s  %s cases, worst ratio %s, resolution %s",
		s.Paint(colour, fmt.Sprintf("%s %-10s", sign, row.Verdict)),
		p.slugWidth(), row.ID, Count(row.Cases), worstRatio(row), row.ResolutionText())
	tried := reports.Tried(row)
	if c := tried.Controls; !full(c) {
		line += s.Paint(terminal.Red, fmt.Sprintf(", %s of controls rejected", Count(c)))
	}
	if e := tried.Errata; !full(e) {
		line += s.Paint(terminal.Red, fmt.Sprintf(", %s of errata refuted", Count(e)))
	}
	return line + fmt.Sprintf(", %.1f s", row.Seconds)
}

// frame returns the changing part of a live display: a line per running claim and the status below, no wider and no
// higher than the terminal.
func (p *progress) frame(now time.Time, width, height int, note string) []terminal.Cell {
	const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
	turn := []rune(spinner)[now.Sub(p.began).Milliseconds()/100%10]
	shown := min(len(p.running), max(0, height-3))
	var lines []terminal.Cell
	for _, t := range p.running[:shown] {
		cases := ""
		if t.cases.Planned > 0 {
			cases = Count(t.cases)
		}
		tail := fmt.Sprintf("  %11s  %s", cases, terminal.Clock(now.Sub(t.began)))
		head := fmt.Sprintf("%c %-*s  %s", turn, p.slugWidth(), t.slug, t.stage)
		room := max(0, min(width-1, 100)-terminal.Width(tail))
		head = terminal.Fit(head, room)
		lines = append(lines, terminal.Text(terminal.Fit(head+strings.Repeat(" ", room-terminal.Width(head))+tail,
			width-1)))
	}
	if hidden := len(p.running) - shown; hidden > 0 {
		lines = append(lines, terminal.Text(terminal.Fit(fmt.Sprintf("  and %d more", hidden), width-1)))
	}
	status := "  " + p.status(now)
	if note != "" {
		status += "; " + note
	}
	return append(lines, terminal.Painted(terminal.Fit(status, width-1), terminal.Faint))
}
