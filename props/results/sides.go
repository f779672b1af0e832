package results

import "fmt"

// Sides are the two sides of a comparison that does not hold: what was obtained, what is claimed, by how much they
// differ, and what is allowed.
type Sides struct {
	Obtained   Number   `json:"obtained"`
	Lo         *Number  `json:"lo,omitempty"` // the ends of an interval
	Hi         *Number  `json:"hi,omitempty"`
	Claimed    Number   `json:"claimed"`
	Difference Number   `json:"difference"` // of a matrix the Frobenius norm
	Allowed    Number   `json:"allowed"`
	Relation   Relation `json:"relation,omitempty"` // of what was obtained to what is claimed; empty for equality
	Entry      string   `json:"entry,omitempty"`    // of a matrix, where the two differ most
}

// String is the sides for a reader, on one line.
func (s Sides) String() string {
	obtained := "obtained " + withInterval(s.Obtained, s.Lo, s.Hi)
	if s.Entry != "" {
		obtained += " in " + s.Entry
	}
	return fmt.Sprintf("%s, %s, difference %.3g, allowed %.3g", obtained, s.Relation.to(s.Claimed), float64(s.Difference),
		float64(s.Allowed))
}
