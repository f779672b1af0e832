package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// HeNet returns dense layers between the widths with ReLU after all but the last, weights N(0, 2/in) and biases uniform
// on ±1/√in.
func HeNet(r *rand.Rand, widths ...int) nn.Net {
	var net nn.Net
	for l := range len(widths) - 1 {
		in, out := widths[l], widths[l+1]
		layer := nn.Layer{W: mat.NewDense(out, in, nil), B: make([]float64, out), Act: nn.ReLU}
		layer.W.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() * math.Sqrt(2/float64(in)) }, layer.W)
		for i := range layer.B {
			layer.B[i] = (2*r.Float64() - 1) / math.Sqrt(float64(in))
		}
		if l == len(widths)-2 {
			layer.Act = nn.Identity
		}
		net = append(net, layer)
	}
	return net
}

// Training is gradient descent with momentum on the mean of ½(f − y)², with rates that fall to zero like a cosine.
type Training struct {
	Rate, Momentum float64
	Batch          int // samples per step, the last ones of an epoch left out if they do not fill a batch; all if 0
	Epochs         int
}

// Fit trains a copy of a network with one output on the rows of samples and returns it. With fewer samples than inputs
// the first layer costs 2·batch·n·out flops per step in place of 4·batch·inputs·out.
func (tr Training) Fit(r *rand.Rand, start nn.Net, samples *mat.Dense, labels []float64) nn.Net {
	n, _ := samples.Dims()
	batch := tr.Batch
	if batch <= 0 || batch > n {
		batch = n
	}
	net, later := make(nn.Net, len(start)), make([]*moving, len(start))
	s := newSweep(start, batch)
	for l, layer := range start {
		net[l] = nn.Layer{W: mat.DenseCopyOf(layer.W), B: append([]float64(nil), layer.B...), Act: layer.Act}
		if l > 0 {
			later[l] = newMoving(net[l])
		}
	}
	first := newEntry(net[0], samples, batch)
	order, perEpoch := make([]int, n), n/batch
	for i := range order {
		order[i] = i
	}
	total := float64(tr.Epochs * perEpoch)
	for step := range tr.Epochs * perEpoch {
		if step%perEpoch == 0 && batch < n {
			r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		rows := order[step%perEpoch*batch:][:batch]
		first.enter(s.pre[0], rows)
		s.run(net)
		for i, row := range rows {
			for _, d := range s.d {
				floats.Scale((s.out[i]-labels[row])/float64(batch), d.RawRowView(i))
			}
		}
		rate := tr.Rate * (1 + math.Cos(math.Pi*float64(step)/total)) / 2
		for l, layer := range later[1:] {
			layer.move(rate, tr.Momentum, s.d[l+1], s.in[l+1])
		}
		first.learn(rate, tr.Momentum, s.d[0], rows)
	}
	first.finish()
	return net
}

// Outputs returns the outputs of a network with one output for the rows of samples.
func Outputs(net nn.Net, samples *mat.Dense) []float64 {
	h := samples
	for _, layer := range net {
		n, _ := h.Dims()
		out, _ := layer.W.Dims()
		z := mat.NewDense(n, out, nil)
		affine(z, h, layer)
		layer.Act.Apply(z.RawMatrix().Data, nil, z.RawMatrix().Data)
		h = z
	}
	return mat.Col(nil, 0, h)
}
