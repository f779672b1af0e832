package figure_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/figure"
)

func TestValid(t *testing.T) {
	sound := func() figure.Figure {
		return figure.Figure{ID: "order", Title: "Order", Caption: "The error falls with slope 2.",
			X: figure.Axis{Label: "step", Log: true}, Y: figure.Axis{Label: "error", Log: true},
			Curves: []figure.Curve{{Name: "measured", Style: figure.Points, X: []float64{1, 2}, Y: []float64{1, 4}}}}
	}
	require.NoError(t, sound().Valid())
	for want, degrade := range map[string]func(*figure.Figure){
		"an ID, a title and a caption":                  func(f *figure.Figure) { f.Caption = "" },
		`for the curve "measured" of "order", found ""`: func(f *figure.Figure) { f.Curves[0].Style = "" },
		"each of 2×2 cells": func(f *figure.Figure) {
			f.Curves[0] = figure.HeatMap("m", 2, 2, func(i, j int) float64 { return 1 })
			f.Curves[0].Z = f.Curves[0].Z[:3]
		},
		"found both": func(f *figure.Figure) {
			f.Curves = append(f.Curves, figure.HeatMap("m", 2, 2, func(i, j int) float64 { return 1 }))
		},
	} {
		f := sound()
		degrade(&f)
		require.ErrorContains(t, f.Valid(), want)
	}
}
