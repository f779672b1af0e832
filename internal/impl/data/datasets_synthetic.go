package data

import (
	"math"
	"math/rand/v2"
)

// Synthetic draws a data set of the shape of MNIST, for runs without the real ones: ten classes of 28×28 pictures. A
// class is three straight strokes between random points; a picture of it is moved by up to two pixels each way, its
// ends by up to one more, and noise lies over it.
func Synthetic(r *rand.Rand, train, test int) *Dataset {
	const classes, strokes = 10, 3
	prototypes := make([][strokes][4]float64, classes)
	for c := range prototypes {
		for s := range strokes {
			for k := range 4 {
				prototypes[c][s][k] = 5 + 17*r.Float64()
			}
		}
	}
	draw := func(n int) Images {
		out := Images{Height: 28, Width: 28, Pixels: make([]byte, 0, n*28*28), Labels: make([]byte, n)}
		for i := range n {
			c := r.IntN(classes)
			out.Labels[i] = byte(c)
			out.Pixels = append(out.Pixels, picture(r, prototypes[c][:])...)
		}
		return out
	}
	return &Dataset{Name: "synthetic", Classes: classes, Train: draw(train), Test: draw(test)}
}

// side is the number of pixels in a row of a picture, and of rows.
const side = 28

// picture draws strokes (x₀, y₀, x₁, y₁) on 28×28 pixels: full brightness on the line, fading over two pixels.
func picture(r *rand.Rand, strokes [][4]float64) []byte {
	const noise = 24
	dx, dy := 4*r.Float64()-2, 4*r.Float64()-2
	light := make([]float64, side*side)
	for _, s := range strokes {
		for k := range s {
			s[k] += [2]float64{dx, dy}[k%2] + 2*r.Float64() - 1
		}
		shine(light, s)
	}
	out := make([]byte, len(light))
	for i, v := range light {
		out[i] = byte(min(255, max(0, 255*v+noise*r.NormFloat64())))
	}
	return out
}

// shine lights up the pixels near a stroke.
func shine(light []float64, s [4]float64) {
	const reach = 2 + 1e-6 // more than what is rounded: other pixels stay as they are, and are not asked
	left, right := min(s[0], s[2])-reach, max(s[0], s[2])+reach
	top, bottom := min(s[1], s[3])-reach, max(s[1], s[3])+reach
	vx, vy := s[2]-s[0], s[3]-s[1]
	off := reach * math.Sqrt(vx*vx+vy*vy)
	for i := max(0, int(top)); i < side && float64(i) <= bottom; i++ {
		for j := max(0, int(left)); j < side && float64(j) <= right; j++ {
			if x, y := float64(j), float64(i); math.Abs((x-s[0])*vy-(y-s[1])*vx) <= off {
				fade := 1 - distanceToStroke(x, y, s)/2
				light[i*side+j] = max(light[i*side+j], min(1, 1.5*fade))
			}
		}
	}
}

// distanceToStroke is the distance of (x, y) from the segment (x₀, y₀)–(x₁, y₁).
func distanceToStroke(x, y float64, s [4]float64) float64 {
	vx, vy := s[2]-s[0], s[3]-s[1]
	along := 0.0
	if length := vx*vx + vy*vy; length > 0 {
		along = min(1, max(0, ((x-s[0])*vx+(y-s[1])*vy)/length))
	}
	return math.Hypot(x-s[0]-along*vx, y-s[1]-along*vy)
}
