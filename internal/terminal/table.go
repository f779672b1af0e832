package terminal

import (
	"strings"

	"github.com/thm-suite/thm/internal/list"
)

// Column is a column of a table; numbers stand on the right.
type Column struct {
	Head  string
	Right bool
}

// Cell is one entry of a table.
type Cell struct {
	Text   string
	Colour Colour
}

// Text is an entry without colour.
func Text(text string) Cell { return Cell{text, Plain} }

// Texts are entries without colour.
func Texts(texts ...string) []Cell {
	return list.Map(texts, Text)
}

// Painted is an entry in a colour or weight.
func Painted(text string, colour Colour) Cell { return Cell{text, colour} }

// Table lines up columns for a reader; colour takes no room.
type Table struct {
	Columns []Column
	rows    [][]Cell
}

// NewTable is a table without rows, with these heads; one that begins with # is of a column of numbers.
func NewTable(heads ...string) *Table {
	return &Table{Columns: list.Map(heads, func(head string) Column {
		text, right := strings.CutPrefix(head, "#")
		return Column{text, right}
	})}
}

// Add appends a row, with a cell for each column.
func (t *Table) Add(cells ...Cell) { t.rows = append(t.rows, cells) }

// AddTexts appends a row without colour.
func (t *Table) AddTexts(texts ...string) { t.Add(Texts(texts...)...) }

// Render prints the table under its header, with two spaces between columns and none at the end of a line.
func (t *Table) Render(s Style) string {
	head := list.Map(t.Columns, func(c Column) Cell { return Cell{c.Head, Bold} })
	rows := append([][]Cell{head}, t.rows...)
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], Width(c.Text))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		line := ""
		for i, c := range row {
			gap := strings.Repeat(" ", widths[i]-Width(c.Text))
			if t.Columns[i].Right {
				line += gap + s.Paint(c.Colour, c.Text) + "  "
			} else {
				line += s.Paint(c.Colour, c.Text) + gap + "  "
			}
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// Within returns the table with the widest columns of words broken into lines, so that no line is longer than a
// width. A column of words keeps at least 12 columns, and one of numbers is never broken.
func (t *Table) Within(width int) *Table {
	widths := make([]int, len(t.Columns))
	total := 2 * (len(t.Columns) - 1)
	for i, c := range t.Columns {
		widths[i] = Width(c.Head)
		for _, row := range t.rows {
			widths[i] = max(widths[i], Width(row[i].Text))
		}
		total += widths[i]
	}
	for total > width {
		widest := -1
		for i, c := range t.Columns {
			if !c.Right && widths[i] > 12 && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	out := &Table{Columns: t.Columns}
	for _, row := range t.rows {
		out.addBroken(row, widths)
	}
	return out
}

// addBroken adds a row as so many rows as its longest cell has lines.
func (t *Table) addBroken(row []Cell, widths []int) {
	broken, height := make([][]string, len(row)), 1
	for i, c := range row {
		broken[i] = breakWords(c.Text, widths[i])
		height = max(height, len(broken[i]))
	}
	for line := range height {
		cells := make([]Cell, len(row))
		for i, c := range row {
			if line < len(broken[i]) {
				cells[i] = Cell{broken[i][line], c.Colour}
			}
		}
		t.Add(cells...)
	}
}

// breakWords breaks a text between words, and a word that is too long within.
func breakWords(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && Width(line)+1+Width(word) > width {
			out, line = append(out, line), ""
		}
		for Width(word) > width {
			runes := []rune(word)
			n := len(runes)
			for Width(string(runes[:n])) > width {
				n--
			}
			out, word = append(out, string(runes[:n])), string(runes[n:])
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(out, line)
}

// Markdown prints the table as Markdown, without colour, each row in one line.
func (t *Table) Markdown() string {
	escape := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	var out strings.Builder
	rule := ""
	for _, c := range t.Columns {
		out.WriteString("| " + escape(c.Head) + " ")
		if rule += "| ---"; c.Right {
			rule += ":"
		}
		rule += " "
	}
	out.WriteString("|\n" + rule + "|\n")
	for _, row := range t.rows {
		for _, c := range row {
			out.WriteString("| " + escape(c.Text) + " ")
		}
		out.WriteString("|\n")
	}
	return out.String()
}
