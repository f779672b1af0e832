// Package tangent holds the experiments on adaptive tangent features (LeJeune and Alemohammad 2024, arXiv 2308.15478,
// figures 1 and 3): one network is trained on smooth labels, and another one, with the same initial weights, on their
// signs. The averaged tangent kernels of the two are compared with the outer product of what each network learnt.
//
//	pictures  MNIST's classes 2 and 3, with the best linear fit of the classes by random features for smooth labels
//	spheres   points uniform on a sphere, with a linear function for smooth labels
//
// The results also give the predictions of Theorem 1 for the same labels and the same initial kernel.
package tangent

import "github.com/thm-suite/thm/internal/bench/experiment"

// Experiments lists them in the order in which they run; add here.
var Experiments = []experiment.Experiment{picturesSpec.Experiment(), spheresSpec.Experiment()}

const source = "D. LeJeune, S. Alemohammad: An Adaptive Tangent Feature Perspective of Neural Networks, arXiv " +
	"2308.15478, figures 1 and 3"
