package tangent

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Numbers of an independent computation that no claim states, each to the digits that are known of it. The tables of
// closed forms are in the tests of theory/tangent, the problem with one layer of 3×2 in those of internal/impl/tangent.
func TestReferenceNumbers(t *testing.T) {
	sum := func(sides ...theory.Family) (s theory.Sum) {
		for _, f := range sides {
			s = append(s, theory.Side{Family: f, Factor: 1})
		}
		return s
	}
	one, two, mixed := sum(theory.Quadratic), sum(theory.Absolute), sum(theory.Quadratic, theory.Absolute)
	ratio := func(v float64) float64 { return (one.Optimum(v)/(v*v) - 1) / (v * v) }
	graded := func(lambda float64) float64 { return math.Pow(one.Effective(math.Sqrt(200/lambda)).Size(), 2) }
	saturating := impl.Penalty{Value: func(e float64) float64 { return e / (1 + e) },
		Slope: func(e float64) float64 { return 1 / ((1 + e) * (1 + e)) }}
	decay := lowest(1, 2, func(z float64) float64 { return z*z + 0.0625/(z*z) })
	shrunk := lowest(0.1, 2, func(z float64) float64 { return z*z + 0.0625/(z*z) })
	relu := twoLayers(nn.ReLU)
	for _, c := range []struct {
		what            string
		got, want, unit float64 // of the last digit that is known
	}{
		{"the split of a sum at 2", lowest(0, 2, func(z float64) float64 { return (z-1)*(z-1) + math.Abs(1-z) }), 0, 1e-9},
		{"the split of a sum at 2, shifted", lowest(0, 2, func(z float64) float64 {
			return (z-1)*(z-1) + math.Abs(2-z)
		}), 0.75, 1e-9},
		{"(z−1)²: constant at infinity", 2e6 - 2e3 + 0.75 - one.Optimum(1e6), 6.3e-5, 1e-6},
		{"|z−1|: slope at the junction", two.Slope(1 / math.Sqrt2), math.Sqrt2, 1e-15},
		{"(z−1)²⊕|z−1| over √v", mixed.Optimum(1e60) / 1e30, 2 * math.Sqrt2, 1e-12},
		{"(z−1)²⊕(z−1)² over v^⅔", sum(theory.Quadratic, theory.Quadratic).Optimum(1e60) / 1e40, 3, 1e-12},
		{"(ratio to v² less 1)/v² at 0.1", ratio(0.1), -0.9712, 1e-4},
		{"at 0.01", ratio(0.01), -0.9997, 1e-4},
		{"at 0.001", ratio(0.001), -1.0000, 1e-4},
		{"z² from z = 1 on, at ¼", decay, 1.0625, 1e-9},
		{"z² for all z, at ¼", shrunk, 0.5, 1e-9},
		{"s² at λ = 50, n = 200", graded(50), 3.0569126, 1e-7},
		{"s² at λ = 5", graded(5), 7.8822347, 1e-7},
		{"s² at λ = ½", graded(0.5), 22.5125836, 1e-7},
		{"s²λ at λ = 50", 50 * graded(50), 152.8456, 1e-4},
		{"s²λ at λ = 5", 5 * graded(5), 39.4112, 1e-4},
		{"s²λ at λ = ½", 0.5 * graded(0.5), 11.2563, 1e-4},
		{"1−1/z: stretch at v = 3", 1 + saturating.Stationary(3), 18, 1e-9},
		{"ReLU, f(x)", relu(0.5, -0.2), 1.9, 1e-14},
		{"ReLU, f(x')", relu(0.3, 0.8), -0.5, 1e-14},
	} {
		if !(math.Abs(c.got-c.want) <= c.unit) {
			t.Errorf("%s: %.12g, want %.12g", c.what, c.got, c.want)
		}
	}
}

// lowest is the least value of f on a grid from a to b in steps of 2⁻¹⁶.
func lowest(a, b float64, f func(z float64) float64) float64 {
	low := math.Inf(1)
	for z := a; z <= b; z += 0x1p-16 {
		low = min(low, f(z))
	}
	return low
}

// twoLayers is x ↦ aᵀφ(Wx) with W = (1 0; 0 1; 1 −1) and a = (1, −1, 2).
func twoLayers(act nn.Activation) func(x ...float64) float64 {
	net := nn.Net{{W: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, -1}), Act: act},
		{W: mat.NewDense(1, 3, []float64{1, -1, 2}), Act: nn.Identity}}
	return func(x ...float64) float64 { return net.Forward(x, nil)[0] }
}

// The inequality of tangent/trace read for three factors fails for 10.4 % of Gaussian triples of an independent
// program, whose sizes are not known; here for 2×2 to 4×4 in equal parts, to three standard deviations of a proportion
// of 6000.
func TestReferenceTriples(t *testing.T) {
	const draws = 6000
	r, fails := rand.New(rand.NewPCG(59, 60)), 0
	for k := range draws {
		n := 2 + k%3
		x, b, y := gen.Gaussian(r, n, n, 1), gen.Gaussian(r, n, n, 1), gen.Gaussian(r, n, n, 1)
		sx, sb, sy, sorted := singularValues(x), singularValues(b), singularValues(y), 0.0
		for j := range n {
			sorted += math.Pow(sb[j]*sx[n-1-j]*sy[n-1-j], 2)
		}
		if math.Pow(mat.Norm(algebra.Product(algebra.Product(x, b), y), 2), 2) < sorted {
			fails++
		}
	}
	if share := float64(fails) / draws; !(math.Abs(share-0.104) <= 3*math.Sqrt(0.104*0.896/draws)) {
		t.Errorf("the reading fails for %.3f of triples, independently 0.104", share)
	}
}

