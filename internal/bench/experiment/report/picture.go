package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"math"
)

// ramp are the colours of a picture from small to large: dark blue over green to yellow, rising evenly in lightness
// (after Smith and van der Walt's viridis).
var ramp = [][3]float64{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}

// picture draws side² values as a square picture, the smallest dark and the largest bright, as the address of an image
// inside the page.
func picture(values []float64, side int) (template.URL, error) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i, v := range values {
		at := 0.0
		if hi > lo {
			at = (v - lo) / (hi - lo)
		}
		img.SetNRGBA(i%side, i/side, colourAt(at))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// colourAt is the colour at a place in [0, 1] of the ramp.
func colourAt(at float64) color.NRGBA {
	place := at * float64(len(ramp)-1)
	i := min(int(place), len(ramp)-2)
	part := place - float64(i)
	mix := func(k int) uint8 { return uint8(math.Round((1-part)*ramp[i][k] + part*ramp[i+1][k])) }
	return color.NRGBA{mix(0), mix(1), mix(2), 255}
}
