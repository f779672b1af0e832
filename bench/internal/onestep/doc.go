// Package onestep times the regressions behind the claims about one large gradient step: one point of many teachers
// that share a factorisation, compared with NumPy, and whole curves of error over step size.
//
// A point is n = N = 2000, d = 1000 and 240 teachers with two strong terms. By counting, in units of n³ flops: both
// sides spend 1 to form F₀, 1 on its Gram matrix and 0.7 on 720 solves. NumPy's inverse takes 2.7, our Cholesky factor
// and its inverse 0.7. That is 3.4 of 5.4, so at equal peaks we need 0.63 of NumPy's time; even products at the peak do
// not allow a threefold speedup.
//
//	go test -tags system ./bench/internal/onestep -run '^$' -bench Curves -benchtime 1x
//	THM_NUMPY=python3 go test -tags system ./bench/internal/onestep -run '^$' -bench BesideNumPy -benchtime 5x
package onestep
