package props

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCalibrationIsPublished(t *testing.T) {
	r := Run(t.Context(), []Claim{claim("true", below(1001))}, Options{Effort: Quick, Seed: 1})
	require.Equal(t, Calibrate(1), r.Calibration)
	require.NotEmpty(t, r.Calibration)
	rare := 0
	for _, row := range r.Calibration {
		if row.Quantity == "misses" || row.Quantity == "undecided" { // known to a fifth at worst
			require.Less(t, float64(row.Measured), 1.5*float64(row.Nominal), "%+v", row)
			rare++
			continue
		}
		require.Contains(t, []string{"coverage", "false alarms", "power"}, row.Quantity)
		require.Equal(t, calibrationRuns, row.Runs)
		// Five standard deviations of a binomial rate; the sharp comparison is in package stat.
		slack := 5 * math.Sqrt(float64(row.Nominal*(1-row.Nominal))/calibrationRuns)
		short := float64(row.Nominal - row.Measured)
		if row.Quantity == "false alarms" {
			short = -short
		}
		if ok := short <= slack; !ok {
			t.Errorf("%+v", row)
		}
	}
	require.Greater(t, rare, 20)
}

func TestCalibrateIsDeterministic(t *testing.T) {
	first := Calibrate(1)
	first[0].Measured = 7 // the caller's own copy
	require.NotEqual(t, first, Calibrate(1))
	calibrations.Delete(uint64(1))
	first[0] = Calibrate(1)[0]
	require.Equal(t, first, Calibrate(1))
}
