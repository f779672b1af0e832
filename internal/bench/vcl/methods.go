package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/theory/vcl"
)

// Layer is the shape of one step of virtual covariance learning: weights m×n and a batch.
type Layer struct {
	M     int `json:"m"`
	N     int `json:"n"`
	Batch int `json:"batch"`
}

func (l Layer) String() string { return fmt.Sprintf("m=%d/n=%d/batch=%d", l.M, l.N, l.Batch) }

// Target holds the requirements for a method on a shape.
type Target struct {
	Faster float64 `json:"faster"` // times that it is faster than the paper's route, at least
	Error  float64 `json:"error"`  // of the step, or for methods that are not exact the gap, at most
}

// targets holds the targets on one thread.
var targets = map[string]Target{
	"polar/" + Layer{256, 3072, 64}.String():   {100, 1e-11},
	"polar/" + Layer{256, 784, 64}.String():    {15, 1e-11},
	"factored/" + Layer{256, 784, 64}.String(): {15, 1e-11},
	"krylov/" + Layer{256, 3072, 8}.String():   {200, 1e-7},
	// add here
}

// layers lists the layers of 256 units on MNIST (784 inputs) and CIFAR (3072), smaller ones, and square ones, whose
// Gram matrix is ill-conditioned at PyTorch's initialisation.
var layers = []Layer{{16, 64, 8}, {32, 128, 8}, {64, 256, 8}, {128, 512, 8}, {256, 1024, 8}, {256, 784, 64},
	{256, 784, 256},
	{256, 3072, 64}, {256, 3072, 8}, {512, 512, 8}, {1024, 1024, 8}}

// sweep varies one of n, m and B, for the slopes of the cost.
type sweep struct {
	over   string
	layers []Layer
}

var sweeps = []sweep{
	{"n", []Layer{{128, 256, 16}, {128, 512, 16}, {128, 1024, 16}, {128, 2048, 16}, {128, 4096, 16}}},
	{"m", []Layer{{32, 2048, 16}, {64, 2048, 16}, {128, 2048, 16}, {256, 2048, 16}, {512, 2048, 16}}},
	{"batch", []Layer{{256, 1024, 1}, {256, 1024, 4}, {256, 1024, 16}, {256, 1024, 64}, {256, 1024, 256}}},
}

// vclMethod solves one step for SGD's Gram matrix. A method that does not suit a shape is nil there. Flops are counted
// for a step whose largest matrix had the order dim.
type vclMethod struct {
	name  string
	on    func(l Layer) procrustes.Solver
	flops func(r vcl.Routes, dim float64) float64
}

var vclMethods = []vclMethod{
	{"sgd", func(Layer) procrustes.Solver { return descent{} },
		func(r vcl.Routes, _ float64) float64 { return r.Descent() }},
	{"full", func(Layer) procrustes.Solver { return procrustes.Full{} },
		func(r vcl.Routes, _ float64) float64 { return r.Full() }},
	{"reduced", func(l Layer) procrustes.Solver {
		if l.M+l.Batch >= l.N {
			return nil
		}
		return procrustes.Reduced{}
	}, func(r vcl.Routes, _ float64) float64 { return r.Reduced() }},
	{"polar", func(Layer) procrustes.Solver { return procrustes.Polar{WarmStart: &procrustes.WarmStart{}} },
		func(r vcl.Routes, _ float64) float64 { return r.Polar() }},
	{"factored", func(Layer) procrustes.Solver { return new(factored) },
		func(r vcl.Routes, _ float64) float64 { return r.Factored() }},
	{"rational", func(l Layer) procrustes.Solver {
		if l.M < 32*l.Batch {
			return nil
		}
		return procrustes.Krylov{Rational: true, Gap: nearlyLeast}
	}, rationalFlops},
	{"krylov", func(l Layer) procrustes.Solver {
		if l.M < 16*l.Batch || l.M == l.N {
			return nil
		}
		return procrustes.Krylov{Gap: nearlyLeast}
	}, func(r vcl.Routes, dim float64) float64 {
		r.Blocks = max(1, int(math.Round(dim/float64(2*r.Batch))))
		return r.Krylov()
	}},
	// add here
}

// nearlyLeast is the gap to the least squared distance that the methods in a subspace are asked for.
const nearlyLeast = 1e-7

// rationalFlops is the count of [procrustes.Krylov] with rational blocks in a space of dimension k.
func rationalFlops(r vcl.Routes, k float64) float64 {
	m, n, b := float64(r.Outputs), float64(r.Inputs), float64(r.Batch)
	return m*m*n + 4*m*n*k + k/(2*b)*m*m*m/3 + 20*k*k*k + r.Descent()
}

// VCLMethods are the names of the ways to take a step: "sgd" is plain gradient descent, "full" the paper's route.
func VCLMethods() []string { return list.Map(vclMethods, func(m vclMethod) string { return m.name }) }

