package width

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// nngp adds neurons up, and draws networks.
var nngp = props.Spec{
	Statement: &theory.NNGP,
	Checks:    []props.Check{lengthMoments, drawnNetworks},
	Along: &props.Along{Param: "layers", From: 1, To: 4, Of: []string{"square"}, Places: 4, Reps: 3,
		At:   map[string]string{"networks": "200"},
		Each: &props.ParamSweep{Name: "n", Values: []string{"8", "16", "32"}}},
	Try: &props.Simulation{Run: tryNNGP, Params: []statement.Param{{Name: "networks", Symbol: "M",
		Meaning: "number of networks", Domain: statement.IntegerBetween(1, 1e6), Default: "1000"}}},
}.Claim()

// lengths are the moments of the squared length of the last layer.
type lengths struct {
	Widths  []float64 `npy:"widths"`
	Up      float64   `npy:"alpha"`
	Down    float64   `npy:"beta"`
	Moments []float64 `npy:"moments"` // E(q_L/q₀)ᵏ, k = 1, …, 4
}

func (in lengths) network() theory.Homogeneous {
	net := theory.Homogeneous{Up: in.Up, Down: in.Down}
	for _, n := range in.Widths {
		net.Widths = append(net.Widths, int(n))
	}
	return net
}

// Valid names the hypothesis that a user's numbers violate.
func (in lengths) Valid() error {
	if len(in.Moments) != 4 {
		return fmt.Errorf("width: %d moments, not four", len(in.Moments))
	}
	return in.network().Valid()
}

type momentOf func(net theory.Homogeneous, k int) float64

var lengthMoments = props.Drawn[lengths, momentOf]{
	Name:    "moments, neuron by neuron",
	Cases:   props.Scale{Quick: 100, Standard: 600, Deep: 20000},
	Regimes: []string{"ReLU", "leaky", "linear or |z|"},
	Draw:    func(t *props.T) lengths { return drawLengths(t, 0) },
	Claim:   theory.Homogeneous.Moment,
	Judge: func(r *props.Record, in lengths, claim momentOf) {
		r.RegimeOf(in.Down != 0, in.Up == math.Abs(in.Down))
		neurons := 0.0
		for _, n := range in.Widths {
			neurons += n
		}
		for k, moment := range in.Moments {
			// 10 roundings for each neuron, and 150 of the quadrature in each of k factors
			r.Within(fmt.Sprintf("E R^%d", k+1), moment, claim(in.network(), k+1), r.Unit()*(10*neurons+600)*moment)
		}
	},
	Controls: []props.Wrong[lengths, momentOf]{
		{Name: "κ + 1, without the square of the mean", Instead: func(net theory.Homogeneous, k int) float64 {
			out := net.Moment(k)
			for _, n := range net.Widths {
				out *= 1 + 1/float64(n)
			}
			return out
		}},
		{Name: "a sum over layers", Criterion: "E R^2", Instead: func(net theory.Homogeneous, k int) float64 {
			out := 1.0
			for _, n := range net.Widths {
				out += theory.Homogeneous{Widths: []int{n}, Up: net.Up, Down: net.Down}.Moment(k) - 1
			}
			return out
		}},
		{Name: "leading terms", Criterion: "E R^3", Instead: func(net theory.Homogeneous, k int) float64 {
			out := 1.0
			for _, n := range net.Widths {
				kappa := theory.Homogeneous{Widths: []int{1}, Up: net.Up, Down: net.Down}.Moment(2) - 1
				out *= 1 + float64(k*(k-1)/2)*kappa/float64(n)
			}
			return out
		}},
		{Name: "fourth moment without 1/n³", Criterion: "E R^4", As: "leading terms"},
		{Name: "one neuron more", Criterion: "E R^2", Instead: func(net theory.Homogeneous, k int) float64 {
			net.Widths = slices.Clone(net.Widths)
			for l := range net.Widths {
				net.Widths[l]++
			}
			return net.Moment(k)
		}},
		{Name: "negative slope ignored", Criterion: "E R^2", Instead: func(net theory.Homogeneous, k int) float64 {
			net.Down = 0
			return net.Moment(k)
		}},
		{Name: "weights of variance 1/n", Assumption: "scaled", Criterion: "E R^1", Alter: func(in *lengths) {
			in.Moments = []float64{in.Moments[0] / math.Pow(2, float64(len(in.Widths)))}
		}},
		{Name: "φ with a bend at ½", Assumption: "homogeneous",
			Draw: func(t *props.T) lengths { return drawLengths(t, 0.5) }},
	},
}

