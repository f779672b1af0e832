package compare

import "github.com/thm-suite/thm/internal/number"

// Number is a float64 as JSON files have it: what is not a finite number is a string there.
type Number = number.Number
