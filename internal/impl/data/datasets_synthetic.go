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

// picture draws strokes (x₀, y₀, x₁, y₁) on 28×28 pixels: full brightness on the line, fading over two pixels.
func picture(r *rand.Rand, strokes [][4]float64) []byte {
	const side, noise = 28, 24
	dx, dy := 4*r.Float64()-2, 4*r.Float64()-2
	light := make([]float64, side*side)
	for _, s := range strokes {
		for k := range s {
			s[k] += [2]float64{dx, dy}[k%2] + 2*r.Float64() - 1
		}
		for i := range side {
			for j := range side {
				fade := 1 - distanceToStroke(float64(j), float64(i), s)/2
				light[i*side+j] = max(light[i*side+j], min(1, 1.5*fade))
			}
		}
	}
	out := make([]byte, len(light))
	for i, v := range light {
		out[i] = byte(min(255, max(0, 255*v+noise*r.NormFloat64())))
	}
	return out
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
