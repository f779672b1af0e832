package tangent

import (
	"errors"

	"github.com/thm-suite/thm/props"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// trySchatten searches for the effective penalty, which has the asymptote of the claim.
func trySchatten(_ *props.Trial, v statements.Values) (map[string]float64, error) {
	var sum theory.Sum
	for _, name := range []string{"omega1", "omega2"} {
		if family := theory.Family(v.Choice(name)); family != theory.Fixed {
			sum = append(sum, theory.Side{Family: family, Factor: 1})
		}
	}
	if len(sum) == 0 {
		return nil, errors.New("omega1=fixed, omega2=fixed: nothing moves")
	}
	if v.Float("v") > 1e50 {
		return nil, errors.New("the search ends at stretches that v beyond 1e50 needs")
	}
	_, value, err := bruteForce(sum).Minimum(v.Float("v"))
	return map[string]float64{"effective": value, "asymptote": value}, err
}
