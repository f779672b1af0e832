package theory_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory"
)

var sample = theory.Statement{
	Slug: "test/sample",
	Params: []theory.Param{
		{Name: "n", Meaning: "samples", Domain: theory.IntegerFrom(1), Default: "3"},
		{Name: "c", Meaning: "a share", Domain: theory.Inside(0, 1), Default: "0.5"},
		{Name: "act", Meaning: "activation", Domain: theory.OneOf("relu", "tanh"), Default: "tanh"},
		{Name: "gain", Meaning: "a factor", Domain: theory.Above(0)},
		{Name: "W", Meaning: "weights", Shape: "m×n"},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		value := v.Float("c") * float64(v.Int("n")) * v.Float("gain")
		return []theory.Quantity{{Name: v.Choice("act"), Value: value}}
	},
}

func TestEvaluateTakesDefaultsAndArguments(t *testing.T) {
	got, err := sample.Evaluate(map[string]string{"gain": "2", "act": "relu"})
	require.NoError(t, err)
	require.Equal(t, []theory.Quantity{{Name: "relu", Value: 3}}, got)
}

func TestEvaluateRefuses(t *testing.T) {
	for _, c := range []struct {
		args map[string]string
		says string
	}{
		{nil, "gain (a factor) is missing; give gain=VALUE, real number > 0"},
		{map[string]string{"gain": "0"}, "gain=0 is outside its domain: gain (a factor) must be a real number > 0"},
		{map[string]string{"gain": "NaN"}, "outside its domain"},
		{map[string]string{"gain": "+Inf"}, "outside its domain"},
		{map[string]string{"gain": "5e-324"}, "gain=5e-324 leaves no room to compute in floats: take 0, or a size " +
			"between 1e-300 and 1e+300"},
		{map[string]string{"gain": "1e308"}, "gain=1e308 leaves no room"},
		{map[string]string{"gain": "one"}, "outside its domain"},
		{map[string]string{"gain": "1", "n": "1.5"}, "must be an integer ≥ 1"},
		{map[string]string{"gain": "1", "n": "0"}, "must be an integer ≥ 1"},
		{map[string]string{"gain": "1", "c": "1"}, "real number in (0, 1)"},
		{map[string]string{"gain": "1", "act": "gelu"}, "must be one of relu, tanh"},
		{map[string]string{"gain": "1", "W": "1"}, `has no parameter "W"; it has n (integer ≥ 1), c (real number in ` +
			`(0, 1)), act (one of relu, tanh), ` +
			`gain (real number > 0)`},
	} {
		got, err := sample.Evaluate(c.args)
		require.ErrorContains(t, err, c.says)
		require.Nil(t, got)
	}
	_, err := (&theory.Statement{Slug: "test/none"}).Evaluate(nil)
	require.ErrorContains(t, err, "has no closed form")
}

func TestDomainsInWords(t *testing.T) {
	for want, d := range map[string]*theory.Domain{
		"not a scalar":          nil,
		"real number":           theory.Real(),
		"real number ≥ 2":       theory.AtLeast(2),
		"real number > 2":       theory.Above(2),
		"real number in [0, 1]": theory.Between(0, 1),
		"real number in (0, 1)": theory.Inside(0, 1),
		"integer ≥ 4":           theory.IntegerFrom(4),
		"one of a, b":           theory.OneOf("a", "b"),
	} {
		require.Equal(t, want, d.String())
	}
}

func TestAnUndeclaredParameterPanics(t *testing.T) {
	s := sample
	s.Predict = func(v theory.Values) []theory.Quantity { v.Float("m"); return nil }
	require.PanicsWithValue(t, "theory: prediction asks for undeclared parameter m",
		func() { _, _ = s.Evaluate(map[string]string{"gain": "1"}) })
}

// The machine-readable form is exported from the value and carries everything but the code.
func TestStatementExportsToJSON(t *testing.T) {
	b, err := json.Marshal(sample)
	require.NoError(t, err)
	var back theory.Statement
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, sample.Params, back.Params)
	require.Nil(t, back.Predict)
}
