// Package onestep holds the experiments on one large gradient step (Moniri, Lee, Hassani and Dobriban 2024, arXiv
// 2310.07891, slides of 23 March 2024), which compare simulations with a theory as the slides do.
//
//	spectrum  singular values of the features after a step of size η = κn^α, with the predicted bulk and outliers
//	errors    test errors of ridge regression on these features in Settings 1 and 2, over α and over the penalty
//
// Each is run with the weights that the slides display, W₀ + ηc₁aβᵀ, and after a step along the true gradient.
package onestep

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
)

// Experiments lists them in the order in which they run; add here.
var Experiments = []experiment.Experiment{spectrumSpec.Experiment(), errorsSpec.Experiment()}

const source = "B. Moniri, D. Lee, H. Hassani, E. Dobriban: A Theory of Non-Linear Feature Learning with One " +
	"Gradient Step in Two-Layer Neural Networks, ICML 2024, arXiv 2310.07891, slides of 23 March 2024"

// The weights after the step.
const (
	gradient  = "true gradient"
	displayed = "displayed weights"
)

var allWeights = []string{gradient, displayed}

const overRuns = "A run draws W₀, a, the batch of the step, its labels, and a fresh batch of the same size for the " +
	"features. Rows of W₀ are uniform on the unit sphere, a ~ N(0, I/N), the step is along the gradient of the loss of " +
	"N^(−1/2)aᵀσ(Wx) or W₀ + ηc₁aβᵀ with β = Xᵀy/n of its batch. Intervals are Student's over runs."

// direction returns the matrix that a step of size one adds to the pre-activations of fresh samples, n×N: XGᵀ, or
// c₁(Xβ)aᵀ.
func direction(s network.Setup, step network.Sample, weights string, fresh *mat.Dense) *mat.Dense {
	if weights == gradient {
		return features.PreActivations(fresh, step.Gradient(s.Act.Run))
	}
	n, _ := fresh.Dims()
	out := mat.NewDense(n, len(step.A), nil)
	u := network.Times(fresh, step.Beta)
	out.RankOne(out, s.Act.Closed.Coefficient(1), mat.NewVecDense(n, u), mat.NewVecDense(len(step.A), step.A))
	return out
}

// moved are the features after a step of size η in that direction, from pre-activations z before it.
func moved(s network.Setup, z, direction *mat.Dense, eta float64) *mat.Dense {
	var out mat.Dense
	out.Scale(eta, direction)
	out.Add(&out, z)
	return features.Overwrite(s.Act.Run, &out)
}

// complete reports whether as many runs are there as were planned.
func complete[V any](set experiment.Setting, runs []V) bool { return len(runs) >= set.Runs }
