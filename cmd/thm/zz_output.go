package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// output is where a command writes, and under which name it speaks.
type output struct {
	name           string // of the program, before its notes and errors
	stdout, stderr io.Writer
}

// print writes a command's whole output at once and reports what becomes of it.
func (o output) print(text string) error {
	if _, err := io.WriteString(o.stdout, text); err != nil {
		return exit{exitUnsettled, fmt.Errorf("writing the output: %w", err)}
	}
	return nil
}

// printJSON prints a value as indented JSON with the characters of formulas as they are.
func (o output) printJSON(value any) error {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return exit{exitUnsettled, err}
	}
	return o.print(out.String())
}
