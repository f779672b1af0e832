package onestep

import "testing"

// The worked table left out that F₀'s own part shares a direction with the second term, which costs up to 1 %.
func TestSettingsReference(t *testing.T) {
	for i, row := range [2][]float64{
		{3.558, 3.495, 3.401, 3.296, 3.260, 3.236, 3.221, 3.213, 3.206},
		{3.558, 3.495, 3.395, 3.238, 3.113, 2.973, 2.883, 2.845, 2.826},
	} {
		for j, alpha := range []float64{-.2, 0, .1, .2, .25, .3, .35, .4, .5} {
			near(t, "test error", SettingError(SettingTeachers[i], 500, alpha), row[j], 0.01*row[j])
		}
	}
}
