package tangent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// picturesSpec is figures 1 and 3 as in the paper's script.
var picturesSpec = experiment.Spec[Sizes, PicturesCell, Pair]{
	About: experiment.About{Name: "tangent/pictures", Title: "Kernel alignment of networks trained on pictures",
		Source: source, Data: []string{"mnist", experiment.Synthetic}, Cost: "4 min", Claims: pairClaims},
	Version: 2, // 1 had the rates of the script for the mean of ½(f − y)², half as large as they are for its loss
	Sizes: map[props.Effort]Sizes{props.Quick: {Kernel: 30, Width: 16, Epochs: 20, Batch: 20, Nodes: 4},
		props.Standard: printed, props.Deep: printed},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 5},
	Cells: func(e props.Effort, run int, dataset string) (out []PicturesCell) {
		for _, row := range slices.Backward(rows(e)) { // those that take longest first
			if run < row.runs {
				out = append(out, PicturesCell{dataset, row.samples, run, row.fit})
			}
		}
		return out
	},
	Train: func(_ context.Context, env *experiment.Env, s Sizes, c PicturesCell) (Pair, error) {
		set, err := env.Set(c.Dataset)
		if err != nil {
			return Pair{}, err
		}
		x, classes, err := twoClasses(set.Train, c.Samples)
		if err != nil {
			return Pair{}, err
		}
		return s.once(streams.New(env.Seed, "alignment", c.Dataset, strconv.Itoa(c.Run)), x, classes, c.Fit)
	},
	Judge: judgePictures,
}

// Sizes holds the sizes of the networks trained on pictures.
type Sizes struct {
	Kernel int `json:"kernel"` // the first pictures, on which kernels are computed
	Width  int `json:"width"`  // of both hidden layers
	Epochs int `json:"epochs"`
	Batch  int `json:"batch"`
	Nodes  int `json:"nodes"` // of the midpoint rule along the path
}

// printed are the sizes of the paper's script. The caption of figure 1 says 500 pictures, the script trains on 5000 and
// computes kernels on 500 of them.
var printed = Sizes{Kernel: 500, Width: 256, Epochs: 500, Batch: 100, Nodes: 20}

// PicturesCell is one run.
type PicturesCell struct {
	Dataset string `json:"dataset"`
	Samples int    `json:"samples"` // that networks are trained on, the first of both classes
	Run     int    `json:"run"`
	Fit     fit    `json:"fit,omitempty"`
}

// String names the cell.
func (c PicturesCell) String() string {
	return fmt.Sprintf("%s, %d pictures%s, run %d", c.Dataset, c.Samples, c.Fit.suffix(), c.Run)
}

// rows are the settings, with the number of runs of each.
func rows(e props.Effort) []row {
	switch e {
	case props.Quick:
		return []row{{40, "", 3}, {40, descent, 3}}
	case props.Standard:
		return []row{{500, "", 5}, {500, descent, 5}}
	}
	return []row{{500, "", 5}, {500, descent, 5}, {5000, descent, 2}}
}

type row struct {
	samples int
	fit     fit
	runs    int
}

// schedule has the rate 0.1 of the paper's script. Its loss is the mean of (f − y)², ours that of ½(f − y)².
func (s Sizes) schedule() schedule {
	return schedule{tangent.Training{Rate: 2 * 0.1, Momentum: 0.9, Batch: s.Batch, Epochs: s.Epochs}, s.Kernel, s.Nodes}
}

func judgePictures(set experiment.Setting, s Sizes, runs []experiment.Run[PicturesCell, Pair]) experiment.Judgement {
	out := experiment.Judgement{Setup: []string{fmt.Sprintf("Classes 2 and 3, each picture less its mean and of "+
		"length 1. Networks 784→%d→%d→1 with ReLU are trained by gradient descent with momentum 0.9 on batches of %d "+
		"for %d epochs, with rates that fall from 0.1 like a cosine, on the mean of (f − y)². Kernels are those of the "+
		"first %d pictures, averaged over %d nodes of the midpoint rule. Both networks of a run have one start.",
		s.Width, s.Width, s.Batch, s.Epochs, s.Kernel, s.Nodes),
		fmt.Sprintf("Smooth labels are a linear fit of ±1 with the last hidden layer of a network 784→%d→%d without "+
			"biases that is not trained; signs are those of the fit. The paper's script fits by %d epochs of gradient "+
			"descent, which stops short of least squares where there are few pictures; both are here.", s.Width,
			s.Width, fitEpochs),
		studentOverRuns}}
	var groups []group
	for _, d := range set.Datasets {
		for _, row := range rows(set.Effort) {
			g := group{fmt.Sprintf("%s, %d pictures%s", experiment.Title(d), row.samples, row.fit.suffix()), row.runs,
				experiment.Among(runs, func(c PicturesCell) bool {
					return c.Dataset == d && c.Samples == row.samples && c.Fit == row.fit
				})}
			groups = append(groups, g)
			out.Findings = append(out.Findings, g.judge("")...)
		}
	}
	out.Cover = cover(groups)
	out.Sections = []experiment.Section{pairsTable(groups)}
	return out
}

// twoClasses are the first pictures of the classes 2 and 3, each less its mean and of length 1, with −1 and +1.
func twoClasses(from data.Images, count int) (x *mat.Dense, classes []float64, err error) {
	size := from.Height * from.Width
	x = mat.NewDense(max(1, count), size, nil)
	for i, label := range from.Labels {
		if len(classes) == count {
			break
		}
		if label != 2 && label != 3 {
			continue
		}
		row := x.RawRowView(len(classes))
		for j, pixel := range from.Pixels[i*size : (i+1)*size] {
			row[j] = float64(pixel)
		}
		floats.AddConst(-floats.Sum(row)/float64(size), row)
		norm := floats.Norm(row, 2)
		if norm == 0 {
			continue
		}
		floats.Scale(1/norm, row)
		classes = append(classes, float64(2*int(label)-5))
	}
	if count < 1 || len(classes) < count {
		return nil, nil, fmt.Errorf("tangent: %d pictures of the classes 2 and 3, %d wanted", len(classes), count)
	}
	return x, classes, nil
}

func (s Sizes) once(r *rand.Rand, x *mat.Dense, classes []float64, by fit) (out Pair, err error) {
	_, d := x.Dims()
	random := tangent.HeNet(r, d, s.Width, s.Width, 1)
	smooth, err := by.of(r, random, x, classes)
	if err != nil {
		return out, err
	}
	sign := make([]float64, len(smooth))
	for i, y := range smooth {
		sign[i] = math.Copysign(1, y)
		out.Fit += math.Pow(y-classes[i], 2) / float64(len(smooth))
	}
	start := tangent.HeNet(r, d, s.Width, s.Width, 1)
	if out.Smooth, err = s.schedule().train(r, start, x, smooth, smooth); err != nil {
		return out, err
	}
	out.Sign, err = s.schedule().train(r, start, x, sign, smooth)
	return out, err
}
