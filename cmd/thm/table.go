package main

import "strings"

// column is a column of a table; numbers stand on the right.
type column struct {
	head  string
	right bool
}

// cell is one entry of a table.
type cell struct {
	text  string
	paint paint
}

// table lines up columns for a reader; colour takes no room.
type table struct {
	columns []column
	rows    [][]cell
}

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

// render prints the table under its header, with two spaces between columns and none at the end of a line.
func (t *table) render(s style) string {
	head := make([]cell, len(t.columns))
	for i, c := range t.columns {
		head[i] = cell{c.head, bold}
	}
	rows := append([][]cell{head}, t.rows...)
	widths := make([]int, len(t.columns))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], columns(c.text))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		line := ""
		for i, c := range row {
			gap := strings.Repeat(" ", widths[i]-columns(c.text))
			if t.columns[i].right {
				line += gap + s.paint(c.paint, c.text) + "  "
			} else {
				line += s.paint(c.paint, c.text) + gap + "  "
			}
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// markdown prints the table as Markdown, without colour.
func (t *table) markdown() string {
	var out strings.Builder
	rule := ""
	for _, c := range t.columns {
		out.WriteString("| " + c.head + " ")
		if rule += "| ---"; c.right {
			rule += ":"
		}
		rule += " "
	}
	out.WriteString("|\n" + rule + "|\n")
	for _, row := range t.rows {
		for _, c := range row {
			out.WriteString("| " + c.text + " ")
		}
		out.WriteString("|\n")
	}
	return out.String()
}
