// Package recorded compares the layers of a recorded training run with the claims about a gradient step, for any
// arithmetic of the network.
//
// In float32 the change of WᵀW over a short step is lost in the rounding of the weights. Each link of the chain can
// still be checked sharply: the gradient is ΓHᵀ up to the rounding of sums, the update W − γG is exact up to one
// rounding, and the identity is a polynomial in γ whose coefficients are compared one by one, in float64, from the
// recorded matrices.
//
// A run is a folder of .npz files that thm_record.py writes, one for each layer and recorded step, and an index of
// them. [Python] is that program. The arrays of a layer are:
//
//   - W, W_next (m×n): its weights before and after the step; G (m×n): their gradient, as the optimizer saw it;
//   - H (n×N): its inputs, a column for each sample, or for each sample and position; of a convolution, its patches;
//   - Gamma (m×N): the gradient of the loss in its outputs; the factor 1/B of a mean is in it;
//   - P (n×N): the gradient in its inputs through this layer alone; of a convolution X_grad, in its image, with a row
//     for each sample and channel. Both are missing where the inputs need no gradient;
//   - in a second file, G_before: the gradient left from the step before; W_before: the weights before that step;
//     momentum: the optimizer's own.
package recorded
