package poly

import (
	"fmt"
	"slices"
	"strings"
)

// String prints the polynomial for a reader, highest degree first, as in x1^2 x2 - 0.5 x2 + 1.
func (p Poly) String() string {
	terms := slices.Clone(p)
	slices.SortStableFunc(terms, func(s, t Term) int { return t.Exponents.Degree() - s.Exponents.Degree() })
	var b strings.Builder
	for _, t := range terms {
		e, c := t.Exponents, t.Coefficient
		switch {
		case c == 0:
			continue
		case b.Len() > 0 && c < 0:
			b.WriteString(" - ")
			c = -c
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		switch {
		case e == 0:
			fmt.Fprintf(&b, "%.6g", c)
		case c == 1:
			b.WriteString(e.String())
		case c == -1:
			b.WriteString("-" + e.String())
		default:
			fmt.Fprintf(&b, "%.6g %s", c, e)
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// String prints a monomial, as in x1^2 x3.
func (e Exponents) String() string {
	var factors []string
	for i := range e.Variables() {
		switch k := e.Of(i); k {
		case 0:
		case 1:
			factors = append(factors, fmt.Sprintf("x%d", i+1))
		default:
			factors = append(factors, fmt.Sprintf("x%d^%d", i+1, k))
		}
	}
	return strings.Join(factors, " ")
}
