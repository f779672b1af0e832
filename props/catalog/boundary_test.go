package catalog_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"
)

// dear are claims whose predictions take ten milliseconds or so. They are asked at pairs of ends with the tag system.
var dear = []string{"emergence/firststep", "emergence/twoqueries", "onestep/trained", "width/edgeofchaos"}

// TestBoundaries walks the boundary of the domain of every statement: with one parameter at an end, or two, a
// prediction is either refused in one line or consists of numbers.
func TestBoundaries(t *testing.T) {
	asked := 0
	for _, c := range catalog.All() {
		asked += walk(t, c.Statement, !slices.Contains(dear, c.Statement.Slug))
	}
	require.Greater(t, asked, 1000)
}

// walk asks a statement at each end of each parameter, and at pairs of them if asked to, and returns how often.
func walk(t *testing.T, s *theory.Statement, pairs bool) (asked int) {
	params := theory.Settable(s.Params)
	for i, p := range params {
		for _, x := range ends(p.Domain) {
			args := map[string]string{p.Name: x}
			asked += answered(t, s, args)
			if !pairs {
				continue
			}
			for _, q := range params[i+1:] {
				for _, y := range ends(q.Domain) {
					args[q.Name] = y
					asked += answered(t, s, args)
				}
				delete(args, q.Name)
			}
		}
	}
	return asked
}

// ends are the values at the ends of a domain, or next to them, where they are finite; or all names.
func ends(d *theory.Domain) []string {
	if len(d.Choices) > 0 {
		return d.Choices
	}
	var out []string
	end := func(at *float64, open bool, inwards float64) {
		if at == nil {
			return
		}
		x := *at
		if open {
			x += inwards * 1e-9 * math.Max(1, math.Abs(x))
		}
		out = append(out, strconv.FormatFloat(x, 'g', -1, 64))
	}
	end(d.Min, d.OpenMin, 1)
	end(d.Max, d.OpenMax, -1)
	return out
}

// answered complains of an answer that is neither numbers nor a refusal. It returns 1 where the statement predicts.
func answered(t *testing.T, s *theory.Statement, args map[string]string) int {
	if s.Predict == nil {
		return 0
	}
	var quantities []theory.Quantity
	var err error
	require.NotPanics(t, func() { quantities, err = s.Evaluate(args) }, "%s %v", s.Slug, args)
	if err != nil {
		return 1
	}
	for _, q := range quantities {
		if math.IsNaN(q.Value) || math.IsInf(q.Value, 0) {
			t.Errorf("%s %v: %s is not a number", s.Slug, args, q.Name)
		}
	}
	return 1
}
