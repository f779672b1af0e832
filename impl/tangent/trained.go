package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dense"
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

// Fit trains a copy of a network with one output on the rows of samples and returns it.
func (tr Training) Fit(r *rand.Rand, start nn.Net, samples *mat.Dense, labels []float64) nn.Net {
	n, d := samples.Dims()
	batch := tr.Batch
	if batch <= 0 || batch > n {
		batch = n
	}
	net, model := make(nn.Net, len(start)), &nn.Model{Loss: nn.Squared}
	for l, layer := range start {
		net[l] = nn.Layer{W: mat.DenseCopyOf(layer.W), B: append([]float64{}, layer.B...), Act: layer.Act}
		model.Stages = append(model.Stages, nn.Stage{W: net[l].W, B: net[l].B, Act: layer.Act})
	}
	grads, speeds, shifts := make([]*mat.Dense, len(net)), make([]*mat.Dense, len(net)), make([][]float64, len(net))
	for l, layer := range net {
		out, in := layer.W.Dims()
		grads[l], speeds[l], shifts[l] = mat.NewDense(out, in, nil), mat.NewDense(out, in, nil), make([]float64, out)
	}
	x, y := mat.NewDense(batch, d, nil), mat.NewDense(batch, 1, nil)
	var trace nn.Trace
	order, perEpoch := make([]int, n), n/batch
	for i := range order {
		order[i] = i
	}
	total := float64(tr.Epochs * perEpoch)
	for step := range tr.Epochs * perEpoch {
		if step%perEpoch == 0 && batch < n {
			r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for i := range batch {
			from := order[step%perEpoch*batch+i]
			copy(x.RawRowView(i), samples.RawRowView(from))
			y.Set(i, 0, labels[from])
		}
		rate := tr.Rate * (1 + math.Cos(math.Pi*float64(step)/total)) / 2
		model.Backprop(&trace, x, y)
		for l := range net {
			trace.Views[l].WeightGrad(grads[l])
			tr.move(rate, net[l].W.RawMatrix().Data, grads[l].RawMatrix().Data, speeds[l].RawMatrix().Data)
			tr.move(rate, net[l].B, trace.Views[l].BiasGrad(), shifts[l])
		}
	}
	return net
}

// move takes one step of the parameters w.
func (tr Training) move(rate float64, w, grad, speed []float64) {
	for i, g := range grad {
		speed[i] = tr.Momentum*speed[i] + g
		w[i] -= rate * speed[i]
	}
}

// Outputs returns the outputs of a network with one output for the rows of samples.
func Outputs(net nn.Net, samples *mat.Dense) []float64 {
	h := samples
	for _, layer := range net {
		n, _ := h.Dims()
		out, _ := layer.W.Dims()
		z := dense.Gemm(mat.NewDense(n, out, nil), 1, h, layer.W.T(), 0)
		z.Apply(func(_, j int, v float64) float64 { return layer.Act.Value(v + layer.B[j]) }, z)
		h = z
	}
	return mat.Col(nil, 0, h)
}
