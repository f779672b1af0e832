// Package vcl holds the experiments of virtual covariance learning (Cha and Lee 2025, figures 1 and 2; arXiv
// 2605.06258, section 5 for whitening). They are
//
//	covariance      the accumulated virtual covariance against the learnt Gram matrix and against the average gradient
//	                outer product (AGOP)
//	training        test accuracy under gradient descent, virtual covariance learning, whitening and Algorithm 1 on
//	                equal grids of step sizes: Efficient, Robust and Non-overfitting as numbers with intervals
//	newton-schulz   whether ten Newton–Schulz steps keep the Gram matrix of a square layer
//	transformer     a transformer of two blocks under gradient descent, Adam, virtual covariance learning and whitening,
//	                for which the paper left self-attention open
package vcl

import "github.com/thm-suite/thm/internal/bench/experiment"

// Experiments lists them in the order in which they run; add here.
var Experiments = []experiment.Experiment{covarianceSpec.Experiment(), newtonSchulzSpec.Experiment(),
	trainingSpec.Experiment(), transformerSpec.Experiment()}

// Sources of the experiments.
const (
	poster = "T. Cha, D. Lee: Feature Learning as a Virtual Covariance Learning (2025), figures 1 and 2"
	sequel = "arXiv 2605.06258, section 5"
)

// pictures are the data sets that the experiments run on.
var pictures = []string{"mnist", "fashion-mnist", experiment.Synthetic}
