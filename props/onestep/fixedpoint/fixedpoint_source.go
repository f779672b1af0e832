package fixedpoint

import (
	"math"
	"math/big"
)

// traces are M₁ and M₂ and their derivatives in λ as the source's equations have them.
type traces struct{ All, Linear, DAll, DLinear float64 }

const bits = 200

// number is a big.Float with the operations that the equations need.
type number struct{ x *big.Float }

func num(x float64) number { return number{new(big.Float).SetPrec(bits).SetFloat64(x)} }

func (a number) add(b number) number { return number{new(big.Float).SetPrec(bits).Add(a.x, b.x)} }
func (a number) sub(b number) number { return number{new(big.Float).SetPrec(bits).Sub(a.x, b.x)} }
func (a number) mul(b number) number { return number{new(big.Float).SetPrec(bits).Mul(a.x, b.x)} }
func (a number) div(b number) number { return number{new(big.Float).SetPrec(bits).Quo(a.x, b.x)} }
func (a number) float() float64      { f, _ := a.x.Float64(); return f }

// parameters of the source's equations; square is c₁², rest c²_{>1}.
type parameters struct{ phi, psi, square, rest float64 }

// equations are the source's two polynomials in M₁ and M₂,
//
//	φ(M₁ − M₂)(c²_{>1}M₁ + c₁²M₂) + c₁²M₁M₂(λψM₁/φ − 1),
//	factor·(c₁²M₁M₂ + φ(M₂ − M₁)) + c₁²M₁M₂(λψM₁/φ − 1),
//
// with their derivatives; factor is φ/ψ.
func (p parameters) equations(m1, m2, lambda, factor number) (f, g number, j [4]number) {
	phi, c, k := num(p.phi), num(p.square), num(p.rest)
	t := lambda.mul(num(p.psi)).div(phi)
	last := t.mul(m1).sub(num(1))
	product := c.mul(m1).mul(m2)
	tail := product.mul(last)
	tail1 := c.mul(m2).mul(last).add(product.mul(t))
	tail2 := c.mul(m1).mul(last)
	leak, gap := k.mul(m1).add(c.mul(m2)), m1.sub(m2)
	f = phi.mul(gap).mul(leak).add(tail)
	g = factor.mul(product.sub(phi.mul(gap))).add(tail)
	j[0] = phi.mul(leak.add(gap.mul(k))).add(tail1)
	j[1] = phi.mul(gap.mul(c).sub(leak)).add(tail2)
	j[2] = factor.mul(c.mul(m2).sub(phi)).add(tail1)
	j[3] = factor.mul(c.mul(m1).add(phi)).add(tail2)
	return f, g, j
}

// solve follows the solution from λ so large that M₁ and M₂ are both (φ/ψ)/λ down to λ.
func (p parameters) solve(lambda, factor float64) traces {
	ratio := p.phi / p.psi
	const stride = 2
	top := 1e3 * (1 + p.square + p.rest) * (1 + ratio + 1/p.psi)
	steps := max(1, int(math.Ceil(math.Log(top/lambda)/math.Log(stride))))
	top = lambda * math.Pow(stride, float64(steps))
	m1, m2 := num(ratio/top), num(ratio/top)
	grow1, grow2 := num(stride), num(stride) // as in the step before
	for i := range steps + 1 {
		before1, before2 := m1, m2
		if i > 0 {
			m1, m2 = m1.mul(grow1), m2.mul(grow2)
		}
		m1, m2 = p.newton(m1, m2, num(lambda*math.Pow(stride, float64(steps-i))), num(factor), 4)
		if i > 0 {
			grow1, grow2 = m1.div(before1), m2.div(before2)
		}
	}
	here := num(lambda)
	m1, m2 = p.newton(m1, m2, here, num(factor), 4)
	const h = 1e-15
	up1, up2 := p.newton(m1, m2, here.mul(num(1).add(num(h))), num(factor), 3)
	down1, down2 := p.newton(m1, m2, here.mul(num(1).sub(num(h))), num(factor), 3)
	slope := func(up, down number) float64 { return up.sub(down).float() / (2 * h) / lambda }
	return traces{m1.float(), m2.float(), slope(up1, down1), slope(up2, down2)}
}

// newton takes so many steps of Newton's method.
func (p parameters) newton(m1, m2, lambda, factor number, iterations int) (number, number) {
	for range iterations {
		f, g, j := p.equations(m1, m2, lambda, factor)
		det := j[0].mul(j[3]).sub(j[1].mul(j[2]))
		if det.x.Sign() == 0 || det.x.IsInf() {
			return num(0), num(0)
		}
		m1, m2 = m1.sub(f.mul(j[3]).sub(g.mul(j[1])).div(det)), m2.sub(g.mul(j[0]).sub(f.mul(j[2])).div(det))
	}
	return m1, m2
}
