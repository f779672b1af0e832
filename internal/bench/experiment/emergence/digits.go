package emergence

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// centred are the pictures with one of the labels, all for nil, at most so many for count > 0: pixels in [0, 1] less
// mean, which is theirs if nil and is returned.
func centred(from data.Images, labels []byte, count int, mean []float64) (x *mat.Dense, of []byte, m []float64,
	err error) {
	size := from.Height * from.Width
	var rows [][]float64
	for i, label := range from.Labels {
		if labels != nil && label != labels[0] && label != labels[1] || count > 0 && len(rows) == count {
			continue
		}
		row := make([]float64, size)
		for j, pixel := range from.Pixels[i*size : (i+1)*size] {
			row[j] = float64(pixel) / 255
		}
		rows, of = append(rows, row), append(of, label)
	}
	if len(rows) == 0 || len(rows) < count {
		return nil, nil, nil, fmt.Errorf("emergence: %d pictures, %d wanted", len(rows), max(1, count))
	}
	if mean == nil {
		mean = make([]float64, size)
		for _, row := range rows {
			floats.AddScaled(mean, 1/float64(len(rows)), row)
		}
	}
	x = mat.NewDense(len(rows), size, nil)
	for i, row := range rows {
		floats.SubTo(x.RawRowView(i), row, mean)
	}
	return x, of, mean, nil
}

// meanSquare is the mean squared length of the rows.
func meanSquare(x *mat.Dense) float64 {
	n, _ := x.Dims()
	size := mat.Norm(x, 2)
	return size * size / float64(n)
}

// zerosAndOnes are the classes 0 (y = −1) and 1 (y = +1), centred and of mean squared length 1 on the training set.
func zerosAndOnes(set *data.Dataset) (train, test data.Sample, err error) {
	x, labels, mean, err := centred(set.Train, []byte{0, 1}, 0, nil)
	if err != nil {
		return train, test, err
	}
	scale := 1 / math.Sqrt(meanSquare(x))
	train = sample(x, labels, scale)
	if x, labels, _, err = centred(set.Test, []byte{0, 1}, 0, mean); err != nil {
		return train, test, err
	}
	return train, sample(x, labels, scale), nil
}

func sample(x *mat.Dense, labels []byte, scale float64) data.Sample {
	x.Scale(scale, x)
	s := data.Sample{X: x}
	for _, label := range labels {
		s.Y, s.P = append(s.Y, float64(2*int(label)-1)), append(s.P, 1/float64(len(labels)))
	}
	return s
}
