package props

import (
	"encoding/json"
	"fmt"

	"github.com/thm-suite/thm/internal/stat"
)

// Fact is a measured number beside what the claim says of it.
type Fact struct {
	Name    string  `json:"name"`
	Value   Number  `json:"value"`
	Lo      *Number `json:"lo,omitempty"` // the ends of a confidence interval
	Hi      *Number `json:"hi,omitempty"`
	Claimed *Number `json:"claimed,omitempty"`
}

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

// String prints a fact as a claimed-against-obtained line.
func (f Fact) String() string {
	s := fmt.Sprintf("%s = %.6g", f.Name, float64(f.Value))
	if f.Lo != nil && f.Hi != nil {
		s += fmt.Sprintf(" [%.6g, %.6g]", float64(*f.Lo), float64(*f.Hi))
	}
	if f.Claimed != nil {
		s += fmt.Sprintf(", claimed %.6g", float64(*f.Claimed))
	}
	return s
}
