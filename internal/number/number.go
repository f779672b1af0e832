// Package number encodes numbers in JSON in the format of all files of this module, and holds formulas that several
// packages of benchmarks need.
package number

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/list"
)

// Number is a float64 that survives JSON: infinities and NaN are written as strings.
type Number float64

// MarshalJSON writes a finite number as a number and anything else as a string.
func (x Number) MarshalJSON() ([]byte, error) {
	f := float64(x)
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	}
	return json.Marshal(f)
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
	default:
		var f float64
		if err := json.Unmarshal(b, &f); err != nil {
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
	out := list.Map(xs, func(x float64) Number { return Number(x) })
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (xs *List) UnmarshalJSON(b []byte) error {
	var in []Number
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*xs = make(List, len(in))
	for i, x := range in {
		(*xs)[i] = float64(x)
	}
	return nil
}
