package props

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// shown is a named value of an instance.
type shown struct {
	name  string
	value any
}

// render prints what an instance showed.
func render(values []shown) string {
	var b strings.Builder
	for _, s := range values {
		if m, ok := s.value.(mat.Matrix); ok {
			r, c := m.Dims()
			fmt.Fprintf(&b, "%s (%d×%d) =\n%v\n", s.name, r, c, mat.Formatted(m, mat.Squeeze()))
		} else {
			fmt.Fprintf(&b, "%s = %v\n", s.name, s.value)
		}
	}
	return b.String()
}
