package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
)

// Interval is a finding's interval in words: differences of accuracies in percentage points, the rest as it is.
func (c Claim) Interval(f Finding) string {
	lo, hi, at := float64(f.Lo), float64(f.Hi), float64(f.Estimate)
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return "no interval"
	}
	write := draw.Number
	if c.Points {
		write = points
		if f.Upper { // the sign of a loss is plain without a plus
			write = func(x float64) string { return strings.TrimPrefix(points(x), "+") }
		}
	}
	return fmt.Sprintf("%s [%s, %s]", write(at), write(lo), write(hi))
}

// points writes a difference of accuracies in percentage points, with its sign.
func points(x float64) string {
	tenths := math.Round(1000*x) / 10
	if tenths == 0 { // no zero is negative
		tenths = 0
	}
	return strings.Replace(fmt.Sprintf("%+.1f", tenths), "-", "−", 1)
}

// Bounds says where the quantity of a finding must lie.
func (c Claim) Bounds(f Finding) string {
	side, write := "at least ", draw.Number
	if f.Upper {
		side = "at most "
	}
	if c.Points && f.Bound != 0 {
		write = points
	}
	return side + write(float64(f.Bound))
}
