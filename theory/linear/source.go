// Package linear states exact results on deep linear networks and on the implicit bias of gradient descent.
//
// In this package W_l is d_l×d_(l−1), W = W_N ⋯ W_1 is the end-to-end matrix, and samples are columns.
package linear
