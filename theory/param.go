package theory

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/list"
)

// Param is a symbol of a statement. A param with a Domain is a scalar that a user can set in a prediction;
// without one it only explains the formula.
type Param struct {
	Name    string  `json:"name"`             // identifier, as typed on a command line
	Symbol  string  `json:"symbol"`           // as written in the formula
	Meaning string  `json:"meaning"`          //
	Shape   string  `json:"shape,omitempty"`  // "m×n" for a matrix; empty for a scalar
	Domain  *Domain `json:"domain,omitempty"` //
	Default string  `json:"default,omitempty"`
}

// Domain is the set of admissible values of a scalar: an interval, the integers of an interval, or a list of
// names. The zero Domain is the whole real line.
type Domain struct {
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	OpenMin bool     `json:"open_min,omitempty"`
	OpenMax bool     `json:"open_max,omitempty"`
	Integer bool     `json:"integer,omitempty"`
	Choices []string `json:"choices,omitempty"`
}

// Real returns the domain of all real numbers.
func Real() *Domain { return &Domain{} }

// AtLeast returns the domain [min, ∞).
func AtLeast(min float64) *Domain { return &Domain{Min: &min} }

// Above returns the domain (min, ∞).
func Above(min float64) *Domain { return &Domain{Min: &min, OpenMin: true} }

// Between returns the domain [min, max].
func Between(min, max float64) *Domain { return &Domain{Min: &min, Max: &max} }

// Inside returns the domain (min, max).
func Inside(min, max float64) *Domain {
	return &Domain{Min: &min, Max: &max, OpenMin: true, OpenMax: true}
}

// IntegerFrom returns the domain of integers that are at least min.
func IntegerFrom(min int) *Domain {
	m := float64(min)
	return &Domain{Min: &m, Integer: true}
}

// IntegerBetween returns the domain of integers from min to max.
func IntegerBetween(min, max int) *Domain {
	d := Between(float64(min), float64(max))
	d.Integer = true
	return d
}

// OneOf returns a domain that is a list of names.
func OneOf(names ...string) *Domain { return &Domain{Choices: names} }

// String describes the domain in words, for an error message or a help text.
func (d *Domain) String() string {
	if d == nil {
		return "not a scalar"
	}
	if len(d.Choices) > 0 {
		return "one of " + strings.Join(d.Choices, ", ")
	}
	set := "real number"
	if d.Integer {
		set = "integer"
	}
	switch {
	case d.Min == nil && d.Max == nil:
		return set
	case d.Max == nil && d.OpenMin:
		return fmt.Sprintf("%s > %v", set, *d.Min)
	case d.Max == nil:
		return fmt.Sprintf("%s ≥ %v", set, *d.Min)
	case d.Min == nil && d.OpenMax:
		return fmt.Sprintf("%s < %v", set, *d.Max)
	case d.Min == nil:
		return fmt.Sprintf("%s ≤ %v", set, *d.Max)
	}
	left, right := "[", "]"
	if d.OpenMin {
		left = "("
	}
	if d.OpenMax {
		right = ")"
	}
	return fmt.Sprintf("%s in %s%v, %v%s", set, left, *d.Min, *d.Max, right)
}

// article returns String with an article.
func (d *Domain) article() string {
	if d.Integer {
		return "an " + d.String()
	}
	return "a " + d.String()
}

// contains reports whether a finite number lies in the domain.
func (d *Domain) contains(x float64) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) || d.Integer && x != math.Trunc(x) {
		return false
	}
	if d.Min != nil && (x < *d.Min || d.OpenMin && x == *d.Min) {
		return false
	}
	return d.Max == nil || x < *d.Max || !d.OpenMax && x == *d.Max
}

// Values holds the parameters of a prediction, all inside their domains.
type Values struct {
	numbers map[string]float64
	names   map[string]string
}

