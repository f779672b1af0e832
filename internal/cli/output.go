package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/thm-suite/thm/internal/terminal"
)

// Output is where a command writes, and under which name it speaks.
type Output struct {
	Name           string // of the program, before its notes and errors
	Stdout, Stderr io.Writer
	Rename         func(text string) string // puts that name into errors that name a program; nil for as they are
}

// Print writes a command's whole output at once and reports what becomes of it. Colours are the only escapes of a
// terminal that it lets through: others come from a file.
func (o Output) Print(text string) error {
	if _, err := io.WriteString(o.Stdout, terminal.Clean(text)); err != nil {
		return Exit{Unsettled, fmt.Errorf("writing the output: %w", err)}
	}
	return nil
}

// PrintJSON prints a value as indented JSON with the characters of formulas as they are.
func (o Output) PrintJSON(value any) error {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return Exit{Unsettled, err}
	}
	return o.Print(out.String())
}
