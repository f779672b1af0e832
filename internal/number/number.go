// Package number encodes numbers in JSON in the format of all files of this module, and holds formulas that several
// packages of benchmarks need.
package number

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number is a float64 that survives JSON: infinities and NaN are written as strings.
type Number float64

// MarshalJSON writes a finite number as a number and anything else as a string.
func (x Number) MarshalJSON() ([]byte, error) { return appendJSON(nil, float64(x)), nil }

// appendJSON appends a number in the format of encoding/json, whose own way there takes several times as long: a report
// has half a million.
func appendJSON(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Infinity"`...)
	}
	if size := math.Abs(x); size == 0 || 1e-6 <= size && size < 1e21 {
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, x, 'e', -1, 64)
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // e-09
		b = append(b[:n-2], b[n-1])
	}
	return b
}

// UnmarshalJSON reads what MarshalJSON writes.
func (x *Number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"NaN"`:
		*x = Number(math.NaN())
	case `"Infinity"`:
		*x = Number(math.Inf(1))
	case `"-Infinity"`:
		*x = Number(math.Inf(-1))
	case `null`: // which encoding/json takes for no change
		return errors.New("null is not a number")
	default: // what it begins with keeps out what only Go takes for a number
		f, err := strconv.ParseFloat(string(b), 64)
		if err != nil || !strings.ContainsAny(string(b[:1]), "-0123456789") {
			return fmt.Errorf("%s is not a number", b)
		}
		*x = Number(f)
	}
	return nil
}

// List is a list of numbers that survives JSON.
type List []float64

// MarshalJSON writes each number as [Number] does, and an absent list as an empty one.
func (xs List) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range xs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, x)
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (xs *List) UnmarshalJSON(b []byte) error {
	if xs.read(b) {
		return nil
	}
	var in []Number // which says what is wrong
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*xs = make(List, len(in))
	for i, x := range in {
		(*xs)[i] = float64(x)
	}
	return nil
}

// read takes a list apart itself. No number has a comma in it, and encoding/json has seen that the brackets match.
func (xs *List) read(b []byte) bool {
	inside, begins := bytes.CutPrefix(b, []byte{'['})
	inside, ends := bytes.CutSuffix(inside, []byte{']'})
	if inside = bytes.TrimSpace(inside); !begins || !ends || len(inside) == 0 {
		return false
	}
	out := make(List, 0, 1+bytes.Count(inside, []byte{','}))
	for text := range bytes.SplitSeq(inside, []byte{','}) {
		var x Number
		if text = bytes.TrimSpace(text); x.UnmarshalJSON(text) != nil {
			return false
		}
		out = append(out, float64(x))
	}
	*xs = out
	return true
}
