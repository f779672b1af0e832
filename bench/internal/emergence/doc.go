// Package emergence times the sums that the claims of the source of this name rest on: the first gradient at a thousand
// bits by convolution, the gradient over all inputs of 16 bits, and two steps with a second layer. Every benchmark
// checks its result first. Where THM_NUMPY names a Python with NumPy, the same work runs there too, in turns and on one
// thread, on the same numbers and with the same result, and the benchmark reports the ratio of the times:
//
//	THM_NUMPY=python3 go test -tags system ./bench/internal/emergence -run '^$' -bench NumPy -benchtime 10x
//
// The steps report too how many multiply-adds with the inputs either side makes.
//
// The gates are hard in both, since NumPy has no error function. Which BLAS NumPy loads decides the ratio: with the
// reference BLAS of some distributions it is several times what it is with OpenBLAS, and says little.
package emergence
