package vcl

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// Sizes holds the sizes of the training runs of an effort.
type Sizes struct {
	Train      int `json:"train"` // pictures, like the next two
	Validation int `json:"validation"`
	Test       int `json:"test"`
	Cell       int `json:"cell"`   // side of the squares of pixels that are averaged into one input
	Hidden     int `json:"hidden"` // width of hidden layers
	Batch      int `json:"batch"`
	Epochs     int `json:"epochs"`
	WarmUp     int `json:"warm_up"` // epochs in which only the last stage is trained, with γ = 0.5
	Wide       int `json:"wide"`    // width of hidden layers in the experiments covariance and newton-schulz
	Fine       int `json:"fine"`    // Cell in the experiment covariance
}

// sizes at every effort.
var sizes = map[props.Effort]Sizes{
	props.Quick: {Train: 200, Validation: 100, Test: 100, Cell: 4, Hidden: 12, Batch: 50, Epochs: 2, WarmUp: 1,
		Wide: 24, Fine: 4},
	props.Standard: {Train: 2000, Validation: 500, Test: 1000, Cell: 2, Hidden: 32, Batch: 64, Epochs: 10, WarmUp: 1,
		Wide: 256, Fine: 1},
	props.Deep: {Train: 60000, Validation: 0, Test: 10000, Cell: 1, Hidden: 256, Batch: 64, Epochs: 20, WarmUp: 1,
		Wide: 256, Fine: 1},
}

// gammas is the grid of step sizes, equal for all rules. The printed grids were {5, 1, .5, .1, .05} for VCL and {.1,
// .05, .01, .005} for SGD.
var gammas = map[props.Effort][]float64{
	props.Quick:    {0.05, 1},
	props.Standard: {0.005, 0.05, 0.5, 1, 5},
	props.Deep:     {0.005, 0.01, 0.05, 0.1, 0.5, 1, 5},
}

// seeds is the number of runs per rule and step size.
var seeds = map[props.Effort]int{props.Quick: 2, props.Standard: 5, props.Deep: 5}

// Seeded is one run on a data set.
type Seeded struct {
	Dataset string `json:"dataset"`
	Seed    int    `json:"seed"`
}

// String names the cell.
func (c Seeded) String() string { return c.Dataset + " seed " + strconv.Itoa(c.Seed) }

// taskOf cuts the data set of a cell to size, once for all cells.
func taskOf(env *experiment.Env, s Sizes, dataset string, cell int) (task, error) {
	return experiment.Prepared(env, dataset, fmt.Sprint("task", cell), func(set *data.Dataset) (task, error) {
		return newTask(streams.New(env.Seed, "experiment", "split", dataset), set, s, cell), nil
	})
}

// streamsOf returns the streams of a cell by label.
func streamsOf(env *experiment.Env, kind, dataset, network string, seed int) func(label string) *rand.Rand {
	return func(label string) *rand.Rand {
		return streams.New(env.Seed, "experiment", kind, dataset, network, strconv.Itoa(seed), label)
	}
}

// cut says how the data sets were cut to size.
func cut(s Sizes) string {
	if s.Validation == 0 {
		return fmt.Sprintf("Each data set is cut down to %d training and %d test pictures, one split for all runs; squares "+
			"of %d×%d pixels are averaged into one input in [0, 1]. Without a validation set the step size is chosen by "+
			"test accuracy, as in the paper.", s.Train, s.Test, s.Cell, s.Cell)
	}
	return fmt.Sprintf("Each data set is cut down to %d training, %d validation and %d test pictures, one split for all "+
		"runs; for training, squares of %d×%d pixels are averaged into one input in [0, 1].", s.Train, s.Validation, s.Test,
		s.Cell, s.Cell)
}