// drawLengths has the moments of one neuron by quadrature on either side of a bend, and adds n of them up.
func drawLengths(t *props.T, bend float64) lengths {
	in := lengths{Up: gen.LogUniform(t.T, "α", 0.1, 10)}
	switch rapid.IntRange(0, 2).Draw(t.T, "kind") {
	case 0:
		in.Down = in.Up * float64(rapid.IntRange(-9, 9).Draw(t.T, "10β/α")) / 10
	case 1:
		in.Down = in.Up * float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign")-1)
	}
	for range 1 + rapid.IntRange(0, 2).Draw(t.T, "L−1") {
		in.Widths = append(in.Widths, float64(gen.Dim(t.T, "n", 200)))
	}
	neuron := [5]float64{1}
	for k := 1; k <= 4; k++ {
		half := func(slope, from float64) float64 {
			return legendre(96, from, 16).integrate(func(z float64) float64 {
				return density(z) * math.Pow(slope*z, 2*float64(k))
			})
		}
		size := half(in.Up, bend) + half(in.Down, -bend)
		neuron[k] = size * math.Pow(2/(in.Up*in.Up+in.Down*in.Down), float64(k))
	}
	in.Moments = []float64{1, 1, 1, 1}
	for _, n := range in.Widths {
		sum := [5]float64{1}
		for range int(n) {
			for k := 4; k > 0; k-- { // E(S + r)ᵏ; the lower moments are still those of S
				for j := range k {
					sum[k] += float64(combin.Binomial(k, j)) * sum[j] * neuron[k-j]
				}
			}
		}
		for k := range in.Moments {
			in.Moments[k] *= sum[k+1] / math.Pow(n, float64(k+1))
		}
	}
	return in
}

// networks are drawn networks of one shape; the second layer is left out where it has no neurons.
type networks struct{ First, Second, Batch int }

func (c networks) network() theory.Homogeneous {
	if c.Second == 0 {
		return theory.Homogeneous{Widths: []int{c.First}, Up: 1}
	}
	return theory.Homogeneous{Widths: []int{c.First, c.Second}, Up: 1}
}

// size are means of q_L and q_L² over networks, with q₀ = 1.
type size struct{ Mean, Square float64 }

var networkKinds = []string{"widths [4]", "widths [16]", "widths [12 16]"}

