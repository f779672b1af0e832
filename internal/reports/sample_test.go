package reports

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

func init() { collector.Set() }

// sample returns a report with claims of every outcome: two that hold, one refuted with a counterexample, one
// undecided, one that broke, one that was cut short, and a statement without a result. Its numbers are made up.
func sample() Site {
	statements := []*theory.Statement{
		{
			Slug: "alpha/residual", Title: "Gram shift equals covariance shift, with the exact residual",
			Kind: theory.Identity, Standing: theory.Theorem,
			Setting: "One layer z = W h of a differentiable network. A step W⁺ = W − γ Σᵢ gᵢhᵢᵀ on the loss summed " +
				"over a " +
				"batch; virtual hidden states hᵢ⁺ = hᵢ − γ ∂lossᵢ/∂hᵢ.",
			Params: []theory.Param{
				{Name: "step", Symbol: "γ", Meaning: "step size", Domain: theory.Above(0), Default: "0.1"},
				{Name: "W", Symbol: "W", Meaning: "weights of the layer", Shape: "m×n"},
			},
			Claim: "W⁺ᵀW⁺ − WᵀW = (H⁺H⁺ᵀ − HHᵀ) + γ²(HΓᵀΓHᵀ − WᵀΓΓᵀW), exactly, for every step size γ.",
			TeX: `W_+^{\top} W_+ - W^{\top} W = \left( H_+ H_+^{\top} - H H^{\top} \right) + ` +
				`\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - W^{\top} \Gamma \Gamma^{\top} W \right)`,
			Assumptions: []theory.Assumption{
				{ID: "plain-descent", Text: "the weights take a plain gradient step"},
				{ID: "uncentred", Text: "the covariance is the uncentred second moment"},
				{ID: "differentiable", Text: "the loss is differentiable",
					NoControl: "the layer's input gradient would not exist."},
			},
			Source: theory.Source{Paper: "A. Author, B. Author: On One Step", ArXiv: "2310.07891", Version: "v3",
				Year:  2023,
				Locus: "Theorem 2"},
			Deviations: "The source leaves the residual open; it is derived here.",
			Errata: []theory.Erratum{
				{ID: "mean", Printed: "The identity holds for the mean loss and the mean covariance.",
					Locus:          "Section 3",
					Correct:        "The scales must satisfy a = b·c.",
					Counterexample: "B = 2, W = 1, h = (1, 2), g = (1, 1): the linear terms differ by γ."},
			},
		},
		{
			Slug: "alpha/order", Title: "The remainder is of second order",
			Plain: "Nothing of first order is left.", Kind: theory.Order,
			Standing: theory.Derivation,
			Claim:    "The gap falls as γ².", TeX: `\lim_{\gamma \to 0} \frac{\log \lVert R(\gamma) \rVert}{\log \gamma} = 2`,
			Source: theory.Source{Paper: "A. Author, B. Author: On One Step", ArXiv: "2310.07891", Year: 2023,
				Locus: "Corollary 4"}, RestsOn: []string{"alpha/residual"},
		},
		{
			Slug: "beta/spectrum", Title: "The bulk follows the Marchenko–Pastur law", Kind: theory.Limit,
			Standing: theory.Conjecture,
			Claim: "The eigenvalues of XᵀX/n tend to the Marchenko–Pastur density.\n\nThe largest one leaves the " +
				"bulk.",
			TeX: `\rho(\lambda) = \frac{\sqrt{(\lambda_+ - \lambda)(\lambda - \lambda_-)}}{2\pi c \lambda}, \quad ` +
				`\lambda_{\pm} = (1 \pm \sqrt{c})^2`,
			Source: theory.Source{Paper: "C. Author: Spectra", Year: 2024, Locus: "Equation (7)"},
		},
		{Slug: "beta/probability", Title: "Dead units have the predicted frequency", Kind: theory.Probability,
			Standing: theory.Finding,
			Claim:    "A unit is dead with probability 2⁻ⁿ.",
			TeX:      `\Pr\left[ \max_i w^{\top} x_i \le 0 \right] = 2^{-n}`,
			Source:   theory.Source{Paper: "C. Author: Spectra", Year: 2024, Locus: "Remark 2"}},
		{Slug: "beta/broken", Title: "A claim whose check broke", Kind: theory.Inequality, Standing: theory.Theorem,
			Claim: "a ≤ b.", TeX: `a \le b`,
			Source: theory.Source{Paper: "C. Author: Spectra", Year: 2024, Locus: "Lemma 1"}},
		{Slug: "beta/stopped", Title: "A claim that was cut short", Kind: theory.Scaling, Standing: theory.Theorem,
			Claim: "s ∼ n^(−1/2).", TeX: `s \sim n^{-1/2}`,
			Source: theory.Source{Paper: "C. Author: Spectra", Year: 2024, Locus: "Lemma 2"}},
		{Slug: "beta/untouched", Title: "A claim without a result", Kind: theory.Empirical, Standing: theory.Finding,
			Claim: "It is so.", TeX: `x = x`, Contradicted: map[string]string{"beta/large": "At n = 9 it is not so."},
			Source: theory.Source{Paper: "C. Author: Spectra", Year: 2024, Locus: "Figure 3"}},
	}
	run := &results.Results{
		Schema:   results.SchemaName,
		Manifest: results.Manifest{Commit: "0123456789abcdef0123456789abcdef01234567", Build: []string{"GOARCH=amd64"}},
		Tool: results.Tool{Version: "devel-0123456789ab", Go: "go1.26.0", GOOS: "linux", GOARCH: "amd64", GOAMD64: "v1",
			Kernel: "gonum v0.17.0", CPU: "An Exemplary Processor at 3.00GHz"},
		Run: results.Run{Effort: props.Standard, Seed: 1, Jobs: 2,
			Started:     time.Date(2026, 10, 1, 12, 30, 0, 0, time.UTC),
			WallSeconds: 83.25, Shard: "1/1"},
		Claims: []results.Claim{sampleResidual(), sampleOrder(), sampleSpectrum(), sampleProbability(),
			sampleBroken(),
			sampleStopped()},
		Calibration: []results.Calibration{
			{Procedure: "Student interval, n = 30", Quantity: "coverage", Nominal: 0.99, Measured: 0.9902,
				Runs: 100000},
			{Procedure: "beta-binomial sequence", Quantity: "false alarms", Nominal: 0.01, Measured: 0.0031,
				Runs: 100000},
		},
	}
	for i := range run.Claims {
		st := statements[i]
		row := &run.Claims[i]
		run.Manifest.Planned = append(run.Manifest.Planned, st.Slug)
		row.ID, row.Title, row.Kind, row.Standing = st.Slug, st.Title, string(st.Kind), string(st.Standing)
		row.Source = results.Source{Paper: st.Source.Paper, ArXiv: st.Source.ArXiv, Locus: st.Source.Locus}
	}
	for i := range run.Claims {
		complete(&run.Claims[i])
	}
	run.Conclude()
	return Site{Results: run, Statements: statements, Program: "go run ./cmd/thm",
		Command: "go run ./cmd/thm check --seed 1"}
}

