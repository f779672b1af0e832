// Package recorded compares the layers of a recorded training run with the claims about a gradient step, for any
// arithmetic of the network.
//
// In float32 the change of WᵀW over a short step is lost in the rounding of the weights. Each link of the chain can
// still be checked sharply: the gradient is ΓHᵀ up to the rounding of sums, the update W − γG is exact up to one
// rounding, and the identity is a polynomial in γ whose coefficients are compared one by one, in float64, from the
// recorded matrices.
package recorded
