package reports

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/thm-suite/thm/props/results"
)

//go:embed schema/results-v5.schema.json
var schemaFile []byte

// Schema returns the JSON Schema (draft 2020-12) of a results file.
func Schema() []byte { return slices.Clone(schemaFile) }

// resultsSchema parses the schema once.
var resultsSchema = sync.OnceValues(func() (*jsonschema.Schema, *jsonschema.Resolved) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schemaFile, &s); err != nil {
		panic("reports: the embedded schema is not JSON")
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		panic("reports: the embedded schema does not resolve")
	}
	return &s, resolved
})

// validate compares a decoded document with the schema. The library says whether it fits; explain says where it does
// not, which the library leaves open.
func validate(document any) error {
	if fields, ok := document.(map[string]any); ok {
		if name, ok := fields["schema"].(string); ok && name != results.SchemaName {
			return fmt.Errorf("schema: expected %q, the version that this program reads, found %s", results.SchemaName,
				shown(name))
		}
	}
	schema, resolved := resultsSchema()
	if err := explain(schema, schema, document, ""); err != nil {
		return err
	}
	if err := resolved.Validate(document); err != nil {
		return errors.New("expected results: " + strings.Join(strings.Fields(err.Error()), " "))
	}
	return nil
}
