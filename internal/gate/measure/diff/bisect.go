package diff

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/number"
)

// Side is on which side of a change a version lies.
type Side int

const (
	Good Side = iota
	Bad
	Unknown // it does not build, or is not counted
)

// FirstBad searches the versions 0 to n-1, of which the last is bad and what comes before the first is good, for the
// first that is bad. Versions whose side is not known are passed over: the first bad one is after good, which may be
// -1, and at bad or, where those between are unknown, before it.
func FirstBad(ctx context.Context, n int, side func(ctx context.Context, i int) (Side, error)) (good, bad int,
	_ error) {
	good, bad = -1, n-1
	unknown := map[int]bool{}
	for {
		middle, found := good+(bad-good)/2, -1
		for away := 0; away < bad-good && found < 0; away++ {
			for _, i := range []int{middle + away, middle - away} {
				if i > good && i < bad && !unknown[i] {
					found = i
					break
				}
			}
		}
		if found < 0 {
			return good, bad, nil
		}
		s, err := side(ctx, found)
		switch {
		case err != nil:
			return good, bad, err
		case s == Bad:
			bad = found
		case s == Good:
			good = found
		default:
			unknown[found] = true
		}
	}
}

// Gap tells the sides of a change of a count.
type Gap struct{ good, bad float64 }

// NewGap takes a few counts of both ends. It is an error unless they differ by more than the margin of counts and by
// four times as much as those of one end do among themselves.
func NewGap(good, bad []float64) (Gap, error) {
	g := Gap{number.Median(good), number.Median(bad)}
	spread := max(slices.Max(good)-slices.Min(good), slices.Max(bad)-slices.Min(bad))
	if d := math.Abs(g.bad - g.good); !(d > max(4*spread, compare.CountMargin*g.good)) {
		return g, fmt.Errorf("the counts do not distinguish the ends: %.6g and %.6g instructions an operation, and counts "+
			"of the same code differ by %.2g; what the count does not show needs diff by time", g.good, g.bad, spread)
	}
	return g, nil
}

// Side returns the side of the end that a count is nearer to.
func (g Gap) Side(count float64) Side {
	if math.Abs(count-g.good) < math.Abs(count-g.bad) {
		return Good
	}
	return Bad
}
