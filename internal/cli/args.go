package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// UnknownCommand refuses words that name no command, and says which ones are close.
func UnknownCommand(parent *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	parent.SuggestionsMinimumDistance = 2
	message := fmt.Sprintf("unknown command %q for %s", words[0], parent.CommandPath())
	if close := parent.SuggestionsFor(words[0]); len(close) > 0 {
		message += "; did you mean " + strings.Join(close, " or ") + "?"
	}
	return fmt.Errorf("%s; see %s --help", message, parent.CommandPath())
}

// Args checks the number of a command's words, and otherwise says what they should be. A negative
// max is none.
func Args(min, max int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < min || max >= 0 && len(args) > max {
			return fmt.Errorf("%s wants %s; see %s --help", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}