// count is the number of flops of the method's step on the layer.
func (m vclMethod) count(l Layer, dim int) float64 {
	return m.flops(vcl.Routes{Outputs: l.M, Inputs: l.N, Batch: l.Batch, Blocks: 1}, float64(dim))
}

// descent is gradient descent in the guise of a solver.
type descent struct{}

func (descent) Solve(p procrustes.Problem) (procrustes.Step, error) {
	w := mat.DenseCopyOf(p.W)
	return procrustes.Step{W: dense.Gemm(w, -p.Rate, p.Gamma, p.H.T(), 1), Method: "sgd"}, nil
}

// factored takes the same step of a layer in two factors again and again, and turns the other factor. The time that
// this adds to the forward and backward pass counts too.
type factored struct {
	layer, next *procrustes.Factored
	r, turned   *mat.Dense
	y, z, back  *mat.Dense // batches by rows, as in training
}

func (c *factored) Solve(p procrustes.Problem) (procrustes.Step, error) {
	if c.layer == nil {
		m, _ := p.W.Dims()
		c.layer, c.next = procrustes.NewFactored(p.W), new(procrustes.Factored)
		c.r, c.turned = dense.Identity(m), mat.NewDense(m, m, nil)
		c.y, c.z = mat.DenseCopyOf(p.Z.T()), mat.DenseCopyOf(p.Z.T())
		c.back = mat.DenseCopyOf(p.Gamma.T())
	}
	dense.Gemm(c.z, 1, c.y, c.r.T(), 0)
	dense.Gemm(c.back, 1, p.Gamma.T(), c.r, 0)
	u, step, err := c.layer.StepInto(c.next, p.Rate, c.back.T(), p.H, c.y.T())
	if err == nil {
		dense.Gemm(c.turned, 1, c.r, u, 0)
	}
	return step, err
}

// Weights returns the weights after the step.
func (c *factored) Weights() *mat.Dense { return dense.Mul(c.turned, c.next.F) }

// Problem is a layer at PyTorch's initialisation under inputs in [0, 1) and gradients of a mean loss as a next layer so
// initialised, with weights of variance 1/(3m), hands them back from errors of length one. The batch is stored by rows,
// and Z = W H is there, as training leaves them.
func (l Layer) Problem() procrustes.Problem {
	r := testmatrix.Stream("vcl", l.M*l.Batch, l.N)
	gradients := mat.NewDense(l.Batch, l.M, nil)
	scale := 1 / (float64(l.Batch) * math.Sqrt(3*float64(l.M)))
	gradients.Apply(func(_, _ int, _ float64) float64 { return scale * r.NormFloat64() }, gradients)
	w, inputs := nn.NewStage(r, l.N, l.M, nn.Identity).W, testmatrix.Uniform("vcl", l.Batch, l.N)
	return procrustes.Problem{W: w, Gamma: gradients.T(), H: inputs.T(), Rate: 0.1, Z: dense.Mul(inputs, w.T()).T()}
}

// departures returns by how much a step differs from the reference, relative to its length, and by how much the squared
// distance from W exceeds the squared distance of the reference, relative to it.
func departures(p procrustes.Problem, w, reference *mat.Dense) (step, gap float64) {
	var d mat.Dense
	distance := func(a, b *mat.Dense) float64 { d.Reset(); d.Sub(a, b); return mat.Norm(&d, 2) }
	smallest := distance(reference, p.W)
	return distance(w, reference) / smallest, math.Pow(distance(w, p.W)/smallest, 2) - 1
}

// interleaved times operations in turns by processor time, which neighbours on the machine disturb less than the time
// on the clock. In each round an operation counts with the best of three readings, or of one if that takes more than a
// tenth of a second; a reading repeats what is short until it takes a millisecond.
type interleaved struct {
	ops     []func()
	repeats []int
	seconds [][]float64 // of one repeat, by operation and round
}

func interleave(ops ...func()) *interleaved {
	t := &interleaved{ops: ops, repeats: make([]int, len(ops)), seconds: make([][]float64, len(ops))}
	for i := range ops {
		t.repeats[i] = 1
		if t.read(i) > 1 { // the first call allocates, but not for long
			continue
		}
		for t.read(i)*float64(t.repeats[i]) < 1e-3 {
			t.repeats[i] *= 2
		}
	}
	return t
}

func (t *interleaved) read(i int) float64 {
	start := cputime.Process()
	for range t.repeats[i] {
		t.ops[i]()
	}
	return (cputime.Process() - start) / float64(t.repeats[i])
}

// round gives every operation its turn, except those that have had three and half a minute.
func (t *interleaved) round() {
	for i := range t.ops {
		if n := len(t.seconds[i]); n >= 3 && float64(n)*t.seconds[i][n-1] > 30 {
			continue
		}
		best := math.Inf(1)
		for range 3 {
			if best = min(best, t.read(i)); best > 0.1 {
				break
			}
		}
		t.seconds[i] = append(t.seconds[i], best)
	}
}

// medians are over the rounds.
func (t *interleaved) medians() []float64 {
	return list.Map(t.seconds, number.Median)
}
