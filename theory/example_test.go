package theory_test

import (
	"fmt"

	"github.com/thm-suite/thm/theory"
)

// A statement predicts numbers at a user's parameters, which it reads as text. It refuses values outside their domains.
func ExampleStatement() {
	s := theory.Statement{
		Slug: "examples/area", Params: []theory.Param{
			{Name: "side", Symbol: "a", Meaning: "side of the square", Domain: theory.Above(0), Default: "2"}},
		Predict: func(v theory.Values) []theory.Quantity {
			return []theory.Quantity{{Name: "area", Symbol: "a²", Value: v.Float("side") * v.Float("side")}}
		},
	}
	for _, side := range []string{"3", "-3"} {
		area, err := s.Evaluate(map[string]string{"side": side})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(area[0].Symbol, "=", area[0].Value)
	}
	// Output:
	// a² = 9
	// side=-3 is outside its domain: side (side of the square) must be a real number > 0
}

// A domain describes in words which values it allows.
func ExampleDomain() {
	for _, d := range []*theory.Domain{theory.Above(0), theory.Between(-1, 1), theory.IntegerBetween(2, 9)} {
		fmt.Println(d)
	}
	// Output:
	// real number > 0
	// real number in [-1, 1]
	// integer in [2, 9]
}
