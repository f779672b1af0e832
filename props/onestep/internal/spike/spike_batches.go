package spike

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// batch holds averages over the learned directions of several independent samples.
type batch struct {
	Count  int     // of samples
	Square float64 // ‖β‖² over p² + φ mean y², where p is the sample's own mean of yβ⋆ᵀx
	Cosine float64 // cos(β, β⋆), without its bias of order 1/n
}

// batchSize is the size √(nd) of a sample. So many are averaged that the mean is nearly normal, and its median is it.
const batchSize = 64

// batches is the number of samples that a cell averages.
var batches = props.Scale{Quick: 12, Standard: 44, Deep: 1000}

func measureBatch(t *props.Trial, c network.Cell) batch {
	s := network.By(setups, c.Setup)
	return averaged(batches.At(t.Effort), func() network.Sample { return s.Labelled(t.Rand, batchSize) })
}

func averaged(count int, draw func() network.Sample) batch {
	mean := batch{Count: count}
	for range count {
		b := learn(draw())
		mean.Square += b.Square / float64(count)
		mean.Cosine += b.Cosine / float64(count)
	}
	return mean
}

// farOff averages fewer samples, judged with the margin of the claim.
func farOff(t *props.Trial, draw func() network.Sample) batch {
	count := batches.At(t.Effort)
	mean := averaged((count+5)/6, draw)
	mean.Count = count
	return mean
}

func learnEven(t *props.Trial, c network.Cell) batch {
	s := network.By(setups, c.Setup)
	s.Teacher = network.Quadratic(0, 0, math.Sqrt(0.5), 0.5)
	return farOff(t, func() network.Sample { return s.Labelled(t.Rand, batchSize) })
}

func learnTwoVariances(t *props.Trial, c network.Cell) batch {
	s := network.By(setups, c.Setup)
	return farOff(t, func() network.Sample {
		sample := s.Labelled(t.Rand, batchSize)
		n, d := sample.X.Dims()
		for i := range n {
			for k := range d {
				sample.X.Set(i, k, sample.X.At(i, k)*math.Sqrt(1.9-1.8*float64(k%2)))
			}
			z := floats.Dot(sample.Target, sample.X.RawRowView(i))
			sample.Y[i] = s.Teacher.Link(z) + s.Teacher.Noise*t.Rand.NormFloat64()
		}
		return sample
	})
}

func learnCauchy(t *props.Trial, c network.Cell) batch {
	s := network.By(setups, c.Setup)
	return farOff(t, func() network.Sample {
		sample := s.Labelled(t.Rand, batchSize)
		sample.Y = addCauchy(sample.Y, 1, t.Rand)
		return sample
	})
}

// addCauchy adds a power of Cauchy noise.
func addCauchy(y []float64, power float64, r *rand.Rand) []float64 {
	return network.Map(y, func(y float64) float64 { return y + math.Pow(r.NormFloat64()/r.NormFloat64(), power) })
}

// learn looks at one sample. Given y and z = β⋆ᵀx, ‖β‖² − p² is mean y²/n times χ² with d−1 degrees of freedom. The
// bias of the cosine, to order 1/n, comes from p and mean y², and is removed by the jackknife (Quenouille); and from
// χ², which shifts it by a known amount.
func learn(s network.Sample) batch {
	n, d := s.X.Dims()
	beta, count := network.Correlate(s.X, s.Y), float64(n)
	square, p, energy := floats.Dot(beta, beta), floats.Dot(beta, s.Target), network.MeanSquare(s.Y)
	cosine, chi := p/math.Sqrt(square), (square-p*p)/energy
	without := 0.0
	for i, y := range s.Y {
		p, energy := count*p-y*floats.Dot(s.Target, s.X.RawRowView(i)), count*energy-y*y
		without += p / math.Sqrt(p*p+energy*(count-1)*chi) / count
	}
	rest := 1 - cosine*cosine
	shift := 1 + (0.75*rest*rest+0.5*rest)/float64(d)
	return batch{1, (square + energy/count) / (p*p + float64(d)*energy/count),
		(count*cosine - (count-1)*without) / shift}
}

// lengths holds the claimed ‖β‖², over the one of [batch], and the claimed cosine.
type lengths struct{ square, alignment func(theory.Step) float64 }

// concludeBatches compares with b² and ρ.
func concludeBatches(r *props.Record, cells []network.Cell, all []batch, claim lengths) {
	for _, regime := range network.Teachers {
		r.Regime(regime)
		var squares, cosines []float64
		for i, c := range cells {
			s := network.By(setups, c.Setup)
			if s.Regime != regime {
				continue
			}
			step := s.Step()
			squares = append(squares, all[i].Square/claim.square(step))
			cosines = append(cosines, all[i].Cosine/claim.alignment(step))
		}
		root := math.Sqrt(float64(all[0].Count))
		props.Limit{Name: "‖β‖² over b²", SD: 0.125 / root, Bias: 1. / (batchSize * batchSize)}.Judge(r, squares, 1)
		props.Limit{Name: "cos(β, β⋆) over ρ", SD: 0.165 / root, Bias: 10. / (batchSize * batchSize)}.Judge(r,
			cosines, 1)
	}
}
