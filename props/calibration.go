package props

import (
	"slices"
	"sync"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// calibrationRuns is the number of times that each procedure is simulated: a measured rate is then known to about one
// in a hundred. rareRuns is the number of times at the level of the claims, by importance sampling: a rate of 10⁻⁹ is
// then known to a fifth. The whole takes a second.
const (
	calibrationRuns = 2000
	rareRuns        = 400
)

// calibrations keeps the calibration of every seed that was asked for, since a test binary runs one claim at a time.
var calibrations sync.Map // seed -> func() []CalibrationRow

// Calibrate measures by simulation what the statistics behind the verdicts promise: coverage, false alarms and power at
// levels at which plain simulation shows a failure, and how often the procedures of the claims miss the truth or decide
// nothing, at the level of the claims, by importance sampling. It depends on the seed only.
func Calibrate(seed uint64) []results.Calibration {
	rows, _ := calibrations.LoadOrStore(seed, sync.OnceValue(func() []results.Calibration {
		rows := []results.Calibration{}
		for _, c := range stat.Calibrate(seed, calibrationRuns) {
			rows = append(rows, results.Calibration{Procedure: c.Procedure, Quantity: c.Quantity,
				Nominal: results.Number(c.Nominal), Measured: results.Number(c.Measured), Runs: c.Runs})
		}
		for _, c := range stat.CalibrateRare(seed, rareRuns) {
			rows = append(rows, results.Calibration{Procedure: c.Procedure, Distribution: c.Distribution, Draws: c.Draws,
				Quantity: c.Quantity, Nominal: results.Number(c.Nominal), Measured: results.Number(c.Measured), Runs: c.Runs})
		}
		return rows
	}))
	return slices.Clone(rows.(func() []results.Calibration)())
}
