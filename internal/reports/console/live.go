package console

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// live redraws the running claims in place; finished ones scroll up above them. It never changes a mode of the
// terminal, so there is nothing to restore after a crash.
type live struct {
	terminal.Ticker
	mu       sync.Mutex
	out      io.Writer
	size     func() (columns, lines int)
	now      func() time.Time
	style    terminal.Style
	progress progress
	note     string
	drawn    []int // widths of the lines of the last frame
}

// newLive returns a display that redraws itself with every tick until it is closed.
func newLive(out io.Writer, p progress, s terminal.Style, size func() (int, int), now func() time.Time,
	ticks <-chan time.Time) *live {
	p.began = now()
	l := &live{out: out, size: size, now: now, style: s, progress: p}
	l.Start(ticks, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.draw("")
	})
	return l
}

// Event takes in a step; it shows at the next tick, or at once when a claim is done.
func (l *live) Event(e props.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.update(e, l.now())
	if e.Finished != nil {
		l.draw(l.progress.finishedLine(*e.Finished, l.style) + "\n")
	}
}

// Begin shows a line in the status until a note replaces it.
func (l *live) Begin(text string) { l.Note(text) }

// Note shows a line in the status until the end.
func (l *live) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note = text
	l.draw("")
}

// Close removes the frame and leaves an empty line; lines that scrolled up stay.
func (l *live) Close() {
	l.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.out, l.erase()+"\n")
	l.drawn = nil
}

// draw puts text above a new frame, in one write so that nothing flickers.
func (l *live) draw(above string) {
	width, height := l.size()
	text := l.erase() + above
	l.drawn = l.drawn[:0]
	for _, line := range l.progress.frame(l.now(), width, height, l.note) {
		text += l.style.Paint(line.Colour, line.Text) + "\n"
		l.drawn = append(l.drawn, terminal.Width(line.Text))
	}
	_, _ = io.WriteString(l.out, text)
}

// erase moves to the top of the last frame and clears from there. A terminal that has become narrower since then has
// broken its lines.
func (l *live) erase() string {
	width, _ := l.size()
	up := 0
	for _, columns := range l.drawn {
		up += max(1, (columns+width-1)/width)
	}
	if up == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", up)
}
