// Package procrustes solves the step of virtual covariance learning: among all weights W₊ (m×n) with a prescribed Gram
// matrix W₊ᵀW₊ = G it finds the weights nearest to the present weights W in the Frobenius norm.
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
//	Polar    one polar factor, nothing of order n           4m²n + about 12m³; SGD's Gram
//	Factor   the true shift's Gram in closed form           about 6mn² + 13n³; m ≥ n, feasible shift
//	Krylov   a rotation in a subspace of dimension k        6mnk, or with inverses m²n + 4mnk + km³/(6B);
//	                                                        exact Gram, distance nearly minimal
//	Auto     chooses among them and says why
//
// Weights that are kept in two factors avoid the products of order m²n; see [Factored].
//
// # Ill-conditioned square layers
//
// A square layer at PyTorch's initialisation has κ(WWᵀ) between 10⁵ and 10¹⁰. A polar factor then takes six or seven
// iterations instead of two, which costs no less than the full route, and powers of WWᵀ make little progress. Blocks of
// inverses at shifts from λmax down to 10⁻⁶λmax make more: they are the rational Krylov method for the Lyapunov
// equation that the rotation solves to first order. A shift costs one Cholesky factorisation, m³/3 flops. Measured with
// n = m, the worst of three draws (two for m = 1024): the gap (‖W₊−W‖² − least)/least, and ms of processor time, one
// thread, busy machine:
//
//	m     B  rate  κ(WWᵀ)  Full  Polar  9 blocks of powers  9 blocks of inverses  Gap: 1e-5
//	256   1  .1    2·10⁶     19     18  5·10⁻⁵ in 0.7       4·10⁻⁷ in 4           4·10⁻⁷ in 4
//	256   1  .001  2·10⁶     18     12  2·10⁻² in 0.7       6·10⁻⁶ in 4           1·10⁻⁷ in 6
//	256   8  .1    3·10⁵     18     15  9·10⁻⁴ in 4.5       2·10⁻⁷ in 12          2·10⁻⁸ in 22
//	256   8  .001  3·10⁵     20     16  8·10⁻³ in 3.5       7·10⁻⁸ in 11          3·10⁻⁹ in 18
//	512   8  .1    3·10⁹     72     67  4·10⁻⁴ in 8         8·10⁻⁷ in 24          2·10⁻⁷ in 31
//	512   8  .001  3·10⁹     70     64  9·10⁻³ in 7         9·10⁻⁷ in 22          1·10⁻⁷ in 38
//	1024  1  .1    1·10¹⁰   481    575  3·10⁻⁶ in 10        9·10⁻⁹ in 80          2·10⁻⁷ in 59
//	1024  1  .001  1·10¹⁰   424    498  8·10⁻³ in 9         6·10⁻⁶ in 84          7·10⁻⁷ in 110
//	1024  8  .1    1·10⁸    498    499  1·10⁻⁴ in 32        8·10⁻⁷ in 126         3·10⁻⁷ in 149
//	1024  8  .001  1·10⁸    479    469  1·10⁻² in 30        3·10⁻⁶ in 106         7·10⁻⁸ in 175
//
// So where m is at least 60 batches, nine blocks bring the distance within 10⁻⁵ of the least for a third to a seventh
// of Polar's time, and a bound on the gap costs up to half of Polar's time; at m = 32 batches little is gained. The
// Gram matrix is exact in every column of the table. The step itself is accurate only to about 10⁻³ of its length. A
// range of four decades was tried first: better at rate .1 (10⁻⁷ for nine blocks), but at .001 and below it left up to
// 3·10⁻⁴ and the estimate missed it, because smaller eigenvalues determine a small step. With six decades a gap of 10⁻⁵
// was reached in all of 39 cases (13 draws with m = 256 and 512, rates 10⁻¹, 10⁻³ and 10⁻⁵). For an exact step, and for
// batches of a tenth of m and more, nothing faster than Polar or Full was found: that part remains open.
//
// The exact step is not as badly conditioned as κu/rate suggests: on these layers Full and Polar agree to 10⁻¹³ …
// 2·10⁻¹² of its length at rates .1 and .001, and to 2·10⁻¹⁰ at 10⁻⁵.
package procrustes
