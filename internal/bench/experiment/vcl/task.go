package vcl

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/list"
)

// samples are inputs (N×side², in [0, 1]) with their labels.
type samples struct {
	x      *mat.Dense
	labels []int
}

// task is a data set cut to size.
type task struct {
	side                    int // of the pictures after averaging
	classes                 int
	train, validation, test samples
}

// newTask draws the pictures of a task. The split depends on the data set and the suite seed only, so that runs differ
// in what training does and not in what they are trained on.
func newTask(r *rand.Rand, set *data.Dataset, s Sizes, cell int) task {
	order := r.Perm(len(set.Train.Labels))
	train := min(s.Train, len(order))
	validation := min(s.Validation, len(order)-train)
	t := task{side: set.Train.Height / cell, classes: set.Classes}
	t.train = picked(set.Train, order[:train], cell)
	t.validation = picked(set.Train, order[train:train+validation], cell)
	order = r.Perm(len(set.Test.Labels))
	t.test = picked(set.Test, order[:min(s.Test, len(order))], cell)
	return t
}

// picked averages squares of cell×cell pixels of the chosen pictures.
func picked(from data.Images, chosen []int, cell int) samples {
	down, across := from.Height/cell, from.Width/cell
	if len(chosen) == 0 {
		return samples{}
	}
	out := samples{mat.NewDense(len(chosen), down*across, nil), make([]int, len(chosen))}
	for row, index := range chosen {
		out.labels[row] = int(from.Labels[index])
		picture := from.Pixels[index*from.Height*from.Width:]
		x := out.x.RawRowView(row)
		for i := range down * cell {
			for j := range across * cell {
				x[i/cell*across+j/cell] += float64(picture[i*from.Width+j]) / float64(255*cell*cell)
			}
		}
	}
	return out
}

// parity turns the labels into those of the binary task.
func (s samples) parity() samples {
	odd := list.Map(s.labels, func(l int) int { return l % 2 })
	return samples{s.x, odd}
}

// targets are the rows that the loss of a network wants.
func (s samples) targets(n Network, classes int) *mat.Dense {
	if n != Binary {
		return nn.OneHot(s.labels, classes)
	}
	y := mat.NewDense(len(s.labels), 1, nil)
	for i, l := range s.labels {
		y.Set(i, 0, float64(l))
	}
	return y
}

// binary is the task of telling odd classes from even ones.
func (t task) binary() task {
	t.train, t.validation, t.test = t.train.parity(), t.validation.parity(), t.test.parity()
	t.classes = 2
	return t
}

// model makes a network for the task. Hidden layers have GELU, as in the paper; the convolutional net has two 3×3
// convolutions of stride 2 with 4 and 8 channels.
func (t task) model(r *rand.Rand, n Network, hidden int) *nn.Model {
	in := t.side * t.side
	switch n {
	case TwoLayer:
		return nn.NewDenseModel(r, []int{in, hidden, t.classes}, nn.GELU, nn.SoftmaxCrossEntropy)
	case ThreeLayer:
		return nn.NewDenseModel(r, []int{in, hidden, hidden, t.classes}, nn.GELU, nn.SoftmaxCrossEntropy)
	case Softmax:
		return nn.NewDenseModel(r, []int{in, t.classes}, nn.GELU, nn.SoftmaxCrossEntropy)
	case Binary:
		return nn.NewDenseModel(r, []int{in, 1}, nn.GELU, nn.Logistic)
	}
	first := nn.Conv{Height: t.side, Width: t.side, Channels: 1, Size: 3, Pad: 1, Stride: 2}
	down, across := first.Sites()
	second := nn.Conv{Height: down, Width: across, Channels: 4, Size: 3, Pad: 1, Stride: 2}
	down, across = second.Sites()
	return &nn.Model{Loss: nn.SoftmaxCrossEntropy, Stages: []nn.Stage{
		nn.NewConvStage(r, first, 4, nn.GELU, 0),
		nn.NewConvStage(r, second, 8, nn.GELU, 0),
		nn.NewStage(r, down*across*8, t.classes, nn.Identity),
	}}
}
