package theory

import "strings"

// Text is plain text with Unicode mathematics. Formulas that the field TeX typesets, in the same order, are enclosed in
// dollar signs, which are removed before anybody reads the text.
type Text string

// String returns the text without dollar signs.
func (t Text) String() string { return strings.ReplaceAll(string(t), "$", "") }

// MarshalText returns the text without dollar signs, as String does.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
