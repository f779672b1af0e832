package study

import (
	"math"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/list"
)

// PowerEstimate is the power that was estimated at a slowdown, from a pilot and before the slow code ran.
type PowerEstimate struct {
	Slowdown float64 `json:"dose"` // relative slowdown
	Margin   float64 `json:"zone"`
	Power    float64 `json:"power"`
}

// The rules whose power was studied: the level of thm bench diff, at two sizes of the change that matters.
const powerAlpha = 0.01

var powerMargins = []float64{0.01, 0.05}

// slowdownOf reads the relative slowdown from the name of a benchmark, NaN if there is none.
func slowdownOf(name string) float64 {
	_, text, _ := strings.Cut(name, "dose=")
	percent, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return unknown
	}
	return percent / 100
}

// verdict returns the verdict of thm bench diff on a row of a table, after as many looks as its rounds make.
func verdict(r Row, n int, alpha, margin float64, rows int) compare.Decision {
	look := max(1, len(r.Rounds)/n)
	return diff.Judge(logs(r.Rounds, look*n), compare.Spec{Alpha: diff.Share(alpha, rows, look), Margin: margin,
		Better: -1}).Verdict
}

// logs are the first n rounds as blocks.
func logs(rounds []Rounds, n int) []diff.Block {
	return list.Map(rounds[:min(n, len(rounds))], func(r Rounds) diff.Block {
		return diff.Block{Old: math.Log(r[0]), Again: math.Log(r[1]), New: math.Log(r[2])}
	})
}
