// Package procrustes solves the step of virtual covariance learning: among all weights W₊ (m×n) with a prescribed Gram
// matrix W₊ᵀW₊ = G it finds the one nearest to the present weights W in the Frobenius norm.
//
// For any factor W̃ of the target, W̃ᵀW̃ = G, the solution is W₊ = U W̃ with U the orthogonal polar factor of W W̃ᵀ
// (Schönemann 1966; Cha and Lee 2025, Proposition 4). It is the solution if and only if W₊ᵀW₊ = G and W₊Wᵀ is symmetric
// positive semidefinite. Two targets are of interest, see [Target].
//
// The paper takes an eigendecomposition of the n×n matrix G and a singular value decomposition of an m×m product, and
// leaves their cost as an open point. The solvers here give the same step for less:
//
//	Full     the paper's route                              9n³ + 24m³ flops; any target, exponent, past shifts
//	Reduced  the same in the span of the rows of W and H    9(m+B)³ + 24m³
//	Polar    one polar factor, nothing of order n           4m²n + about 13m³; SGD's Gram
//	Factor   the true shift's Gram in closed form           about 6mn² + 13n³; m ≥ n, feasible shift
//	Krylov   a rotation in a subspace of dimension k        6mnk, or with inverses m²n + 4mnk + km³/(6B);
//	                                                        exact Gram, distance nearly minimal
//	Auto     chooses among them and says why
//
// # Ill-conditioned square layers
//
// A square layer at PyTorch's initialisation has κ(WWᵀ) between 10⁵ and 10⁹. A polar factor then takes seven or eight
// iterations instead of three, which is no less than a singular value decomposition costs, and powers of WWᵀ make no
// headway. Blocks of inverses at shifts from λmax down to 10⁻⁴λmax do: they are the rational Krylov method for the Lyapunov
// equation that the rotation solves to first order. A shift costs one Cholesky factorisation, m³/3 flops, so that nine
// blocks cost a fifth of a polar factor for a gap of 10⁻⁷. Measured on one thread, rate 0.1, n = m; the gap is
// (‖W₊−W‖² − least)/least, the time in ms of processor time on a busy machine:
//
//	m     B  κ(WWᵀ)   Full  Polar  9 blocks of powers  9 blocks of inverses  Gap: 1e-7
//	256   1  2·10⁶      11      9  4·10⁻⁵ in 0.4       4·10⁻⁸ in 2           1·10⁻⁸ in 3
//	256   8  1·10⁵      10      7  7·10⁻⁴ in 2.5       1·10⁻⁸ in 5           1·10⁻¹¹ in 16
//	512   1  1·10⁷      58     63  1·10⁻⁵ in 2         4·10⁻⁸ in 13          3·10⁻⁸ in 15
//	512   8  8·10⁵      60     57  4·10⁻⁴ in 6         1·10⁻⁷ in 17          6·10⁻¹⁰ in 38
//	1024  1  5·10⁷     460    460  3·10⁻⁶ in 6         1·10⁻⁸ in 70          1·10⁻⁸ in 90
//	1024  8  9·10⁶     470    460  1·10⁻⁴ in 24        2·10⁻⁷ in 92          2·10⁻⁸ in 140
//
// The Gram matrix is exact in every column. What is left of the step's error is of the order of the root of the gap, 10⁻⁴
// to 10⁻³ of its length, in directions of small singular values, where it costs no distance. It falls further only with
// more shifts; for a step to rounding Polar is the cheapest there is here. For batches of a tenth of m and more, nine
// blocks fill the space, and nothing was found that beats Polar.
//
// The exact step is not as badly conditioned as κ suggests: Full and Polar agree to 2·10⁻¹³ of its length on all of these
// layers. A rotation is uncertain in directions of small singular values of W W_sᵀ, but W_s is small there too.
package procrustes
