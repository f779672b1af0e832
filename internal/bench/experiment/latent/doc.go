// Package latent holds the experiments of Damian, Lee and Soltanolkotabi (COLT 2022, arXiv 2206.15144): Algorithm 1,
// one gradient step on the first layer and ridge regression on the second, compared with tuned kernel ridge regression.
//
//	kernels  a noise-free cubic of one direction in d = 20, 30, 50 dimensions, with the bound below every kernel method
//	quartic  the same with a target of degree 4
//	metric   kernels with the metric of the step
//	noisy    the paper's setting d = 10, p = 4 with noise ±1
//	sizes    the cubic over samples, neurons and noise, against the right side of Theorem 1
package latent

import "github.com/thm-suite/thm/internal/bench/experiment"

// Experiments lists them in the order in which they run; add here.
var Experiments = []experiment.Experiment{kernels.spec().Experiment(), quartic.spec().Experiment(),
	metric.spec().Experiment(), noisy.spec().Experiment(), sizesSpec.Experiment()}

const source = "A. Damian, J. D. Lee, M. Soltanolkotabi: Neural Networks can Learn Representations with Gradient " +
	"Descent, COLT 2022, arXiv 2206.15144"
