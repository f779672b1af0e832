package props

import (
	"math"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Place is [Record.Equals] for the place of a threshold: the value of a parameter at which something sets in, found in
// independent draws. A claim that is wrong about the place is refuted wherever the draws lie; a comparison on both
// sides of the threshold would see it only where a draw lies between the claimed place and the true one.
func (r *Record) Place(name string, iv stat.Interval, claimed, margin float64) {
	r.equals(name, iv, claimed, margin, math.Abs(claimed), results.Parameter)
}

// Bracketed is the criterion that the place of a threshold lies between two values of a parameter that were found on
// its two sides, by bisection for instance.
func (r *Record) Bracketed(name string, below, above, claimed float64) {
	r.within(name, below+(above-below)/2, claimed, math.Abs(claimed), (above-below)/2, results.Parameter)
}
