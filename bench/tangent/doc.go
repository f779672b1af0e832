// Package tangent times this module beside NumPy on the work of the claims on adaptive tangent features: the averaged
// tangent kernel of a network, its training, and one turn of alternation of Theorem 2. Each side does the same
// arithmetic on one thread; results are compared before anything is timed, and rounds are interleaved.
//
//	THM_NUMPY=python3 go test ./bench/tangent -run '^$' -bench BesideNumPy -benchtime 10x
//
// reports the median ratio, our processor time over NumPy's, with NumPy on the BLAS that it finds. Without THM_NUMPY,
// an interpreter that imports NumPy, the benchmark is skipped.
package tangent