var drawnNetworks = props.Grid[networks, size, momentOf]{
	Name: "drawn networks",
	Cells: func(e props.Effort) (out []networks) {
		for i := range (props.Scale{Quick: 112, Standard: 448, Deep: 17920}).At(e) {
			out = append(out, networks{4, 0, 3 * i}, networks{4, 0, 3*i + 1}, networks{4, 0, 3*i + 2},
				networks{16, 0, 3 * i}, networks{16, 0, 3*i + 1}, networks{16, 0, 3*i + 2}, networks{12, 16, i})
		}
		return out
	},
	Regimes: networkKinds,
	Measure: func(t *props.Trial, c networks) size { return c.draw(t, t.Rand.NormFloat64, nil) },
	Claim:   theory.Homogeneous.Moment,
	Conclude: func(r *props.Record, cells []networks, all []size, claim momentOf) {
		// See batch; a square over a batch has a skewness of at most 0.6.
		means := byKind{Limit: props.Limit{Name: lengthMean, SD: 0.05, Bias: 0.002}}
		squares := byKind{Limit: props.Limit{Name: lengthSquare, SD: 0.09, Bias: 0.09 * 0.6 / 6}}
		for i, c := range cells {
			kind := fmt.Sprint("widths ", c.network().Widths)
			means.add(kind, all[i].Mean/claim(c.network(), 1))
			squares.add(kind, all[i].Square/claim(c.network(), 2))
		}
		judgeKinds(r, networkKinds, means, squares)
	},
	Controls: []props.WrongCell[networks, size, momentOf]{
		{Name: "weights of random sign", Assumption: "gaussian", Criterion: lengthSquare,
			On: func(c networks) bool { return c.First == 4 }, Measure: func(t *props.Trial, c networks) size {
				return c.draw(t, func() float64 { return float64(2*t.Rand.IntN(2) - 1) }, nil)
			}},
		{Name: "biases of size ½", Assumption: "unbiased", Criterion: lengthMean,
			On: func(c networks) bool { return c.First == 16 }, Measure: func(t *props.Trial, c networks) size {
				return c.draw(t, t.Rand.NormFloat64, func() float64 { return t.Rand.NormFloat64() / 2 })
			}},
		{Name: "a mean that two layers raise by a quarter", Criterion: lengthMean + eachKind,
			Instead: func(net theory.Homogeneous, k int) float64 {
				return net.Moment(k) * (1 + float64((len(net.Widths)-1)*(2-k))/4)
			}},
		{Name: "the last layer's moments alone", Criterion: lengthSquare + eachKind,
			Instead: func(net theory.Homogeneous, k int) float64 {
				net.Widths = net.Widths[len(net.Widths)-1:]
				return net.Moment(k)
			}},
	},
	Replicates: 1,
	Coarse: map[string]string{lengthMean: "a mean over networks", lengthMean + eachKind: "a mean over networks",
		lengthSquare: heavySizes, lengthSquare + eachKind: heavySizes},
}

const (
	lengthMean   = "E q_L over its prediction"
	lengthSquare = "E q_L² over its prediction"
	heavySizes   = "a mean over networks, whose sizes have heavy tails"
)

// batch is the number of networks whose mean of q_L² scatters by 0.09, relatively.
func (c networks) batch() int {
	net := c.network()
	return int((net.Moment(4)/math.Pow(net.Moment(2), 2) - 1) / (0.09 * 0.09))
}

// draw has networks on an input with q₀ = 1, whose weights and biases have these laws; nil is no bias.
func (c networks) draw(t *props.Trial, weight, bias func() float64) (out size) {
	widths, count := c.network().Widths, float64(c.batch())
	for range int(count) {
		h := []float64{math.Sqrt(0.5), math.Sqrt(0.5)}
		for _, n := range widths {
			next := make([]float64, n)
			for i := range next {
				z := 0.0
				for _, x := range h {
					z += weight() * x
				}
				z *= math.Sqrt(2 / float64(len(h)))
				if bias != nil {
					z += bias()
				}
				next[i] = max(0, z)
			}
			h = next
		}
		q := 2 * floats.Dot(h, h) / float64(len(h))
		out.Mean, out.Square = out.Mean+q/count, out.Square+q*q/count
	}
	return out
}

func tryNNGP(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, layers, count := v.Int("n"), v.Int("layers"), v.Float("networks")
	t.Need(float64(n)*float64(n)*float64(layers)*count <= 1e10, "M networks of L layers have Mn²L ≤ 10¹⁰ weights")
	gain := 2 / (1 + math.Pow(v.Float("slope"), 2))
	out := map[string]float64{}
	for range int(count) {
		h, next := make([]float64, n), make([]float64, n)
		for i := range h {
			h[i] = t.Rand.NormFloat64() // W¹x
		}
		q := 1.0
		for l := range layers {
			if l > 0 {
				for i := range next {
					next[i] = 0
					for _, x := range h {
						next[i] += t.Rand.NormFloat64() * x * math.Sqrt(gain/float64(n))
					}
				}
				h, next = next, h
			}
			for i, z := range h {
				h[i] = max(z, 0) + v.Float("slope")*min(z, 0)
			}
			q = gain * floats.Dot(h, h) / float64(n)
		}
		out["mean"] += q / count
		out["square"] += q * q / count
		out["cube"] += q * q * q / count
	}
	return out, nil
}
