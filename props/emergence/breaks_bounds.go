package emergence

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/truncated"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// box holds the two values of each coordinate of the inputs.
type box struct{ low, high []float64 }

func boxOf(mean []float64, deviation float64) box {
	var x box
	for _, m := range mean {
		x.low, x.high = append(x.low, -m/deviation), append(x.high, (1-m)/deviation)
	}
	return x
}

// span returns the smallest and the largest ⟨w,x⟩ + b.
func (x box) span(w []float64, b float64) (low, high float64) {
	low, high = b, b
	for j, wj := range w {
		low += min(wj*x.low[j], wj*x.high[j])
		high += max(wj*x.low[j], wj*x.high[j])
	}
	return low, high
}

// reach returns the largest |⟨w,x⟩|.
func (x box) reach(w []float64) float64 {
	low, high := x.span(w, 0)
	return max(-low, high)
}

// bends reports whether a kink of some neuron separates two inputs.
func (x box) bends(net truncated.Net) bool {
	for i, b := range net.B {
		low, high := x.span(net.W.RawRowView(i), b)
		for _, kink := range []float64{0, 1} {
			if low < kink && kink < high {
				return true
			}
		}
	}
	return false
}

// length returns the largest ‖x‖.
func (x box) length() float64 {
	square := 0.0
	for j, low := range x.low {
		square += max(low*low, x.high[j]*x.high[j])
	}
	return math.Sqrt(square)
}

// gates counts the dead neurons, and those whose gate is closed, or open, for all inputs before the second step.
func (b *broken) gates(nets []truncated.Net, x box) {
	for i := range nets[1].A {
		dead := floats.Norm(nets[2].W.RawRowView(i), 2) == 0
		if dead {
			b.Dead++
		}
		switch low, high := x.span(nets[1].W.RawRowView(i), nets[1].B[i]); {
		case high < 0:
			b.Shut.count(dead)
		case low > 0 && high < 1:
			b.Open.count(dead)
		}
	}
}

// change measures how far the directions of the neurons moved from their start, and bounds how far two gradients of at
// most |a|·max‖x‖ can move them: unit vectors along w and w + δ are at most 2‖δ‖/‖w‖ apart.
func (b *broken) change(nets []truncated.Net, x box) {
	for i := range nets[0].A {
		start, end := mat.Row(nil, i, nets[0].W), mat.Row(nil, i, nets[2].W)
		size := floats.Norm(start, 2)
		b.Moved = append(b.Moved, floats.Distance(unit(end), unit(start), 2))
		b.May = append(b.May, 2*firstRate*(math.Abs(nets[0].A[i])+math.Abs(nets[1].A[i]))*x.length()/size)
	}
}

// line measures how far the neurons are from one line, and bounds it: if every input is inside its margin, then w =
// a·mean(yψ(b + u)x), and ψ(b + u) departs from ψ(b) by at most sup|ψ′|·max|u|, where sup|ψ′| ≤ 1/(s√(2π)).
func (b *broken) line(nets []truncated.Net, x box, noise float64) {
	before, after := nets[1], nets[2]
	n, dim := after.W.Dims()
	steep := x.length() / (noise * math.Sqrt(2*math.Pi))
	scaled, bare, off := make([][]float64, n), make([][]float64, n), make([]float64, n)
	for i, a := range before.A {
		open := theory.Gate(before.B[i], noise)
		scaled[i] = floats.ScaleTo(make([]float64, dim), 1/(a*open), after.W.RawRowView(i))
		bare[i] = floats.ScaleTo(make([]float64, dim), 1/a, after.W.RawRowView(i))
		off[i] = steep * x.reach(before.W.RawRowView(i)) / open
	}
	for i := 1; i < n; i++ {
		b.Apart = append(b.Apart, floats.Distance(scaled[i], scaled[0], 2))
		b.Bare = append(b.Bare, floats.Distance(bare[i], bare[0], 2))
		b.Far = append(b.Far, off[i]+off[0])
	}
}

// margins finds out which inputs are certainly inside their margin: the output departs from its value at u = 0 by at
// most Σ|a|max|u|.
func (b *broken) margins(net truncated.Net, x box, noise float64) {
	centre, off := 0.0, 0.0
	for i, a := range net.A {
		centre += a * theory.Activation(net.B[i], noise)
		off += math.Abs(a) * x.reach(net.W.RawRowView(i))
	}
	b.Within = math.Abs(centre)+off < 1
	b.OneSided = math.Abs(centre)-off > 1
}

// cosines returns |cos(w, u)| of every neuron, or 0 where w = 0.
func cosines(net truncated.Net, u []float64) []float64 {
	out := make([]float64, len(net.A))
	for i := range out {
		w := net.W.RawRowView(i)
		if size := floats.Norm(w, 2); size > 0 {
			out[i] = math.Abs(floats.Dot(w, u)) / size
		}
	}
	return out
}
