package results

import (
	"fmt"

	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// Measurement is a measured number, with what the claim says of it.
type Measurement struct {
	Name    string  `json:"name"`
	Regime  string  `json:"regime,omitempty"` // of the check, where it has several
	Value   Number  `json:"value"`
	Lo      *Number `json:"lo,omitempty"` // the ends of a confidence interval
	Hi      *Number `json:"hi,omitempty"`
	Claimed *Number `json:"claimed,omitempty"`

	Relation Relation       `json:"relation,omitempty"` // of the value to what is claimed; empty for equality
	Of       figure.Subject `json:"of,omitempty"`       // what it was measured on, if not on the claim itself
}

// Relation is how a measured value is claimed to compare with the claimed one.
type Relation string

// The relations.
const (
	Equal Relation = ""
	Below Relation = "at most"
	Above Relation = "at least"
)

// Measured is a measurement with a confidence interval, and the value that the claim gives it.
func Measured(name string, iv stat.Interval, claimed float64) Measurement {
	lo, hi, c := Number(iv.Lo), Number(iv.Hi), Number(claimed)
	return Measurement{Name: name, Value: Number(iv.Estimate), Lo: &lo, Hi: &hi, Claimed: &c}
}

// MeasuredValue is a measurement without an interval, and the value that the claim gives it.
func MeasuredValue(name string, value, claimed float64) Measurement {
	c := Number(claimed)
	return Measurement{Name: name, Value: Number(value), Claimed: &c}
}

// String prints the measured value, its interval and the claimed value on one line.
func (m Measurement) String() string {
	s := m.Name
	if m.Regime != "" {
		s += " (" + m.Regime + ")"
	}
	s += " = " + withInterval(m.Value, m.Lo, m.Hi)
	if m.Claimed != nil {
		s += ", " + m.Relation.to(*m.Claimed)
	}
	if m.Of != "" {
		s += ", of a " + string(m.Of)
	}
	return s
}

// withInterval prints a number and the ends of its interval, where it has one.
func withInterval(x Number, lo, hi *Number) string {
	if lo == nil || hi == nil {
		return fmt.Sprintf("%.6g", float64(x))
	}
	return fmt.Sprintf("%.6g [%.6g, %.6g]", float64(x), float64(*lo), float64(*hi))
}

// to prints what is claimed.
func (r Relation) to(claimed Number) string {
	words := "claimed "
	if r != Equal {
		words += string(r) + " "
	}
	return fmt.Sprintf("%s%.6g", words, float64(claimed))
}
