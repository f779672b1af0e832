package stat_test

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props/stat"
)

// A claim about a mean is planned before it is measured.
func ExampleDetectable() {
	const sd, discrepancy, beta = 1, 0.5, 1e-3
	n := stat.SamplesNeeded(sd, discrepancy, stat.PartAlpha, beta)
	fmt.Printf("%d draws find a discrepancy of %.3f\n", n, stat.Detectable(sd, n, stat.PartAlpha, beta))
	fmt.Printf("a true claim needs a zone of %.3f\n", stat.Zone(sd, n, stat.PartAlpha, beta))
	// Output:
	// 328 draws find a discrepancy of 0.500
	// a true claim needs a zone of 0.511
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

// Evidence from shards multiplies.
func ExampleProduct() {
	first := stat.BernoulliEValue(66, 100, 0.5)
	second := stat.BernoulliEValue(70, 100, 0.5)
	fmt.Printf("%.0f × %.0f = %.0f\n", math.Exp(first.Log), math.Exp(second.Log), math.Exp(stat.Product(first, second).Log))
	fmt.Println(first.Rejects(1e-3), second.Rejects(1e-3), stat.Product(first, second).Rejects(1e-3))
	// Output:
	// 15 × 298 = 4347
	// false false true
}
