package emergence

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// clustersSpec is the experiment on zeros and ones.
var clustersSpec = experiment.Spec[ClustersSizes, ClustersCell, Clusters]{
	About: experiment.About{Name: "emergence/clusters", Title: "Neurons trained on MNIST's zeros and ones",
		Source: source + ", section on real data", Data: []string{"mnist", experiment.Synthetic}, Cost: "2 min",
		Claims: clustersClaims},
	Version: 1,
	Sizes:   map[props.Effort]ClustersSizes{props.Quick: {8, 3}, props.Standard: {50, 40}, props.Deep: {50, 200}},
	Runs:    map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10},
	Cells:   func(_ props.Effort, run int, dataset string) []ClustersCell { return []ClustersCell{{dataset, run}} },
	Train:   trainClusters,
	Judge:   judgeClusters,
}

// ClustersSizes holds the sizes of the networks.
type ClustersSizes struct {
	Neurons int `json:"neurons"` // m; with their mirrors twice as many
	Steps   int `json:"steps"`   // of gradient descent after the first two
}

// ClustersCell is one run.
type ClustersCell struct {
	Dataset string `json:"dataset"`
	Run     int    `json:"run"`
}

// String names the cell.
func (c ClustersCell) String() string { return fmt.Sprintf("%s, run %d", c.Dataset, c.Run) }

// Clusters holds the measurements of a network. Lists of three are for before training and after the first and the
// second step.
type Clusters struct {
	Pairs    []float64 `json:"pairs"`    // mean |cos| of pairs of neurons, without mirrors
	Mean     []float64 `json:"mean"`     // median |cos| of the neurons with E[yx]
	Sides    float64   `json:"sides"`    // share of neurons whose first coordinate has the sign of the output weight
	Dead     float64   `json:"dead"`     // share of neurons without a gradient in the second step, without noise
	Accuracy []float64 `json:"accuracy"` // on the test set after steps 2, 3, …
	Nearest  float64   `json:"nearest"`  // accuracy of the classifier by the nearer class mean
	Planes   []Plane   `json:"planes"`   // of the first run
}

// Plane is the picture of the neurons by classical scaling of 1 − cos.
type Plane struct {
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
	Sign []float64 `json:"sign"` // of the output weights
}

// digits are the samples, read once.
type digits struct {
	train, test data.Sample
	effective   *mat.VecDense // E[yx], of length 1
	nearest     float64
}

func trainClusters(_ context.Context, env *experiment.Env, s ClustersSizes,
	c ClustersCell) (out Clusters, err error) {
	d, err := experiment.Prepared(env, c.Dataset, "digits", func(set *data.Dataset) (digits, error) {
		train, test, err := zerosAndOnes(set)
		return digits{train, test, effective(train), nearest(train, test)}, err
	})
	if err != nil {
		return out, err
	}
	r := streams.New(env.Seed, "experiment", "emergence/clusters", c.Dataset, strconv.Itoa(c.Run))
	_, inputs := d.train.X.Dims()
	net := truncated.Start(r, s.Neurons, inputs, relevant, func(z float64) float64 { return z })
	start := net
	out.Nearest = d.nearest
	step := truncated.Step{Noise: truncated.Smooth(math.Pow(relevant, -1.5)), KeepA: 1}
	for _, step.Rate = range []float64{0, 1e-2, 1} {
		if step.Rate > 0 {
			net, _ = net.Descend(d.train, step)
		}
		out.Pairs = append(out.Pairs, meanPair(net.W, s.Neurons))
		out.Mean = append(out.Mean, medianCosine(net.W, d.effective))
		plane := scaled(net)
		if c.Run == 0 {
			out.Planes = append(out.Planes, plane)
		}
		out.Sides = plane.sides()
	}
	out.Dead = dead(start, d.train)
	further := truncated.Step{Rate: 0.5, KeepW: 1, KeepA: 1}
	for i := 0; ; i++ {
		wrong, _ := net.Score(d.test)
		out.Accuracy = append(out.Accuracy, 1-float64(wrong)/float64(len(d.test.Y)))
		if i == s.Steps {
			return out, nil
		}
		net, _ = net.Descend(d.train, further)
	}
}

