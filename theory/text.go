package theory

import "strings"

// Text is plain text with Unicode mathematics. The formulas that TeX typesets, one after the other, stand in it between
// dollar signs, which no reader meets.
type Text string

// String returns the text without dollar signs.
func (t Text) String() string { return strings.ReplaceAll(string(t), "$", "") }

// MarshalText returns the same.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
