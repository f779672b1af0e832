package onestep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// weightStep is the step size of W₁ = W₀ + ηG; its spike is about twice as strong as the threshold.
const weightStep = 2.0

// updated is what the weights after the step look like.
type updated struct {
	n, d, width int
	scale       float64   // ‖a‖‖β‖, of which the strength of the spike is η|c₁| times
	shift       float64   // aᵀW₀β/(‖a‖‖β‖), what W₀ itself has in the place of the spike
	location    float64   // the largest singular value of W₁
	overlap     float64   // squared cosine of its right vector with β
	along       float64   // cosine of the leading right singular vector of G with β
	spectrum    []float64 // all singular values of W₁, of one network
}

// weights measures the outlier of W₁ and the leading right vector of G at one size.
func weights(v spikeTrial) props.LegacyCheck {
	share, count := "weights", props.Scale{Quick: 12, Standard: 12, Deep: 40}
	if v.even || v.below {
		share = ""
	}
	if v.even { // far off: a few networks show it
		count = props.Scale{Quick: 5, Standard: 5, Deep: 10}
	}
	return props.LegacySweep[cell, updated]{
		Name: "outlier of the updated weights",
		Cells: func(e props.Effort) []cell {
			return replicated(count.At(e), spikeNames...)
		},
		Measure:    func(t *props.Trial, c cell) updated { return update(t, c, v) },
		Judge:      func(cells []cell, found []updated) props.Judgement { return judgeWeights(v, cells, found) },
		Share:      share,
		Replicates: 3,
	}.Check()
}

// eta is the step size of a trial.
func (v spikeTrial) eta(s theory.Step) float64 {
	if v.below {
		return s.Threshold() / 2
	}
	return weightStep
}

func update(t *props.Trial, c cell, v spikeTrial) updated {
	s := spikeBy[c.Setup]
	eta := v.eta(s.step())
	if v.even {
		s = evenSetup()
	}
	sm := s.draw(t.Rand, props.Scale{Quick: 320, Standard: 480, Deep: 3200}.At(t.Effort))
	g := sm.gradient(s.act)
	var w mat.Dense
	w.Scale(eta, g)
	w.Add(sm.w, &w)
	top := leading(linalg.Matrix(&w), 1, t.Rand)
	scale := floats.Norm(sm.a, 2) * floats.Norm(sm.beta, 2)
	out := updated{
		n: len(sm.y), d: len(sm.beta), width: len(sm.a),
		scale:    scale,
		shift:    mat.Inner(mat.NewVecDense(len(sm.a), sm.a), sm.w, mat.NewVecDense(len(sm.beta), sm.beta)) / scale,
		location: top.Values[0],
		overlap:  math.Pow(cosine(top.Right[0], sm.beta), 2),
		along:    cosine(leading(linalg.Matrix(g), 1, t.Rand).Right[0], sm.beta),
	}
	if c == (cell{"phase-sine", 0}) {
		values, err := linalg.SingularValues(&w)
		if err != nil {
			panic(err)
		}
		out.spectrum = values
	}
	return out
}

// spikeOf is the closed form for the sample's own ‖a‖ and ‖β‖, whose limits are checked elsewhere, and with what W₀
// happens to have in the place of the spike. All activations here have c₁ > 0.
func (v spikeTrial) spikeOf(s theory.Step, u updated) theory.WeightSpike {
	if v.below {
		return s.WeightSpike(v.eta(s))
	}
	w := theory.WeightSpike{Strength: v.eta(s)*s.Activation.Coefficient(1)*u.scale + u.shift, Psi: s.Psi}
	if v.swapped {
		w.Psi = 1 / w.Psi
	}
	return w
}

// place is where the claim on trial expects the outlier. Below the threshold it takes the formula without its condition.
func (v spikeTrial) place(w theory.WeightSpike) float64 {
	if !v.below {
		return w.Location()
	}
	t := w.Strength * w.Strength
	return math.Sqrt((1 + t) * (1/w.Psi + t) / t)
}

