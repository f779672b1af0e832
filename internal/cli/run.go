package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/terminal"
)

// Run executes one command line of a root command and returns the exit code. Every error is one line on stderr; an
// error that does not say otherwise is one of usage.
func (o Output) Run(root func() *cobra.Command, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil { // the runtime's own exit code would mean bad usage
			fmt.Fprintf(o.Stderr, "%s: internal error: %v\n%s", o.Name, r, debug.Stack())
			code = Unsettled
		}
	}()
	cmd := root()
	cmd.SetArgs(append([]string{}, args...))
	err := cmd.Execute()
	if err == nil {
		return Green
	}
	e := Exit{Usage, err}
	errors.As(err, &e)
	if e.Err != nil {
		text := oneLine(e.Err.Error())
		if o.Rename != nil {
			text = o.Rename(text)
		}
		fmt.Fprintf(o.Stderr, "%s: %s\n", o.Name, terminal.Plainly(text))
	}
	return e.Code
}

// oneLine joins the lines of an error by semicolons, except those that continue the one before: they are indented, or
// follow a colon.
func oneLine(text string) string {
	var out string
	for line := range strings.Lines(text) {
		words := strings.Join(strings.Fields(line), " ")
		switch {
		case words == "" || out == "":
		case strings.HasSuffix(out, ":") || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			out += " "
		default:
			out += "; "
		}
		out += words
	}
	return out
}
