// Package experiment repeats the experiments of virtual covariance learning (Cha and Lee 2025, figures 1 and 2; arXiv
// 2605.06258, section 5 for whitening) and turns what their authors say about the plots into statements that can fail:
//
//	covariance      the accumulated virtual covariance against the learnt Gram matrix and against the average gradient
//	                outer product (AGOP)
//	training        test accuracy under gradient descent, virtual covariance learning, whitening and Algorithm 1 on equal
//	                grids of step sizes: Efficient, Robust and Non-overfitting as numbers with intervals
//	newton-schulz   whether ten Newton–Schulz steps keep the Gram matrix of a square layer
//
// The claims are empirical, and so are the verdicts: they speak about these data sets, sizes and networks. Their
// intervals are Student's over training runs at level [Alpha] each, and are no part of the suite's error budget.
package experiment
