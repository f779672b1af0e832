package draw

import (
	"math"
	"slices"
)

// scale maps values to pixels along one axis. Its ends lo and hi are values of a linear axis and decimal logarithms
// of a logarithmic one.
type scale struct {
	log      bool
	lo, hi   float64
	from, to float64 // pixels at lo and hi

	whole bool      // the values are integers, and so are the labels
	stops []float64 // the few values of a logarithmic axis of integers, which are its labels
}

// maxStops is the number of values of an axis that can all be labelled.
const maxStops = 6

// integral makes an axis of integers where all values are. One of few positive values, such as sizes, is labelled at
// these values if it is logarithmic.
func (s *scale) integral(values []float64) {
	var distinct []float64
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if v != math.Trunc(v) || math.Abs(v) >= 1e5 {
			return
		}
		if v > 0 && len(distinct) <= maxStops && !slices.Contains(distinct, v) {
			distinct = append(distinct, v)
		}
	}
	s.whole = len(values) > 0
	if s.log && len(distinct) > 1 && len(distinct) <= maxStops {
		slices.Sort(distinct)
		s.stops = distinct
	}
}

// position returns the coordinate of x on the axis, or NaN where x has none.
func (s scale) position(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return math.NaN()
	case !s.log:
		return x
	case x <= 0:
		return math.NaN()
	}
	return math.Log10(x)
}

// at returns the pixel of x, or NaN where x has none. Halves keep differences of the largest floats finite.
func (s scale) at(x float64) float64 {
	t := (s.position(x)/2 - s.lo/2) / (s.hi/2 - s.lo/2)
	return s.from + t*(s.to-s.from)
}

// clamped returns the pixel of x as at does, with what lies beyond an end of the axis (an infinite end of an
// interval, a non-positive value on a logarithmic axis) put on that end. NaN stays NaN.
func (s scale) clamped(x float64) float64 {
	switch {
	case math.IsInf(x, 1):
		return s.to
	case math.IsInf(x, -1), s.log && x <= 0:
		return s.from
	}
	p := s.at(x)
	return min(max(p, min(s.from, s.to)), max(s.from, s.to))
}

// fit sets the ends so that all drawable values lie inside with some room around them. It reports whether there was
// any. With zero, a linear axis also covers 0.
func (s *scale) fit(values []float64, zero bool) bool {
	s.lo, s.hi = math.Inf(1), math.Inf(-1)
	for _, x := range values {
		if p := s.position(x); !math.IsNaN(p) {
			s.lo, s.hi = min(s.lo, p), max(s.hi, p)
		}
	}
	drawable := s.lo <= s.hi
	if !drawable {
		s.lo, s.hi = 0, 1
	}
	if zero && !s.log {
		s.lo, s.hi = min(s.lo, 0), max(s.hi, 0)
	}
	s.widen(zero && !s.log)
	return drawable
}

// widen adds room at both ends, and makes an interval of a single value. With stand, an end at zero stays, because
// bars stand on it.
func (s *scale) widen(stand bool) {
	half := s.hi/2 - s.lo/2
	size := max(math.Abs(s.lo), math.Abs(s.hi))
	room := 0.08 * half
	if half <= 1e-12*size || half < 1e-300 { // one value, to the precision of a label
		switch {
		case s.log:
			room = 0.5
		case size < 1e-290:
			room = 1
		default:
			room = 0.1 * size
		}
	}
	if !stand || s.lo != 0 {
		s.lo = max(-math.MaxFloat64, s.lo-room)
	}
	if !stand || s.hi != 0 || s.lo == 0 {
		s.hi = min(math.MaxFloat64, s.hi+room)
	}
}
