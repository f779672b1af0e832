// Package tangent times this module beside NumPy on the work of the claims on adaptive tangent features: the averaged
// tangent kernel of a network, its training, and one turn of alternation of Theorem 2. Each side computes the same on
// one thread; results are compared before anything is timed, and rounds are interleaved.
//
//	THM_NUMPY=python3 go test ./bench/tangent -run '^$' -bench BesideNumPy -benchtime 10x
//
// reports the median ratio, our processor time over NumPy's, with NumPy on the BLAS that it finds. Without THM_NUMPY,
// an interpreter that imports NumPy, the benchmark is skipped.
//
// How much faster than products at the speed of NumPy's BLAS one can be follows from counting, in units of 10⁹ flops:
//
//   - kernel: NumPy multiplies in all 50 nodes of the first layer, 36 in all. Its pre-activations are linear along the
//     path, which leaves 27: 16.4 for the Gram matrix of features, 3.3 to form them, 6.6 for the later layers. 27/36 is
//     0.75 of the time where both run at the peak, and the Gram matrix alone is 0.45.
//
//   - training: NumPy 6.0. In the span of the samples the first layer costs 2·batch·n·out and not 4·batch·inputs·out
//     per step, which leaves 3.3, 0.55 of it.
//
//   - turn: NumPy 33, half to move 500 features of 256×256 and half for their Gram matrix. With the triangle of a QR
//     factorisation in place of A bands of 64 rows leave 27, 0.81 of it; the Gram matrix alone is 0.5.
package tangent
