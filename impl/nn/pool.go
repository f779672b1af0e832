package nn

import "gonum.org/v1/gonum/mat"

// pool is max-pooling over squares that do not overlap. Rows and columns that fill no square are dropped, and among
// equal values the first in reading order wins, as in PyTorch.
type pool struct {
	down, across, channels int // of the image, channels last
	side                   int
}

func (p pool) length() int { return (p.down / p.side) * (p.across / p.side) * p.channels }

// forward writes the maxima to dst (B×length) and where in the image they are to winners, one entry per maximum.
func (p pool) forward(dst, images *mat.Dense, winners []int) {
	batch, _ := images.Dims()
	across := p.across / p.side
	for b := range batch {
		image, out := images.RawRowView(b), dst.RawRowView(b)
		for o := range out {
			square, channel := o/p.channels, o%p.channels
			top, left := square/across*p.side, square%across*p.side
			best := (top*p.across+left)*p.channels + channel
			for i := range p.side {
				for j := range p.side {
					if at := ((top+i)*p.across+left+j)*p.channels + channel; image[at] > image[best] {
						best = at
					}
				}
			}
			out[o], winners[b*len(out)+o] = image[best], best
		}
	}
}

// backward sends the gradient of every maximum (B×length) to the pixel it came from; the others get zero.
func (p pool) backward(images, grad *mat.Dense, winners []int) {
	images.Zero()
	batch, length := grad.Dims()
	for b := range batch {
		image := images.RawRowView(b)
		for o, g := range grad.RawRowView(b) {
			image[winners[b*length+o]] += g
		}
	}
}
