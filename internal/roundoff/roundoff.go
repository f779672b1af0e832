// Package roundoff names the constants of float64 rounding.
package roundoff

// Unit is the unit roundoff u: rounding a number that is neither subnormal nor too large changes it by at most u times
// its size.
const Unit = 0x1p-53

// Ulp is the distance 2u from 1 to the next number: LAPACK's "precision", Go's and MATLAB's machine epsilon.
const Ulp = 2 * Unit

// Gamma is γ_n = n·u/(1 − n·u), which bounds the relative error of a product of n factors 1+δ or 1/(1+δ), |δ| ≤ u:
// N. J. Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1. It needs n·u < 1.
func Gamma(n int) float64 { return float64(n) * Unit / (1 - float64(n)*Unit) }