func judgeWeights(v spikeTrial, cells []cell, found []updated) props.Judgement {
	var j props.Judgement
	add := func(p props.Part, f props.Fact) { j.Parts, j.Facts = append(j.Parts, p), append(j.Facts, f) }
	var locations, overlaps, along []float64
	var ofPlace tolerance
	tilt := 0.0
	for i, c := range cells {
		s, u := spikeBy[c.Setup].step(), found[i]
		w := v.spikeOf(s, u)
		locations = append(locations, u.location/v.place(w))
		overlaps = append(overlaps, u.overlap-w.Right())
		along = append(along, u.along)
		ofPlace.add(locationSpread(s, v.eta(s), u, w))
		tilt += tiltOf(s, u) / float64(len(cells))
	}
	if !v.below {
		// The cosine falls short of one by the tilt to leading order; at most by twice that, and it scatters less than that.
		add(part("leading right vector of G along β", along, 1, 2*tilt+planned(tilt, len(cells))))
	}
	if !v.even {
		add(part("outlier of W₁ over its predicted place", locations, 1+v.dose, ofPlace.zone()))
	}
	if !v.below && !v.even {
		// The overlap is one minus a multiple of 1/θ², which changes by at most twice what θ changes by, relatively.
		add(part("squared overlap of its right vector with β, minus prediction", overlaps, 0, 2*ofPlace.zone()))
		j.Figures = []props.Figure{weightsFigure(v, cells, found)}
	}
	return j
}

// locationSpread returns the standard deviation of the outlier over its predicted place, and a bound of its bias. The
// square of the place is L² = θ² + 1 + c + c/θ², where 1 stands for |W₀ᵀu|², with variance 2/d, and c = N/d for |W₀v|²,
// with variance 2c²/N = 2c/d: √(2(1+c)/d)/(2L²) for L, and half as much again for what is of higher order. The
// remainder ηR adds to the row and the column of the spike in quadrature, η²s²(3/N + 1/d)/(2θ²) of it; and the output
// N^(−1/2)f in the gradient takes ηc₁²N^(−1/2) off W₀ᵀu, that over L² off L.
func locationSpread(s theory.Step, eta float64, u updated, w theory.WeightSpike) (sd, bias float64) {
	d, width, c1 := float64(u.d), float64(u.width), s.Activation.Coefficient(1)
	strength := math.Pow(w.Strength, 2)
	square := strength + 1 + width/d*(1+1/strength)
	sd = 1.5 * math.Sqrt(2/d*(1+width/d)) / (2 * square)
	return sd, eta*eta*s.Remainder()*(3/width+1/d)/(2*strength) + eta*c1*c1/math.Sqrt(width)/square
}

// tiltOf is half the mean squared angle between β and the leading right vector of G: Gᵀa = c₁|a|²β + Rᵀa, and Rᵀa has
// N nearly independent terms of squared length a_j⁴s², together 3s²/N.
func tiltOf(s theory.Step, u updated) float64 {
	c1 := s.Activation.Coefficient(1)
	return 3 * s.Remainder() / (2 * float64(u.width) * math.Pow(c1*s.Length(), 2))
}

// weightsFigure shows the spectrum of one W₁ with the Marchenko-Pastur law and the predicted outlier.
func weightsFigure(v spikeTrial, cells []cell, found []updated) props.Figure {
	for i, c := range cells {
		if found[i].spectrum == nil {
			continue
		}
		s := spikeBy[c.Setup].step()
		w := v.spikeOf(s, found[i])
		return props.Figure{
			ID:    "weights",
			Title: "Singular values of the weights after the step",
			Caption: fmt.Sprintf("Histogram of the singular values of W₁ = W₀ + %vG for one network with d = %d and N = %d. The bulk follows the Marchenko-Pastur law; "+
				"one value lies outside of it, at %.3f, where %.3f is predicted.", weightStep, found[i].d, found[i].width, found[i].location, w.Location()),
			X: props.Axis{Label: "singular value"}, Y: props.Axis{Label: "density"},
			Curves: spectrumCurves(found[i].spectrum, float64(found[i].d), w.Edge(), w.Density, "predicted outlier", []float64{w.Location()}),
		}
	}
	return props.Figure{}
}
