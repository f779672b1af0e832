// Package tangent times this module against NumPy on the work of the claims on adaptive tangent features: the averaged
// tangent kernel of a network, its training, and one iteration of alternation for Theorem 2. Both sides compute the
// same on one thread; results are compared before anything is timed, and rounds are interleaved.
//
//	THM_NUMPY=python3 go test -tags system ./bench/internal/tangent -run '^$' -bench BesideNumPy -benchtime 10x
//
// reports the median ratio, our processor time over NumPy's, with NumPy on the BLAS that it finds. Without THM_NUMPY,
// an interpreter that imports NumPy, the benchmark is skipped.
//
// It also reports two bounds from counting flops: the flops of our products divided by those of NumPy's, and the time
// of our products at the peak of one thread (package roof, measured afterwards) divided by NumPy's time. No code that
// forms these products can be faster than that. In units of 10⁹ flops:
//
//   - averaged-kernel: NumPy 36.6, of which it takes 10 in all 50 nodes of the first layer. Its pre-activations are
//     linear along the path, which leaves 27.0: 16.4 for the Gram matrix of the second layer's features, 3.3 to form
//     them, 6.6 for the sweeps. That is 0.74 of the flops, and the Gram matrix, which both form in the same way, alone
//     is 0.45.
//
//   - training: NumPy 6.2. In the span of the samples the first layer costs 2·batch·n·out and not 4·batch·inputs·out
//     per step, which leaves 4.1, 0.66: 3.2 for the steps, and what is done once for all steps. Over many epochs the
//     share tends to 0.55, of which the second layer is 0.33.
//
//   - turn: NumPy 33.2, half to move 500 features of 256×256 and half for their Gram matrix. With the triangle of a QR
//     factorisation in place of A bands of 64 rows leave 26.9, 0.81; the Gram matrix alone is 0.49.
//
// A third of NumPy's time cannot be reached if the time at the peak is more than that. Rearrangements that need more
// flops: the second layer by its 50·51/2 pairs of nodes 327; training that carries the outputs of all samples from
// epoch to epoch 5.9; a turn from the Gram matrix before it, K₀ + ⟨F, (AAᵀ−I)F⟩, as many as from the start, because all
// singular values of A differ from 1. One rearrangement needs fewer flops and is not used: between two changes of sign
// of its units the second layer is quadratic in t, so that sweeps could go from node to node by the few units that
// change, which would leave about 21 of the averaged kernel's 27.0.
//
//	go test -tags system ./bench/internal/tangent -run '^$' -bench ExplicitFeatures
//
// compares the kernel of layers with the Gram matrix of explicit features as the width grows.
package tangent