// green returns the part of the sample in which everything holds.
func green() Site {
	s := sample()
	s.Results.Claims = s.Results.Claims[:2]
	s.Statements = s.Statements[:2]
	s.Results.Manifest.Planned = s.Results.Manifest.Planned[:2]
	s.Results.Conclude()
	return s
}

// complete gives every criterion the one regime from which its ratio comes. A row without checks gets those of its
// criteria, the first of which has all cases.
func complete(row *results.Claim) {
	cases := row.Cases
	for i := range row.Criteria {
		p := &row.Criteria[i]
		p.Regimes = []results.Regime{{Cases: cases.Run, Ratio: p.Ratio, Lower: p.Lower, Run: p.Resolution,
			Median: p.Resolution, Decile: p.Resolution, Near: results.Number(math.NaN())}}
		if p.Lower > 1 {
			p.Regimes[0].Name, p.Regimes[0].Sides = "wide", &results.Sides{Obtained: 5.83, Lo: num(5.7), Hi: num(5.96),
				Claimed: 3.1, Difference: 2.73, Allowed: 0.4, Relation: results.Below}
		}
		if i == 0 || row.Criteria[i-1].Check != p.Check {
			row.Checks = append(row.Checks, results.Check{Name: p.Check, Cases: cases})
			cases = results.Count{}
		}
	}
}

