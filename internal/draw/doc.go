// Package draw draws evidence as inline SVG: curves over linear or logarithmic axes, matrices as heat maps ([SVG]),
// and strips of ratios around the boundary 1 ([Strip]). [Text] draws both on a terminal.
//
// A figure is text: it scales with its viewBox, follows the colours of the page through CSS variables (with
// colour-blind-safe defaults when it stands alone), and carries its title and caption as text alternative. The same
// data give the same bytes. A value that cannot be drawn (NaN, an infinity, a non-positive value on a logarithmic axis)
// leaves a gap and never moves its neighbours.
package draw
