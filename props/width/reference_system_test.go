//go:build system

package width

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// tangentNet is f(x) = n^(−1/2) Σ aᵢφ(wᵢ·x) on four points in three dimensions.
type tangentNet struct {
	phi, slope func(float64) float64
	a          []float64
	w          [][3]float64
}

// outputs returns f, and the derivatives of each output in the parameters of each unit: a, then w.
func (n tangentNet) outputs(points [4][3]float64) (f [4]float64, jacobian [4][][4]float64) {
	scale := 1 / math.Sqrt(float64(len(n.a)))
	for k, x := range points {
		jacobian[k] = make([][4]float64, len(n.a))
		for i, w := range n.w {
			z := w[0]*x[0] + w[1]*x[1] + w[2]*x[2]
			value, d := scale*n.phi(z), scale*n.a[i]*n.slope(z)
			f[k] += n.a[i] * value
			jacobian[k][i] = [4]float64{value, d * x[0], d * x[1], d * x[2]}
		}
	}
	return f, jacobian
}

// moved returns how far 50 steps of 0.1 on half the squared error move the kernel, the outputs from those of the
// linearised network, and the Jacobian and the parameters, the first and the last two relative to where they began.
func (n tangentNet) moved(points [4][3]float64, y [4]float64) [4]float64 {
	f, first := n.outputs(points)
	linear, kernel, length, a, w := f, gram(first), 0.0, slices.Clone(n.a), slices.Clone(n.w)
	for i, w := range n.w {
		length += n.a[i]*n.a[i] + w[0]*w[0] + w[1]*w[1] + w[2]*w[2]
	}
	for range 50 {
		f, j := n.outputs(points)
		before := linear
		for k := range points {
			for l := range points {
				linear[k] -= 0.1 * kernel[k][l] * (before[l] - y[l])
			}
		}
		for i := range n.a { // all at once, from where they began
			step := [4]float64{}
			for k := range points {
				for c, v := range j[k][i] {
					step[c] -= 0.1 * (f[k] - y[k]) * v
				}
			}
			n.a[i] += step[0]
			n.w[i] = [3]float64{n.w[i][0] + step[1], n.w[i][1] + step[2], n.w[i][2] + step[3]}
		}
	}
	f, last := n.outputs(points)
	var out, size [4]float64
	for k, row := range gram(last) {
		for l, v := range row {
			out[0] += math.Pow(v-kernel[k][l], 2)
			size[0] += kernel[k][l] * kernel[k][l]
		}
		out[1] += math.Pow(f[k]-linear[k], 2)
		for i := range n.a {
			for c, v := range last[k][i] {
				out[2] += math.Pow(v-first[k][i][c], 2)
				size[2] += first[k][i][c] * first[k][i][c]
			}
		}
	}
	for i := range a {
		out[3] += math.Pow(n.a[i]-a[i], 2)
		for c := range w[i] {
			out[3] += math.Pow(n.w[i][c]-w[i][c], 2)
		}
	}
	size[1], size[3] = 1, length
	for q := range out {
		out[q] = math.Sqrt(out[q] / size[q])
	}
	return out
}

func gram(jacobian [4][][4]float64) (out [4][4]float64) {
	for k := range out {
		for l := range out {
			for i, d := range jacobian[k] {
				e := jacobian[l][i]
				out[k][l] += d[0]*e[0] + d[1]*e[1] + d[2]*e[2] + d[3]*e[3]
			}
		}
	}
	return out
}

// Slopes that somebody else found, of log changes in log n, kernel, outputs, Jacobian, parameters. The first
// two depend on the points for ReLU, and are not compared.
func TestSlopesInTheWidth(t *testing.T) {
	erfSlope := func(z float64) float64 { return 2 / math.SqrtPi * math.Exp(-z*z) }
	tanhSlope := func(z float64) float64 { return 1 - math.Pow(math.Tanh(z), 2) }
	relu := func(z float64) float64 { return max(0, z) }
	step := func(z float64) float64 { return math.Ceil(max(0, math.Copysign(0.5, z))) }
	for _, c := range []struct {
		name       string
		phi, slope func(float64) float64
		pairs      bool
		want       [4]float64
	}{
		{"tanh", math.Tanh, tanhSlope, false, [4]float64{-0.984, -0.947, -0.492, -0.496}},
		{"erf", math.Erf, erfSlope, false, [4]float64{-0.980, -0.944, -0.492, -0.497}},
		{"tanh in pairs", math.Tanh, tanhSlope, true, [4]float64{-1.059, -1.133, -0.497, -0.501}},
		{"ReLU", relu, step, false, [4]float64{math.NaN(), math.NaN(), -0.279, -0.491}},
		{"ReLU in pairs", relu, step, true, [4]float64{math.NaN(), math.NaN(), -0.272, -0.507}},
	} {
		r := rand.New(rand.NewPCG(5, 3))
		var points [4][3]float64
		var y [4]float64
		for k := range points {
			points[k] = [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			norm := math.Sqrt(points[k][0]*points[k][0] + points[k][1]*points[k][1] + points[k][2]*points[k][2])
			points[k] = [3]float64{points[k][0] / norm, points[k][1] / norm, points[k][2] / norm}
			y[k] = r.NormFloat64()
		}
		var logN []float64
		var logs [4][]float64
		for n := 64; n <= 1024; n *= 2 {
			for range 20 {
				net := tangentNet{phi: c.phi, slope: c.slope}
				for i := range n {
					a, w := r.NormFloat64(), [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
					if c.pairs && i%2 == 1 {
						a, w = -net.a[i-1], net.w[i-1]
					}
					net.a, net.w = append(net.a, a), append(net.w, w)
				}
				logN = append(logN, math.Log(float64(n)))
				for q, v := range net.moved(points, y) {
					logs[q] = append(logs[q], math.Log(v))
				}
			}
		}
		for q, want := range c.want {
			_, slope := stat.LinearRegression(logN, logs[q], nil, false)
			if !math.IsNaN(want) {
				require.InDelta(t, want, slope, 0.15, c.name)
			}
		}
	}
}
