// Package emergence holds the experiments of Shi, Wei and Liang (ICLR 2022, arXiv 2206.01717). They are
//
//	parity    figure 4 of the slides, which is figure 1 of the paper: a network, its tangent kernel and random
//	          features on parities of hidden bits, with structure in the inputs and without
//	clusters  the neurons of a network on MNIST's zeros and ones before training and after two steps
//	teacher   a student of a teacher's labels on pictures and on random inputs, half and half
package emergence

import "github.com/thm-suite/thm/internal/bench/experiment"

// Experiments lists them in the order in which they run; add here.
var Experiments = []experiment.Experiment{paritySpec.Experiment(), clustersSpec.Experiment(), teacherSpec.Experiment()}

const source = "Z. Shi, J. Wei, Y. Liang: A Theoretical Analysis on Feature Learning in Neural Networks, ICLR 2022, " +
	"arXiv 2206.01717"

// overRuns is said of the intervals of every experiment, after what differs from run to run.
const overRuns = " Intervals are Student's over runs. One without width says that all runs agreed, and nothing of " +
	"outcomes that are rarer than one in as many runs."
