package compare

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// layout lines up rows of cells under heads that span several columns.
type layout struct {
	columns []columnStyle
	heads   [][]span
	rows    [][]string
}

// columnStyle holds the margin before a column, and whether its text is aligned to the right.
type columnStyle struct {
	margin string
	right  bool
}

// span is a text over the columns from..to.
type span struct {
	from, to int
	text     string
}

// columnsOf is benchstat's layout: name; center ± range and notes; the same with delta, test and notes; and ours: the
// ends of the interval, floor, verdict. Without a comparison it ends after the first group.
func columnsOf(compared bool) []columnStyle {
	all := []columnStyle{
		{"", false},
		{" │ ", true}, {" ± ", true}, {" ", false},
		{" │ ", true}, {" ± ", true}, {" ", false}, {"  ", true}, {" ", false}, {" ", false},
		{" │ ", true}, {" … ", true}, {"  ", true}, {"  ", false},
	}
	if !compared {
		return all[:4]
	}
	return all
}

func (l *layout) head(spans ...span) {
	l.heads = append(l.heads, slices.DeleteFunc(spans, func(s span) bool { return s.to >= len(l.columns) }))
}

// widths returns the widths of the longest texts. A column without any text has no margin either.
func (l *layout) widths() []int {
	widths := make([]int, len(l.columns))
	for _, row := range l.rows {
		for i := range l.columns {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, head := range l.heads {
		for _, s := range head {
			if lack := utf8.RuneCountInString(s.text) - l.room(widths, s); lack > 0 {
				widths[s.from] += lack
			}
		}
	}
	return widths
}

// room is the width of a span after its own margin.
func (l *layout) room(widths []int, s span) int {
	n := 0
	for i := s.from; i <= s.to; i++ {
		n += widths[i]
		if i > s.from && widths[i] > 0 {
			n += utf8.RuneCountInString(l.columns[i].margin)
		}
	}
	return n
}

func (l *layout) print(out *strings.Builder) {
	widths := l.widths()
	for _, head := range l.heads {
		line := strings.Repeat(" ", widths[0])
		for _, s := range head {
			text := center(s.text, l.room(widths, s))
			if !strings.Contains(l.columns[s.from].margin, "│") {
				text = fmt.Sprintf("%-*s", l.room(widths, s), s.text)
			}
			line += l.columns[s.from].margin + text
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, row := range l.rows {
		line := ""
		for i, c := range l.columns {
			if widths[i] == 0 {
				continue
			}
			margin := strings.ReplaceAll(c.margin, "│", " ") // the bars are for the heads
			if row[i] == "" {
				margin = strings.Repeat(" ", utf8.RuneCountInString(margin))
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(row[i]))
			if c.right {
				line += margin + pad + row[i]
			} else {
				line += margin + row[i] + pad
			}
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func center(text string, width int) string {
	left := max(0, width-utf8.RuneCountInString(text)) / 2
	return fmt.Sprintf("%-*s", width, strings.Repeat(" ", left)+text)
}

// footnotes numbers sentences, each once.
type footnotes struct{ list []string }

// add returns the marks of sentences.
func (f *footnotes) add(sentences ...string) string {
	var marks []string
	for _, s := range sentences {
		i := slices.Index(f.list, s)
		if i < 0 {
			i = len(f.list)
			f.list = append(f.list, s)
		}
		marks = append(marks, superscript(i+1))
	}
	return strings.Join(marks, " ")
}

func (f *footnotes) print(out *strings.Builder) {
	for i, s := range f.list {
		fmt.Fprintf(out, "%s %s\n", superscript(i+1), s)
	}
}

func superscript(i int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	return strings.Map(func(r rune) rune { return digits[r-'0'] }, fmt.Sprint(i))
}
