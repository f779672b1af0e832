package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/thm-suite/thm/internal/list"
)

// explain returns the first place, in alphabetical order of fields, where a value violates the schema. It supports the
// keywords of the results schema.
func explain(root, s *jsonschema.Schema, value any, path string) error {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return explain(root, root.Defs[name], value, path)
	}
	if !fits(s, value) {
		return fmt.Errorf("%s: expected %s, found %s", cmp.Or(path, "document"), expected(s), shown(value))
	}
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			if err := explain(root, s.Items, item, index(path, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				return fmt.Errorf("%s: expected this field, found none", field(path, name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner, ok := s.Properties[name]
			if !ok {
				return fmt.Errorf("%s: expected no such field", field(path, name))
			}
			if err := explain(root, inner, v[name], field(path, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fits reports whether a value itself, apart from its contents, meets a schema.
func fits(s *jsonschema.Schema, value any) bool {
	switch {
	case s.Const != nil:
		return value == *s.Const
	case s.Enum != nil:
		text, ok := value.(string)
		return ok && slices.Contains(s.Enum, any(text))
	}
	if !slices.ContainsFunc(types(s), func(t string) bool { return isA(t, value) }) {
		return false
	}
	switch v := value.(type) {
	case []any:
		return s.MinItems == nil || len(v) >= *s.MinItems
	case float64:
		return (s.Minimum == nil || v >= *s.Minimum) && (s.Maximum == nil || v <= *s.Maximum)
	case string:
		if s.Format == "date-time" {
			_, err := time.Parse(time.RFC3339, v)
			return err == nil
		}
		return s.Pattern == "" || pattern(s.Pattern).MatchString(v)
	}
	return true
}

// patterns are the expressions of the schema that were met, compiled.
var patterns sync.Map

func pattern(text string) *regexp.Regexp {
	known, ok := patterns.Load(text)
	if !ok {
		known, _ = patterns.LoadOrStore(text, regexp.MustCompile(text))
	}
	return known.(*regexp.Regexp)
}

func types(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

func isA(name string, value any) bool {
	switch v := value.(type) {
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v)) || name == "integer" && v >= 1<<63
	}
	return false
}

// expected describes in words the values that a schema allows.
func expected(s *jsonschema.Schema) string {
	if s.Const != nil {
		return fmt.Sprintf("%q", *s.Const)
	}
	if s.Enum != nil {
		names := list.Map(s.Enum, func(e any) string { return fmt.Sprint(e) })
		return "one of " + strings.Join(names, ", ")
	}
	words := list.Map(types(s), func(t string) string { return articles[t] + limits(s, t) })
	return strings.Join(words, " or ")
}

var articles = map[string]string{"array": "an array", "object": "an object", "integer": "an integer",
	"number": "a number", "string": "a string", "boolean": "true or false"}

// limits describes in words the constraints of a schema on a value of one of its types.
func limits(s *jsonschema.Schema, of string) string {
	switch of {
	case "string":
		if s.Pattern != "" {
			return " that matches " + s.Pattern
		}
		if s.Format == "date-time" {
			return " with a date and time as in 2006-01-02T15:04:05Z"
		}
	case "array":
		if s.MinItems != nil {
			return " of at least " + plural(*s.MinItems, "item", "items")
		}
	case "number", "integer":
		if s.Minimum != nil && s.Maximum != nil {
			return fmt.Sprintf(" from %.0f to %.0f", *s.Minimum, *s.Maximum)
		}
		if s.Minimum != nil {
			return fmt.Sprintf(" that is at least %v", *s.Minimum)
		}
	}
	return ""
}

// shown quotes a value of a document in an error, on one line and shortened.
func shown(value any) string {
	switch v := value.(type) {
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("an object of %d fields", len(v))
	case string:
		if r := []rune(v); len(r) > 40 {
			v = string(r[:40]) + "…"
		}
		return strconv.Quote(v)
	}
	b, _ := json.Marshal(value)
	return string(b)
}

// field and index extend a path into a document.
func field(path, name string) string {
	if !plainName.MatchString(name) {
		return path + "[" + shown(name) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
