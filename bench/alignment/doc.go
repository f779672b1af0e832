// Package alignment repeats figures 1 and 3 of the paper on adaptive tangent features (LeJeune and Alemohammad 2024,
// arXiv 2308.15478) on pictures of two classes: a network is trained on the best linear fit of the classes with
// random features, smooth labels, and another one from the same start on the signs of that fit. The averaged tangent
// kernels of the two are compared with the outer product of what each network learnt.
//
// The findings are empirical: they speak about these pictures, this network and this schedule, with Student's intervals
// over runs, and are no part of the suite's error budget. Beside them stands what Theorem 1 predicts for the same
// labels and the same kernel at the start.
package alignment
