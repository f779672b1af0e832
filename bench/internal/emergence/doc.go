// Package emergence times the sums behind the claims on emergence: the first gradient at a thousand bits by
// convolution, the gradient over all inputs of 16 bits, and two steps with a second layer. Every benchmark checks its
// result first. Where THM_NUMPY names a Python with NumPy, the same work also runs there, alternately and on one
// thread, with the same inputs and the same result, and the benchmark reports the ratio of the times:
//
//	THM_NUMPY=python3 go test -tags system ./bench/internal/emergence -run '^$' -bench NumPy -benchtime 10x
//
// The benchmark of the steps also reports the number of multiply-adds with the inputs on either side.
//
// The gates are hard on both sides, since NumPy has no error function. The ratio depends on the BLAS that NumPy loads:
// with the reference BLAS of some distributions it is several times the ratio with OpenBLAS, and says little.
package emergence
