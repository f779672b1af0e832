// Package theory holds the claims: statements as values, and their closed forms.
//
// Nothing here is random or simulated. A claim's statement and its closed form are in one file,
// theory/<source>/<name>.go, named by the slug <source>/<name>; the check that could refute it has the same name in
// props. Closed forms are methods on a small parameter struct: exported fields are the parameters, Valid names the
// violated hypothesis, and every formula returns NaN outside its hypotheses; [Require] and [When] say so in a line.
//
// # Symbols and conventions
//
//	n, d      samples, input dimension           X is n×d, one sample per row unless a statement says otherwise
//	m, N, L   width, width, number of layers     weights are out×in; the forward pass is W x
//	η, γ      step size
//	φ, Φ      standard normal density, distribution function
//	Hₖ        probabilists' Hermite polynomials, E Hₖ(Z)² = k!
//	u         unit roundoff, 2⁻⁵³
//
// Factors of a loss (½, 1/n) are always written out. A factor that differs from the source is named under
// Deviations, even when it is obvious.
package theory
