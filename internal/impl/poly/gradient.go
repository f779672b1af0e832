package poly

// Neuron is one hidden unit a·max(w·x + b, 0) of a two-layer network.
type Neuron struct {
	A float64
	W []float64
	B float64
}

// Gradient returns ∇_w E(f_θ(x) − f(x))², without ½, at a network whose output f_θ is zero: −2a E[f(x) x 1{w·x+b ≥ 0}].
func (n Neuron) Gradient(f Poly) []float64 {
	g := HalfSpace(f, n.W, n.B).First
	for i := range g {
		g[i] *= -2 * n.A
	}
	return g
}

// GradientAlone is [Neuron.Gradient] for a network that consists of this neuron, without bias, and whose output is
// therefore not zero: 2a E[aσ(w·x) x 1{w·x ≥ 0}] = a²w is added. It panics when the neuron has a bias.
func (n Neuron) GradientAlone(f Poly) []float64 {
	if n.B != 0 {
		panic("population: a lone neuron with a bias is not implemented")
	}
	g := n.Gradient(f)
	for i, wi := range n.W {
		g[i] += n.A * n.A * wi
	}
	return g
}
