package stat_test

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props/stat"
)

// A criterion is planned before it is measured: how many draws, and the margin in which a true claim is accepted.
func ExampleMedianMargin() {
	const sd, bias = 0.05, 0.01
	fmt.Printf("%d draws at least\n", stat.RankDraws(0, stat.CriterionAlpha))
	for _, n := range []int{31, 40, 64, 128} {
		margin := bias + stat.MedianMargin(stat.SkewedTail(1.2), sd, n, stat.CriterionAlpha, stat.CriterionUndecided)
		fmt.Printf("with %d draws a margin of %.3f\n", n, margin)
	}
	// Output:
	// 31 draws at least
	// with 31 draws a margin of 1.292
	// with 40 draws a margin of 0.597
	// with 64 draws a margin of 0.184
	// with 128 draws a margin of 0.093
}

// The mean of squared lengths is known from the law that is claimed for them.
func ExampleSubGamma() {
	constants := stat.ChiSquared(512)
	fmt.Printf("%.3f\n", constants.Margin(216, stat.CriterionAlpha, stat.CriterionUndecided))
	// Output:
	// 0.056
}

// What every criterion of a run costs is added up.
func ExampleBudget() {
	var budget stat.Budget
	for i := range 350 {
		budget.Charge(fmt.Sprint("criterion ", i), stat.Criterion)
	}
	budget.Charge("no drawn matrix is nearly singular", stat.Event(stat.NearlySingular(8, 4, 1e-3)))
	total := budget.Total()
	fmt.Printf("refuted %.3g, undecided %.3g\n", total.Refuted, total.Undecided)
	fmt.Println(len(budget.Overspent()), "complaints")
	// Output:
	// refuted 3.5e-07, undecided 3.5e-07
	// 0 complaints
}

// An exponent is the slope of log y over log x.
func ExampleFit() {
	var x, y []float64
	for _, n := range []float64{64, 128, 256, 512} {
		for _, noise := range []float64{-0.01, 0.02, -0.01} {
			x = append(x, math.Log(n))
			y = append(y, math.Log(3/math.Sqrt(n))+noise)
		}
	}
	line := stat.Fit(x, y, 1e-3)
	fmt.Printf("exponent %.3f in [%.3f, %.3f]\n", line.Slope.Estimate, line.Slope.Lo, line.Slope.Hi)
	// Output:
	// exponent -0.500 in [-0.526, -0.474]
}

// A proportion keeps its level however often somebody looks.
func ExampleProportion() {
	iv := stat.Proportion(480, 1000, 1e-3)
	fmt.Printf("%.3f, between %.3f and %.3f at level %g\n", iv.Estimate, iv.Lo, iv.Hi, iv.Alpha())
	// Output:
	// 0.480, between 0.408 and 0.553 at level 0.001
}

// The place of a threshold, as one draw shows it: where a curve first passes a level.
func ExampleCrossing() {
	fmt.Println(stat.Crossing([]float64{0, 1, 2, 3}, []float64{0, 0.2, 0.6, 1}, 0.5))
	// Output:
	// 1.75
}
