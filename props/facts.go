package props

import (
	"encoding/json"

	"github.com/thm-suite/thm/props/stat"
)

// Measured is a fact with the interval it was measured to and the value that the claim gives it.
func Measured(name string, iv stat.Interval, claimed float64) Fact {
	lo, hi, c := Number(iv.Lo), Number(iv.Hi), Number(claimed)
	return Fact{Name: name, Value: Number(iv.Estimate), Lo: &lo, Hi: &hi, Claimed: &c}
}

// Noted is a fact without an interval, beside the value that the claim gives it.
func Noted(name string, value, claimed float64) Fact {
	c := Number(claimed)
	return Fact{Name: name, Value: Number(value), Claimed: &c}
}

// MarshalBinary writes a fact as JSON, since the encoding of measurements forgets a pointer to zero.
func (f Fact) MarshalBinary() ([]byte, error) {
	type plain Fact
	return json.Marshal(plain(f))
}

// UnmarshalBinary reads what MarshalBinary writes.
func (f *Fact) UnmarshalBinary(b []byte) error {
	type plain Fact
	return json.Unmarshal(b, (*plain)(f))
}
