package nn

import "gonum.org/v1/gonum/mat"

// Conv says how a convolution cuts its images into patches. An image is one row of a batch, pixel after pixel from the
// top left, the channels of a pixel side by side (channels last). A patch is one row too, in the same order; pixels
// outside the image are zero.
type Conv struct {
	Height, Width, Channels int // of the image
	Size                    int // side of the square patch
	Pad                     int // rows and columns of zeros around the image
	Stride                  int // distance between neighbouring patches
}

// Sites returns the number of patches down and across an image.
func (c Conv) Sites() (down, across int) {
	if c.Size < 1 || c.Stride < 1 || c.Pad < 0 || c.Channels < 1 || min(c.Height, c.Width)+2*c.Pad < c.Size {
		panic("nn: a convolution needs positive sizes and a patch that fits into the padded image")
	}
	return (c.Height+2*c.Pad-c.Size)/c.Stride + 1, (c.Width+2*c.Pad-c.Size)/c.Stride + 1
}

// PatchLen is the length of a patch, Size²·Channels.
func (c Conv) PatchLen() int { return c.Size * c.Size * c.Channels }

// Unfold writes all patches of a batch of images (B×Height·Width·Channels) to the rows of dst (B·sites×PatchLen),
// image after image. It is the im2col of the literature, transposed.
func (c Conv) Unfold(dst, images *mat.Dense) {
	c.each(dst, images, func(patch, pixels []float64) { copy(patch, pixels) }, func(patch []float64) { clear(patch) })
}

// Fold is the transpose of [Conv.Unfold] as a linear map: it sets each pixel of the images (B×Height·Width·Channels)
// to the sum of the entries of all patches (B·sites×PatchLen) that show it. The gradient in the images is the fold of
// the gradient in the patches.
func (c Conv) Fold(images, patches *mat.Dense) {
	images.Zero()
	c.each(patches, images, func(patch, pixels []float64) {
		for i, p := range patch {
			pixels[i] += p
		}
	}, func([]float64) {})
}

// each visits every run of neighbouring pixels in a patch row, together with the same pixels of the image, and every
// run outside the image.
func (c Conv) each(patches, images *mat.Dense, inside func(patch, pixels []float64), outside func(patch []float64)) {
	down, across := c.Sites()
	batch, pixels := images.Dims()
	rows, cols := patches.Dims()
	if pixels != c.Height*c.Width*c.Channels || rows != batch*down*across || cols != c.PatchLen() {
		panic("nn: shapes of images and patches do not fit the convolution")
	}
	for row := range rows {
		image := images.RawRowView(row / (down * across))
		site := row % (down * across)
		top, left := site/across*c.Stride-c.Pad, site%across*c.Stride-c.Pad
		patch := patches.RawRowView(row)
		first, last := max(left, 0), min(left+c.Size, c.Width)
		for i := range c.Size {
			line := patch[i*c.Size*c.Channels : (i+1)*c.Size*c.Channels]
			if y := top + i; y < 0 || y >= c.Height || first >= last {
				outside(line)
			} else {
				from, to := (first-left)*c.Channels, (last-left)*c.Channels
				start := (y*c.Width + first) * c.Channels
				outside(line[:from])
				inside(line[from:to], image[start:start+to-from])
				outside(line[to:])
			}
		}
	}
}
