package console

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// screen is as much of a terminal as the display needs: new lines, the cursor up, the beginning of the line, and
// clearing from the cursor on. Colours are dropped. A line that is too long is broken, as a terminal does.
type screen struct {
	width    int
	lines    []string
	row, col int
}

func (s *screen) Write(b []byte) (int, error) {
	text := []rune(string(b))
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			s.row, s.col = s.row+1, 0
		case text[i] == '\r':
			s.col = 0
		case text[i] == 0x1b:
			end := i + 2
			for text[end] < '@' {
				end++
			}
			s.command(string(text[i+2:end]), text[end])
			i = end
		default:
			s.put(text[i])
		}
	}
	return len(b), nil
}

func (s *screen) command(argument string, letter rune) {
	switch letter {
	case 'A':
		n, _ := strconv.Atoi(argument)
		s.row = max(0, s.row-n)
	case 'J':
		s.lines = s.lines[:min(s.row, len(s.lines))]
	case 'm':
	default:
		panic("the display uses a command that its test does not know: " + string(letter))
	}
}

func (s *screen) put(r rune) {
	if s.col == s.width {
		s.row, s.col = s.row+1, 0
	}
	for len(s.lines) <= s.row {
		s.lines = append(s.lines, "")
	}
	s.lines[s.row] += string(r)
	s.col++
}

// clockAt is a clock that a test moves by hand.
type clockAt struct{ t time.Time }

func (c *clockAt) now() time.Time       { return c.t }
func (c *clockAt) pass(d time.Duration) { c.t = c.t.Add(d) }

func finished(slug string, v results.Verdict) *results.Claim {
	return &results.Claim{ID: slug, Verdict: v, Cases: results.Count{Planned: 30, Run: 30}, Seconds: 1.25,
		WorstRatio: 0.5,
		Criteria:   []results.Criterion{{Form: results.Exactness, Unit: results.Exact}}}
}

func TestLiveDisplay(t *testing.T) {
	term, clock := &screen{width: 80}, &clockAt{time.Unix(0, 0)}
	width, height := 80, 24
	l := newLive(term, progress{claims: []string{"one/a", "one/longer", "two/b"}}, terminal.Style{On: true},
		func() (int, int) { return width, height }, clock.now, nil)
	l.Event(props.Event{Claim: "one/a", Stage: "verify: equal"})
	l.Event(props.Event{Claim: "one/longer", Stage: "verify: slope"})
	clock.pass(3 * time.Second)
	l.Event(props.Event{Claim: "one/a", Cases: results.Count{Planned: 30, Run: 12}})
	l.draw("")
	require.Equal(t, []string{
		"⠋ one/a       verify: equal                                         12/30  0:03",
		"⠋ one/longer  verify: slope                                                0:03",
		"  0 of 3 done, 0:03",
	}, term.lines)

	clock.pass(100 * time.Millisecond)
	l.Event(props.Event{Claim: "one/a", Finished: finished("one/a", results.Holds)})
	require.Equal(t, []string{
		"✓ holds       one/a       30/30 cases, worst ratio 0.5, resolution exact, 1.2 s",
		"⠙ one/longer  verify: slope                                                0:03",
		"  1 of 3 done, 0:03",
	}, term.lines, "a finished claim scrolls up")

	l.Note("stopping")
	require.Equal(t, "  1 of 3 done, 0:03; stopping", term.lines[2])

	width, term.width = 40, 40 // a narrower window has broken the old frame into more lines
	term.reflow()
	l.draw("")
	require.Equal(t, []string{
		"✓ holds       one/a       30/30 cases, w",
		"orst ratio 0.5, resolution exact, 1.2 s",
		"⠙ one/longer  verif…               0:03",
		"  1 of 3 done, 0:03; stopping",
	}, term.lines)

	l.Close()
	require.Len(t, term.lines, 2, "the frame is gone, the finished row stays")
}

// reflow breaks lines that have become too long, and takes the cursor along.
func (s *screen) reflow() {
	var out []string
	for _, line := range s.lines {
		text := []rune(strings.TrimRight(line, " "))
		for len(text) > s.width {
			out, text = append(out, string(text[:s.width])), text[s.width:]
		}
		out = append(out, string(text))
	}
	s.row += len(out) - len(s.lines)
	s.lines = out
}

func TestLiveDisplayFitsTheTerminal(t *testing.T) {
	clock := &clockAt{time.Unix(0, 0)}
	for _, size := range [][2]int{{80, 24}, {100, 5}, {20, 10}, {5, 4}, {1, 1}, {2, 2}} {
		p := progress{began: clock.now()}
		for i := range 30 {
			slug := fmt.Sprintf("source/claim%d", i)
			p.claims = append(p.claims, slug)
			p.update(props.Event{Claim: slug, Stage: "control: ‖x̂‖ " + strings.Repeat("long ", 30)}, clock.now())
		}
		lines := p.frame(clock.now(), size[0], size[1], "note")
		require.LessOrEqual(t, len(lines), max(2, size[1]-1), size)
		for _, line := range lines {
			require.Less(t, terminal.Width(line.Text), max(1, size[0]), "%v: %q", size, line.Text)
		}
	}
}

func TestPlainDisplay(t *testing.T) {
	var out strings.Builder
	clock := &clockAt{time.Unix(0, 0)}
	d := newPlain(terminal.NewProgress(&out, "thm", false), progress{claims: []string{"one/a", "two/b"}}, clock.now)
	d.Event(props.Event{Claim: "one/a", Stage: "control: sign", Cases: results.Count{Planned: 9, Run: 4}})
	clock.pass(70 * time.Second)
	require.Equal(t, "0 of 2 done, 1:10; running: one/a (control: sign, 4/9)", d.beat())
	weak := finished("one/a", results.Holds)
	weak.Controls = []results.Control{{Rejected: true}, {Rejected: false}}
	d.Event(props.Event{Claim: "one/a", Finished: weak})
	d.Note("stopping")
	d.Close()
	require.Equal(t, `✗ holds       one/a  30/30 cases, worst ratio 0.5, resolution exact, 1/2 of controls rejected, 1.2 s
thm: stopping
`, out.String())
}

func TestColourNeverStandsAlone(t *testing.T) {
	for _, v := range results.Verdicts {
		line := (&progress{}).finishedLine(*finished("one/a", v), terminal.Style{On: false})
		require.Contains(t, line, string(v))
		require.NotContains(t, line, "\x1b")
		require.Contains(t, (&progress{}).finishedLine(*finished("one/a", v), terminal.Style{On: true}), "\x1b[")
	}
	t.Setenv("NO_COLOR", "1")
	require.False(t, terminal.StyleOf(&strings.Builder{}, false).On)
}