// Errors of difference quotients along a unit direction, relative to max(1, ‖g‖), of tanh networks of two to four
// layers. An independent program has 2e-8 to 5e-8 at step 1e-3, 2e-10 to 5e-10 at 1e-4, 1e-11 at 1e-5, where the
// error is least, and 1e-10 at 1e-6, on networks that are not known: its numbers lie between the median of ours and the
// largest.
func TestReferenceDifferenceQuotients(t *testing.T) {
	for step, want := range map[float64]float64{1e-3: 3e-8, 1e-4: 3e-10, 1e-5: 1e-11, 1e-6: 1e-10} {
		var errs []float64
		for k := range 120 {
			r := rand.New(rand.NewPCG(31, uint64(k)))
			net := heNet(r, nn.Tanh, []int{2, 3, 3, 3, 1}[3-k%3:]...)
			_, d := net[0].W.Dims()
			x := gen.Gaussian(r, 1, d, 1)
			g := impl.NetFeatures(net, x).RawRowView(0)
			direction := gen.Gaussian(r, 1, len(g), 1).RawRowView(0)
			floats.Scale(1/floats.Norm(direction, 2), direction)
			p := impl.Path{Start: net, End: moveAlong(net, direction)}
			quotient := (impl.Outputs(p.At(step), x)[0] - impl.Outputs(p.At(-step), x)[0]) / (2 * step)
			errs = append(errs, math.Abs(quotient-floats.Dot(g, direction))/max(1, floats.Norm(g, 2)))
		}
		if !(median(errs) <= want && want <= floats.Max(errs)) {
			t.Errorf("step %g: median %g and largest %g, independently %g", step, median(errs), floats.Max(errs), want)
		}
	}
}

// Errors of ⟨f̄, θ₁−θ₀⟩ of networks 4→20→20→1 between random ends with He weights. One draw of an independent program
// is known: for smooth networks medians of 10 differ from it by less than a factor of 3, as the constants do by which
// powers of the number of nodes are multiplied. With kinks errors are sums of a few random ones, and it lies between
// half of the least and twice the largest of 10.
func TestReferenceQuadrature(t *testing.T) {
	for _, c := range []struct {
		act   nn.Activation
		rule  func(int) impl.Rule
		nodes []int
		want  []float64
	}{
		{nn.Tanh, impl.PlainMean, []int{10, 50, 200}, []float64{4.1e-2, 7.8e-3, 1.9e-3}},
		{nn.Tanh, impl.Trapezoid, []int{10, 50, 200}, []float64{4.9e-3, 1.7e-4, 1.0e-5}},
		{nn.Tanh, impl.Midpoint, []int{10, 50, 200}, []float64{2.0e-3, 8.0e-5, 5.0e-6}},
		{nn.ReLU, impl.PlainMean, []int{50, 200, 1000}, []float64{2.6e-2, 8.4e-3, 2.1e-3}},
		{nn.ReLU, impl.Trapezoid, []int{50, 200, 1000}, []float64{7.6e-3, 4.4e-3, 9.8e-4}},
		{nn.ReLU, impl.Midpoint, []int{50, 200, 1000}, []float64{1.8e-2, 4.0e-3, 9.4e-4}},
		{nn.ReLU, impl.Gauss, []int{30}, []float64{3.5e-2}},
	} {
		for i, n := range c.nodes {
			var errs []float64
			for k := range 5 {
				r := rand.New(rand.NewPCG(37, uint64(k)))
				p := impl.Path{Start: heNet(r, c.act, 4, 20, 20, 1), End: heNet(r, c.act, 4, 20, 20, 1)}
				x := gen.Gaussian(r, 1, 4, 1)
				got, change := floats.Dot(p.Averaged(x, c.rule(n)).RawRowView(0), p.Step()), p.Change(x)[0]
				errs = append(errs, math.Abs(got-change)/max(1, math.Abs(change)))
			}
			low, high := median(errs)/3, median(errs)*3
			if c.act.Name == nn.ReLU.Name {
				low, high = floats.Min(errs)/2, 2*floats.Max(errs)
			}
			if !(low <= c.want[i] && c.want[i] <= high) {
				t.Errorf("%s, %d nodes: errors of %g to %g, independently %g", c.act.Name, n, low, high, c.want[i])
			}
		}
	}
}

// heNet has Gaussian weights of variance 2/in and biases of variance 1.
func heNet(r *rand.Rand, act nn.Activation, widths ...int) nn.Net {
	var net nn.Net
	for l := range len(widths) - 1 {
		in, out := widths[l], widths[l+1]
		net = append(net, nn.Layer{W: gen.Gaussian(r, out, in, math.Sqrt(2/float64(in))), Act: act,
			B: gen.Gaussian(r, out, 1, 1).RawMatrix().Data})
	}
	net[len(net)-1].Act = nn.Identity
	return net
}

// moveAlong is a network with a direction added to its weights.
func moveAlong(net nn.Net, direction []float64) nn.Net {
	out := make(nn.Net, len(net))
	for l, layer := range net {
		rows, cols := layer.W.Dims()
		out[l] = nn.Layer{W: mat.DenseCopyOf(layer.W), B: append([]float64{}, layer.B...), Act: layer.Act}
		floats.Add(out[l].W.RawMatrix().Data, direction[:rows*cols])
		floats.Add(out[l].B, direction[rows*cols:rows*cols+rows])
		direction = direction[rows*cols+rows:]
	}
	return out
}

func median(x []float64) float64 {
	sorted := append([]float64{}, x...)
	floats.Argsort(sorted, make([]int, len(sorted)))
	return (sorted[(len(x)-1)/2] + sorted[len(x)/2]) / 2
}
