package props

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/props/evidence"
)

// Every exported number counts, by the name of the statement where it has one, and survives a file.
func TestRangesOfNumbers(t *testing.T) {
	type inner struct{ Depth, hidden int }
	type instance struct {
		inner
		Rate   float64 `npy:"step"`
		W      *mat.Dense
		X      []float64
		Pair   [2]float64
		Ratio  *big.Rat
		Sub    struct{ On bool }
		Absent *mat.Dense
		Name   string
	}
	out := evidence.Ranges{}
	for _, in := range []instance{
		{inner: inner{2, 9}, Rate: 1e-4, W: mat.NewDense(1, 2, []float64{3, 4}), Ratio: big.NewRat(1, 2)},
		{inner: inner{3, 9}, Rate: 10, X: []float64{-2}, Pair: [2]float64{-1, 7}},
	} {
		meetNumbers(out, "", reflect.ValueOf(in))
	}
	require.Equal(t, evidence.Ranges{"Depth": {From: 2, To: 3}, "step": {From: 1e-4, To: 10}, "W rows": {From: 1, To: 1},
		"W columns": {From: 2, To: 2}, "W norm": {From: 5, To: 5}, "X length": {From: 0, To: 1},
		"X norm": {From: 2, To: 2}, "Pair": {From: -1, To: 7}, "Ratio": {From: 0.5, To: 0.5}, "Sub.On": {From: 0, To: 0}},
		out)
	raw, err := json.Marshal(out)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"step":"0 to 10"`, "the lower end may be rounding")
	back := evidence.Ranges{}
	require.NoError(t, json.Unmarshal(raw, &back))
	require.Equal(t, evidence.Range{From: -1, To: 7}, back["Pair"])
	require.Error(t, json.Unmarshal([]byte(`{"n": "1 and 2"}`), &back))

	require.Nil(t, rangesOf(untyped(Indices(5)).all()), "cells that differ in their streams alone")
	require.Equal(t, evidence.Ranges{"the number": {From: 3, To: 9}}, rangesOf([]any{3, 9}))
}