// relevant is the k of the paper's scales at the start.
const relevant = 5.

// effective is E[yx], scaled to length 1.
func effective(s data.Sample) *mat.VecDense {
	_, d := s.X.Dims()
	out := mat.NewVecDense(d, nil)
	out.MulVec(s.X.T(), mat.NewVecDense(len(s.Y), s.Y))
	out.ScaleVec(1/mat.Norm(out, 2), out)
	return out
}

// nearest is the test accuracy of the nearer class mean.
func nearest(train, test data.Sample) float64 {
	_, d := train.X.Dims()
	means, count := [2][]float64{make([]float64, d), make([]float64, d)}, [2]float64{}
	for i, y := range train.Y {
		side := int(y+1) / 2
		floats.Add(means[side], train.X.RawRowView(i))
		count[side]++
	}
	for side, c := range count {
		floats.Scale(1/c, means[side])
	}
	right := 0.0
	for i, y := range test.Y {
		x := test.X.RawRowView(i)
		if y*(floats.Distance(x, means[0], 2)-floats.Distance(x, means[1], 2)) > 0 {
			right++
		}
	}
	return right / float64(len(test.Y))
}

// dead is the share of neurons without a gradient in the second of two steps without noise.
func dead(net truncated.Net, s data.Sample) float64 {
	net, _ = net.Descend(s, truncated.Step{Rate: 1e-2, KeepA: 1})
	_, g := net.Descend(s, truncated.Step{Rate: 1, KeepA: 1})
	n, _ := g.W.Dims()
	count := 0.0
	for i := range n {
		if floats.Norm(g.W.RawRowView(i), 2) == 0 {
			count++
		}
	}
	return count / float64(n)
}

// cosines is the matrix of cosines of the rows; rows of length 0 have cosine 0 with all.
func cosines(w *mat.Dense) *mat.SymDense {
	n, _ := w.Dims()
	out := mat.NewSymDense(n, nil)
	unit := mat.DenseCopyOf(w)
	for i := range n {
		if length := floats.Norm(unit.RawRowView(i), 2); length > 0 {
			floats.Scale(1/length, unit.RawRowView(i))
		}
	}
	out.SymOuterK(1, unit)
	return out
}

// meanPair is the mean of |cos| over pairs of the first m rows.
func meanPair(w *mat.Dense, m int) float64 {
	c, sum := cosines(w), 0.0
	for i := range m {
		for j := range i {
			sum += math.Abs(c.At(i, j))
		}
	}
	return sum / float64(m*(m-1)/2)
}

// scaled puts the neurons into the plane.
func scaled(net truncated.Net) Plane {
	apart := cosines(net.W)
	n := len(net.A)
	for i := range n {
		for j := i; j < n; j++ {
			apart.SetSym(i, j, max(0, 1-apart.At(i, j)))
		}
	}
	for i := range n {
		apart.SetSym(i, i, 0)
	}
	p := Plane{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, a := range net.A {
		p.Sign[i] = math.Copysign(1, a)
	}
	var points mat.Dense
	found, _ := mds.TorgersonScaling(&points, nil, apart)
	if found > 0 {
		mat.Col(p.X, 0, &points)
	}
	if found > 1 {
		mat.Col(p.Y, 1, &points)
	}
	if floats.Dot(p.X, p.Sign) < 0 { // the sign of a coordinate is free
		floats.Scale(-1, p.X)
	}
	return p
}

// sides is the share of neurons whose first coordinate has the sign of the output weight.
func (p Plane) sides() float64 {
	right := 0.0
	for i, x := range p.X {
		if x*p.Sign[i] > 0 {
			right++
		}
	}
	return right / float64(len(p.X))
}
