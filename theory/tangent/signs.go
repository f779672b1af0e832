package tangent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Signs is the claim tangent/signs: Figures 1 and 3 of the paper, on spheres.
var Signs = theory.Statement{
	Slug:  "tangent/signs",
	Title: "Networks align better with signs, and stretch features at their boundary, on 300 points at width 16",
	Plain: "In small experiments, networks align more with the signs of labels than with the smooth labels, and " +
		"stretch features near the boundary.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "ReLU networks 20→16→16→1 with He weights and biases uniform on ±1/√(inputs of the layer), 300 points " +
		"uniform on the sphere, smooth labels y = wᵀx with Gaussian w, scaled to mean square 1, and their signs, each " +
		"added to the outputs at the start; 20 epochs in batches of 10, momentum 0.9 and a cosine schedule from rate 0.05, " +
		"on the mean of ½(f − label)². Both networks have the same initial weights. g is the change of the outputs, K̄ the " +
		"kernel of the averaged tangent features (midpoint rule, 6 nodes). The alignment is ⟨K̄, ggᵀ⟩/‖K̄‖‖g‖². Near over " +
		"far is the mean of K̄(x,x)/K₀(x,x) over the quarter of the points with the smallest |y|, divided by its mean over " +
		"the quarter with the largest.",
	Claim: "In the median over data and starts the alignment is larger for signs than for smooth labels, by a factor " +
		"of at least 1.05, and near over far is larger by a factor of at least 1.1. For the alignment Theorem 1 with " +
		"(z−1)² predicts the reverse from K₀ and g: smaller for signs, by a factor of at least 1.05.",
	TeX: `\frac{\langle \bar K_{\mathrm{sign}}, g g^\top \rangle}{\lVert \bar K_{\mathrm{sign}} \rVert_F \lVert g ` +
		`\rVert^2} > \frac{\langle \bar K_y, g' g'^\top \rangle}{\lVert \bar K_y \rVert_F \lVert g' \rVert^2}`,
	Assumptions: []theory.Assumption{
		{ID: "large-labels", Text: "the labels are of the order of the outputs"},
		{ID: "signs", Text: "one of the two networks is trained on signs"},
	},
	Source: paper.At("Figures 1 and 3"),
	Deviations: "The paper has digits of two classes, the best linear fit with random features as smooth labels, and " +
		"larger networks. Spheres have no clusters. The observation that Theorem 1 predicts the reverse is ours.",
	Proof: "None: this is an observation.",
	Tolerance: "A median has an exact interval between order statistics, whatever the law of the draws. The bounds " +
		"were chosen after pilot runs. Effects are logarithms of factors, 0 where both labels give the same.",
	Limits: "One narrow architecture, one number of points, one schedule. It is not a law: in trial runs with 100 " +
		"points, or with networks of width 48 and more, the alignments did not show this order, whereas near over far did. " +
		"Where dead units leave K₀ singular, the prediction is the limit v → ∞.",
	RestsOn: []string{"tangent/path", "tangent/kernel"},
	Contradicted: map[string]string{"tangent/spheres": "On 400 points at width 64 networks do not align better with " +
		"signs by a factor of 1.2, as they do here: the alignment is 0.986 [0.836, 1.16] times that for smooth " +
		"labels. Near over far is larger there too."},
}

// SignsNodes is the number of nodes of the midpoint rule, and one in SignsShare of the points is counted as near and
// one as far, in the setting of [Signs].
const SignsNodes, SignsShare = 6, 4

// NearOverFar returns the mean growth over the n/share points, rounded down, with the smallest |y|, divided by the mean
// over as many with the largest. No two points may have the same |y|.
func NearOverFar(y, growth []float64, share int) float64 {
	near, far := 0.0, 0.0
	for i := range y {
		smaller := 0
		for j := range y {
			if math.Abs(y[j]) < math.Abs(y[i]) {
				smaller++
			}
		}
		if smaller < len(y)/share {
			near += growth[i]
		}
		if len(y)-1-smaller < len(y)/share {
			far += growth[i]
		}
	}
	return near / far
}
