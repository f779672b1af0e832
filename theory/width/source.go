// Package width states the limits of networks as their layers widen: Gaussian processes, tangent kernels, mean fields.
//
// In this package n is the width of the hidden layers and inputs have norm one unless a statement says otherwise.
package width
