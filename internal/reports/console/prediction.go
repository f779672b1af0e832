package console

import (
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/theory"
)

// Prediction returns a row for each closed form.
func Prediction(quantities []theory.Quantity) *terminal.Table {
	t := terminal.NewTable("name", "symbol", "#value", "meaning")
	for _, q := range quantities {
		t.AddTexts(q.Name, q.Symbol, foretold(q.Bound, q.Value, 10), q.Explained())
	}
	return t
}
