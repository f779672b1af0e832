// Package spectra states theorems on the spectra of random matrices that the theory of neural networks stands on.
//
// In this package X is n×d with samples as rows, W = XᵀX/n, and γ = d/n.
package spectra