// Float returns the number of that name. It panics on a name that the statement does not declare.
func (v Values) Float(name string) float64 {
	x, ok := v.numbers[name]
	if !ok {
		panic("theory: prediction asks for undeclared parameter " + name)
	}
	return x
}

// Int returns the integer of that name.
func (v Values) Int(name string) int { return int(v.Float(name)) }

// Choice returns the chosen name of that parameter.
func (v Values) Choice(name string) string {
	s, ok := v.names[name]
	if !ok {
		panic("theory: prediction asks for undeclared parameter " + name)
	}
	return s
}

// Evaluate predicts the statement's closed forms at the given parameters, in the form name → text. Omitted parameters
// take their defaults. An unknown name, a missing value and a value outside its domain are errors that name the valid
// choices.
func (s *Statement) Evaluate(args map[string]string) ([]Quantity, error) {
	if s.Predict == nil {
		return nil, fmt.Errorf("%s has no closed form to evaluate", s.Slug)
	}
	v, err := s.Values(args)
	if err != nil {
		return nil, err
	}
	return s.Predict(v), nil
}

// Values reads the parameters of a prediction, and those given in addition, as [Statement.Evaluate] does. Parameters
// that violate a hypothesis together are an error too.
func (s *Statement) Values(args map[string]string, beside ...Param) (Values, error) {
	params := Settable(slices.Concat(s.Params, beside))
	for name := range args {
		if !slices.ContainsFunc(params, func(p Param) bool { return p.Name == name }) {
			return Values{}, fmt.Errorf("%s has no parameter %q; it has %s", s.Slug, name, described(params))
		}
	}
	v := Values{map[string]float64{}, map[string]string{}}
	for _, p := range params {
		text, given := args[p.Name]
		if !given {
			text = p.Default
		}
		if err := v.set(p, text); err != nil {
			return Values{}, err
		}
	}
	if s.Violated != nil {
		if err := s.Violated(v); err != nil {
			return Values{}, fmt.Errorf("%s says nothing at %s: %w", s.Slug, Given(args), err)
		}
	}
	return v, nil
}

// Given returns the parameters that a user has set, for a message.
func Given(args map[string]string) string {
	if len(args) == 0 {
		return "its defaults"
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		words = append(words, name+"="+args[name])
	}
	return strings.Join(words, ", ")
}

// Settable lists the parameters that have a domain: those that a user can set.
func Settable(params []Param) []Param {
	return slices.DeleteFunc(slices.Clone(params), func(p Param) bool { return p.Domain == nil })
}

// described lists parameters with their domains, for an error message.
func described(params []Param) string {
	if len(params) == 0 {
		return "none"
	}
	out := list.Map(params, func(p Param) string { return fmt.Sprintf("%s (%s)", p.Name, p.Domain) })
	return strings.Join(out, ", ")
}

// The sizes of a number that leave room to compute: a float64 ends at 1.8e308, and loses digits below 2.2e-308.
const smallest, largest = 1e-300, 1e300

func (v Values) set(p Param, text string) error {
	if text == "" {
		return fmt.Errorf("%s (%s) is missing; give %s=VALUE, %s", p.Name, p.Meaning, p.Name, p.Domain)
	}
	if len(p.Domain.Choices) > 0 {
		if !slices.Contains(p.Domain.Choices, text) {
			return fmt.Errorf("%s=%s is outside its domain: %s (%s) must be %s", p.Name, text, p.Name, p.Meaning,
				p.Domain)
		}
		v.names[p.Name] = text
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !p.Domain.contains(x) {
		return fmt.Errorf("%s=%s is outside its domain: %s (%s) must be %s", p.Name, text, p.Name, p.Meaning,
			p.Domain.article())
	}
	if size := math.Abs(x); size > largest || size < smallest && size > 0 {
		return fmt.Errorf("%s=%s leaves no room to compute in floats: take 0, or a size between %g and %g", p.Name, text,
			smallest, largest)
	}
	v.numbers[p.Name] = x
	return nil
}
