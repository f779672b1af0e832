package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"github.com/thm-suite/thm/props/results"
)

// Encode returns the results as indented JSON with a newline at its end. It returns an error when they do not fit the
// schema, rather than write a file that no reader accepts.
func Encode(r *results.Results) ([]byte, error) {
	b, err := json.MarshalIndent(r.Tidy(), "", " ")
	if err != nil {
		return nil, fmt.Errorf("encoding results: %w", err)
	}
	if _, err := decode(b, false); err != nil {
		return nil, fmt.Errorf("encoding results: %w", err)
	}
	return append(b, '\n'), nil
}

// Decode reads results that Encode wrote. An error is one line: the given name of the file, the path into the document,
// and the expected value there.
func Decode(name string, b []byte) (*results.Results, error) {
	r, err := decode(b, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// decode reads results; only a file that is written by hand may have a field twice.
func decode(b []byte, byHand bool) (*results.Results, error) {
	if !utf8.Valid(b) {
		return nil, errors.New("not a results file: expected JSON in UTF-8")
	}
	var document any
	if err := json.Unmarshal(b, &document); err != nil {
		return nil, syntaxError(b, err)
	}
	if byHand {
		if path := duplicateField(b); path != "" {
			return nil, fmt.Errorf("%s: expected one field of this name, found two", path)
		}
	}
	if err := validate(document); err != nil {
		return nil, err
	}
	var r results.Results
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, typeError(err)
	}
	return &r, consistent(&r)
}

// Read reads a results file.
func Read(path string) (*results.Results, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Decode(path, b)
}

// syntaxError says where a document stops being JSON.
func syntaxError(b []byte, err error) error {
	at := int64(len(b))
	var syntax *json.SyntaxError
	var number *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &number): // a number that no float64 holds
		return fmt.Errorf("line %d: expected a number within the range of float64, found %s", line(b, number.Offset),
			number.Value)
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return errors.New("line 1: expected a JSON document, found an empty file")
	}
	return fmt.Errorf("line %d: expected JSON: %w", line(b, at), err)
}

func line(b []byte, offset int64) int {
	return 1 + bytes.Count(b[:min(int(offset), len(b))], []byte("\n"))
}

// typeError explains values that pass the schema but do not fit Go's types: an integer written 1.0 or 1e3.
func typeError(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("%s: expected %s, found %s", mismatch.Field, mismatch.Type, mismatch.Value)
	}
	return fmt.Errorf("expected results: %w", err)
}

// duplicateField returns the path of a field that occurs twice in its object, or "". JSON leaves open which of the
// two counts.
func duplicateField(b []byte) string {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return duplicateIn(d, "")
}

func duplicateIn(d *json.Decoder, path string) string {
	open, err := d.Token()
	if err != nil {
		return ""
	}
	seen := map[string]bool{}
	for i := 0; d.More(); i++ {
		switch open {
		case json.Delim('{'):
			key, _ := d.Token()
			at := field(path, key.(string))
			if seen[key.(string)] {
				return at
			}
			seen[key.(string)] = true
			if found := duplicateIn(d, at); found != "" {
				return found
			}
		case json.Delim('['):
			if found := duplicateIn(d, index(path, i)); found != "" {
				return found
			}
		default: // a number or a string has nothing inside; More is about the enclosing value
			return ""
		}
	}
	if open == json.Delim('{') || open == json.Delim('[') {
		_, _ = d.Token()
	}
	return ""
}
