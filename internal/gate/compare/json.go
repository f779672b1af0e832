package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/thm-suite/thm/internal/strictjson"
)

// Schema is the name of the JSON format; package schema has its JSON Schema.
const Schema = "thm.bench.compare/v2"

// document is the table with what follows from it.
type document struct {
	Schema  string  `json:"schema"`
	Outcome Outcome `json:"outcome"`
	Table
}

func (t *Table) json(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	d := document{Schema, t.Outcome(), *t}
	if d.Rows == nil {
		d.Rows = []Row{} // not null
	}
	return e.Encode(d)
}

// ReadJSON reads what [Table.Render] wrote as json. What does not fit is refused: an unknown field, another schema,
// or an outcome that does not follow from the rows.
func ReadJSON(r io.Reader) (*Table, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var d document
	if err := strictjson.Decode(text, &d); err != nil {
		return nil, err
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("the schema is %q and not %s", d.Schema, Schema)
	}
	if err := d.Policy.Validate(); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	for _, r := range d.Rows {
		if r.Verdict != "" && !slices.Contains(Verdicts, r.Verdict) {
			return nil, fmt.Errorf("%s: there is no verdict %q", r.Name, r.Verdict)
		}
	}
	if got := d.Table.Outcome(); got != d.Outcome {
		return nil, fmt.Errorf("the outcome is %q, but its rows say %q", d.Outcome.Name, got.Name)
	}
	return &d.Table, nil
}
