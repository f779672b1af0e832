package props

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// outcome is what executing one check came to.
type outcome struct {
	Judgement
	verdict Verdict
	count   Count
	message string
	failing *Trial
}

// measured are the results of a check's cells; nil where a cell did not run.
type measured struct {
	cells   []string
	results []any
	count   Count
	message string // the first cell that broke
}

// session runs the checks of one claim. Measurements that checks share are made once.
type session struct {
	*run
	slug    string
	memo    map[string]measured
	seconds atomic.Int64 // nanoseconds of work
}

// newSession starts the checks of a claim with nothing measured yet.
func newSession(r *run, slug string) *session {
	return &session{run: r, slug: slug, memo: map[string]measured{}}
}

// measure runs all cells of a check.
func (s *session) measure(c LegacyCheck, replicate int) measured {
	key := fmt.Sprintf("%s\x00%d", c.share, replicate)
	if m, ok := s.memo[key]; ok && c.share != "" {
		return m
	}
	if c.share != "" {
		c.name = c.share // so that the streams of a shared measurement do not depend on who asks first
	}
	cells := c.plan(s.Effort)
	m := measured{cells: cells, results: make([]any, len(cells)), count: Count{Planned: len(cells)}}
	broken := make([]string, len(cells))
	var done atomic.Int64
	s.pool.each(s.ctx, len(cells), func(i int) {
		begin := time.Now()
		defer func() {
			if p := recover(); p != nil {
				broken[i] = fmt.Sprintf("cell %s: %s", cells[i], describe(p))
				m.results[i] = nil
			}
			s.seconds.Add(int64(time.Since(begin)))
			s.cells.Add(1)
			s.report(Event{Claim: s.slug, Cases: Count{len(cells), int(done.Add(1))}})
		}()
		m.results[i] = c.measure(c.newTrial(s.run, s.slug, cells, i, replicate))
	})
	for i := range cells {
		if m.results[i] != nil {
			m.count.Run++
		}
		if m.message == "" {
			m.message = broken[i]
		}
	}
	if c.share != "" && m.count.Run == m.count.Planned {
		s.memo[key] = m
	}
	return m
}

// describe says what was panicked with, and where.
func describe(p any) string {
	if f, ok := p.(fault); ok {
		return string(f)
	}
	return fmt.Sprint(p) + panicSite()
}

// panicSite names the function and line that panicked, without addresses and directories, so that messages are
// reproducible. It is called while the panic is being recovered.
func panicSite() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for panicked := false; ; {
		f, more := frames.Next()
		library := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "gonum.org/")
		if panicked && !library {
			return fmt.Sprintf(" (%s, %s:%d)", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}

// execute measures a check and judges it. Fewer cells than planned are never judged.
func (s *session) execute(c LegacyCheck, replicate int) (o outcome) {
	m := s.measure(c, replicate)
	o.count, o.failing = m.count, nil
	switch {
	case m.message != "":
		o.verdict, o.message = Error, c.name+": "+m.message
	case m.count.Run < m.count.Planned:
		o.verdict, o.message = Incomplete, fmt.Sprintf("%s: %d of %d cases ran", c.name, m.count.Run, m.count.Planned)
	case m.count.Planned == 0:
		o.verdict, o.message = Error, c.name+": no case is planned"
	default:
		s.judge(c, replicate, m, &o)
	}
	return o
}

func (s *session) judge(c LegacyCheck, replicate int, m measured, o *outcome) {
	defer func() {
		if p := recover(); p != nil {
			o.verdict, o.message = Error, fmt.Sprintf("%s: judging: %s", c.name, describe(p))
		}
	}()
	o.Judgement = c.judge(s.Effort, m.results)
	o.verdict = o.Ratio().Verdict()
	if o.Judgement.failing >= 0 {
		o.failing = c.newTrial(s.run, s.slug, m.cells, o.Judgement.failing, replicate)
	}
}
