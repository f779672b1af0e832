// Package spectra states theorems on the spectra of random matrices on which the theory of neural networks rests.
//
// In this package X is n×d with samples as rows, W = XᵀX/n, and γ = d/n.
package spectra