func num(x float64) *results.Number {
	n := results.Number(x)
	return &n
}

func sampleResidual() results.Claim {
	inf := results.Number(math.Inf(1))
	return results.Claim{
		Cases:   results.Count{Planned: 4200, Run: 4200},
		Seconds: 12.5,
		Criteria: []results.Criterion{
			{Check: "identity on integers", Name: "identity on integers", Form: results.Exactness, Unit: results.Exact},
			{Check: "identity within rounding", Name: "identity within rounding", Form: results.Equation, Unit: results.Relative,
				Ratio: 0.182, Lower: 0.182, Resolution: 3.2e-13},
			{Check: "order in the step size", Name: "slope is 2", Form: results.Estimate, Unit: results.Exponent,
				Ratio: 0.61, Lower: 0, Resolution: 0.0316, Alpha: 1e-8, Margin: 0.05, Detects: 0.11, Needs: 0.4},
		},
		Controls: []results.Control{
			{Name: "gradient transposed", Assumption: "plain-descent", Fraction: 1, Ratio: 1.2e13,
				Check: "identity on integers", RejectedBy: []string{"identity on integers"},
				Replicates: 3, Cases: 12600, Seen: 4200},
			{Name: "covariance centred", Assumption: "uncentred", Fraction: 1, Ratio: 41,
				Check: "identity within rounding", RejectedBy: []string{"identity within rounding"},
				Replicates: 3, Cases: 3, Seen: 3,
				Reserve: 1.2},
			{Name: "opposite sign of the residual", Check: "order in the step size", RejectedBy: []string{"slope is 2"},
				Fraction: 1, Ratio: inf, Replicates: 3, Fixed: true},
			{Name: "mean", Erratum: "mean", Fraction: 1, Ratio: inf},
		},
		Errata: []results.Erratum{{ID: "mean",
			Printed:        "The identity holds for the mean loss and the mean covariance.",
			Counterexample: "B = 2, W = 1, h = (1, 2), g = (1, 1): the linear terms differ by γ.",
			Evidence:       "W (1×1) =\n[1]\nγ = 1\ngap = [-1]\n"}},
		Measurements: []results.Measurement{{Name: "order in the step size", Value: 1.99987, Lo: num(1.998),
			Hi:      num(2.0017),
			Claimed: num(2)}, {Name: "runs", Value: 200}},
		Figures: []figure.Figure{
			{ID: "ratios-identity", Title: "Ratios: identity within rounding",
				Caption: "Ratio of discrepancy to tolerance over 2000 cases; the largest is 0.182, and 1 is where " +
					"the check fails.",
				Kind: figure.Ratios, X: figure.Axis{Label: "discrepancy / tolerance"},
				Y: figure.Axis{Label: "cases"},
				Curves: []figure.Curve{{Name: "cases", Style: figure.Bars, X: steps(0, 1, 21),
					Y: []float64{412, 801, 520, 260, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}},
			{ID: "order", Title: "Order in the step size",
				Caption: "Matched conventions fall with slope 2, all means with slope 1. Points are medians over 200 " +
					"networks, " +
					"bars span all of them.",
				X: figure.Axis{Label: "step size γ", Log: true}, Y: figure.Axis{Label: "norm of the gap", Log: true},
				Curves: stepCurves()},
		},
	}
}

// steps returns n numbers from lo to hi.
func steps(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return out
}

// stepCurves returns gaps that fall with the square of the step size, and with the step size.
func stepCurves() []figure.Curve {
	var x, second, first, lo, hi, claimed []float64
	for e := -4; e >= -8; e-- {
		g := math.Ldexp(1, e)
		x = append(x, g)
		second, lo, hi = append(second, 3*g*g), append(lo, 1.5*g*g), append(hi, 7*g*g)
		first, claimed = append(first, 0.8*g), append(claimed, 3*g*g)
	}
	return []figure.Curve{
		{Name: "matched conventions", Style: figure.Points, X: x, Y: second, Lo: lo, Hi: hi},
		{Name: "all means", Style: figure.Points, X: x, Y: first},
		{Name: "closed form", Style: figure.Dashed, X: x, Y: claimed},
	}
}

func sampleOrder() results.Claim {
	return results.Claim{
		Cases: results.Count{Planned: 60, Run: 60}, Seconds: 0.4,
		Criteria: []results.Criterion{{Check: "slope", Name: "slope", Form: results.Estimate, Unit: results.Exponent,
			Ratio: 0.4, Lower: 0.1, Resolution: 0.01, Alpha: 1e-8}},
		Controls: []results.Control{{Name: "order one", Check: "slope", RejectedBy: []string{"slope"}, Fraction: 1,
			Ratio: 80}},
	}
}

func sampleSpectrum() results.Claim {
	r := rand.New(rand.NewPCG(3, 4))
	counts := make([]float64, 30)
	for range 900 {
		counts[int(30*(r.Float64()+r.Float64())/2)]++
	}
	density := make([]float64, 61)
	x := steps(0.05, 3.1, 61)
	for i := range density {
		t := float64(i) / 60
		density[i] = 60 * (1 - math.Abs(2*t-1))
	}
	return results.Claim{
		Cases:   results.Count{Planned: 30, Run: 30},
		Seconds: 31,
		Counterexample: "n = 3\nX (2×3) =\n⎡1  0  2⎤\n⎣0 -1  1⎦\nlargest eigenvalue 5.83 </pre><script>window.pwned " +
			"= " +
			"1</script>\n",
		Criteria: []results.Criterion{
			{Check: "density", Name: "distance to the density", Form: results.Equation,
				Unit: results.Relative, Resolution: 0.05, Ratio: 0.8, Lower: 0.8},
			{Check: "outlier", Name: "largest eigenvalue", Form: results.Bound, Unit: results.Relative,
				Ratio: 7.5, Lower: 6.1, Alpha: 1e-8, Chosen: "bound"},
		},
		Controls: []results.Control{
			{Name: "c replaced by 1/c", Fraction: 1, Ratio: 12},
			{Name: "variance doubled", Fraction: 0.8, Ratio: 0.7},
		},
		Measurements: []results.Measurement{{Name: "largest eigenvalue", Value: 5.83, Lo: num(5.7), Hi: num(5.96),
			Claimed: num(3.1)}},
		Figures: []figure.Figure{{ID: "spectrum", Title: "Spectrum",
			Caption: "The bulk follows the predicted density; one eigenvalue at 5.83 lies outside.",
			X:       figure.Axis{Label: "eigenvalue"}, Y: figure.Axis{Label: "eigenvalues per bin"},
			Curves: []figure.Curve{
				{Name: "eigenvalues", Style: figure.Bars, X: steps(0.05, 3.1, 31), Y: counts},
				{Name: "predicted density", Style: figure.Line, X: x, Y: density},
				{Name: "outlier", Style: figure.Points, X: []float64{5.83}, Y: []float64{1}},
			}}},
	}
}

func sampleProbability() results.Claim {
	return results.Claim{
		Cases:   results.Count{Planned: 500, Run: 500},
		Seconds: 2,
		Criteria: []results.Criterion{{Check: "frequency", Name: "frequency | of dead units",
			Form: results.Estimate, Unit: results.Absolute, Resolution: 0.2,
			Ratio: 1.4, Lower: 0.2, Alpha: 1e-8}},
		Controls: []results.Control{{Name: "probability 1/n", Fraction: 1, Ratio: 3}},
	}
}

func sampleBroken() results.Claim {
	return results.Claim{
		Checks: []results.Check{{Name: "bound", Cases: results.Count{Planned: 10, Run: 9}, Broken: true,
			Message: "bound: cell 3: index out of range [4] with length 4 (props/beta/broken.go:31)"}},
		Controls: []results.Control{{Name: "bound halved", Message: "bound: cell 3: index out of range",
			Ratio: results.Number(math.Inf(1))},
			{Name: "strict", Erratum: "strict", Message: "bound: cell 3: index out of range",
				Ratio: results.Number(math.Inf(1))}},
		Errata: []results.Erratum{{Printed: "a < b",
			Counterexample: "a = b"}},
	}
}

func sampleStopped() results.Claim {
	return results.Claim{
		Checks: []results.Check{{Name: "slope", Cases: results.Count{Planned: 40, Run: 12},
			Message: "slope: 12 of 40 cases ran"}},
	}
}
