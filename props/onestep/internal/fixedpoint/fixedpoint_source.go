package fixedpoint

import (
	"math"
	"math/big"
)

// traces are M₁ and M₂ and their derivatives in λ as the source's equations have them.
type traces struct{ All, Linear, DAll, DLinear float64 }

const bits = 200

// arithmetic lists the operations on numbers that the equations need.
type arithmetic[T any] interface {
	of(x float64) T // x in that arithmetic
	add(T) T
	sub(T) T
	mul(T) T
	div(T) T
	float() float64
}

// number is a big.Float.
type number struct{ x *big.Float }

func num(x float64) number { return number{new(big.Float).SetPrec(bits).SetFloat64(x)} }

func (number) of(x float64) number   { return num(x) }
func (a number) add(b number) number { return number{new(big.Float).SetPrec(bits).Add(a.x, b.x)} }
func (a number) sub(b number) number { return number{new(big.Float).SetPrec(bits).Sub(a.x, b.x)} }
func (a number) mul(b number) number { return number{new(big.Float).SetPrec(bits).Mul(a.x, b.x)} }
func (a number) div(b number) number { return number{new(big.Float).SetPrec(bits).Quo(a.x, b.x)} }
func (a number) float() float64      { f, _ := a.x.Float64(); return f }

// double is a float64.
type double float64

func (double) of(x float64) double   { return double(x) }
func (a double) add(b double) double { return a + b }
func (a double) sub(b double) double { return a - b }
func (a double) mul(b double) double { return a * b }
func (a double) div(b double) double { return a / b }
func (a double) float() float64      { return float64(a) }

// parameters of the source's equations; square is c₁², rest c²_{>1}.
type parameters struct{ phi, psi, square, rest float64 }

// equations are the source's two polynomials in M₁ and M₂,
//
//	φ(M₁ − M₂)(c²_{>1}M₁ + c₁²M₂) + c₁²M₁M₂(λψM₁/φ − 1),
//	factor·(c₁²M₁M₂ + φ(M₂ − M₁)) + c₁²M₁M₂(λψM₁/φ − 1),
//
// with their derivatives; factor is φ/ψ.
func equations[T arithmetic[T]](p parameters, m1, m2, lambda, factor T) (f, g T, j [4]T) {
	phi, c, k := lambda.of(p.phi), lambda.of(p.square), lambda.of(p.rest)
	t := lambda.mul(lambda.of(p.psi)).div(phi)
	last := t.mul(m1).sub(lambda.of(1))
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

// solve takes the solution for float64 to 200 bits: each of six steps of Newton's method doubles its digits.
func (p parameters) solve(lambda, factor float64) traces {
	m1, m2 := p.follow(lambda, factor)
	big1, big2 := newton(p, num(m1), num(m2), num(lambda), num(factor), 6)
	const h = 1e-15
	up1, up2 := newton(p, big1, big2, num(lambda).mul(num(1).add(num(h))), num(factor), 3)
	down1, down2 := newton(p, big1, big2, num(lambda).mul(num(1).sub(num(h))), num(factor), 3)
	slope := func(up, down number) float64 { return up.sub(down).float() / (2 * h) / lambda }
	return traces{big1.float(), big2.float(), slope(up1, down1), slope(up2, down2)}
}

// follow follows the solution from λ so large that M₁ and M₂ are both (φ/ψ)/λ down to λ.
func (p parameters) follow(lambda, factor float64) (float64, float64) {
	ratio := p.phi / p.psi
	const stride = 2
	top := 1e3 * (1 + p.square + p.rest) * (1 + ratio + 1/p.psi)
	steps := max(1, int(math.Ceil(math.Log(top/lambda)/math.Log(stride))))
	top = lambda * math.Pow(stride, float64(steps))
	m1, m2 := double(ratio/top), double(ratio/top)
	grow1, grow2 := double(stride), double(stride) // as in the step before
	for i := range steps + 1 {
		before1, before2 := m1, m2
		if i > 0 {
			m1, m2 = m1*grow1, m2*grow2
		}
		m1, m2 = newton(p, m1, m2, double(lambda*math.Pow(stride, float64(steps-i))), double(factor), 4)
		if i > 0 {
			grow1, grow2 = m1/before1, m2/before2
		}
	}
	return m1.float(), m2.float()
}

// newton takes steps of Newton's method. Where there is no step it returns zeros, which solve the equations without
// being a solution.
func newton[T arithmetic[T]](p parameters, m1, m2, lambda, factor T, iterations int) (T, T) {
	for range iterations {
		f, g, j := equations(p, m1, m2, lambda, factor)
		det := j[0].mul(j[3]).sub(j[1].mul(j[2]))
		if size := math.Abs(det.float()); !(size > 0 && size <= math.MaxFloat64) {
			return lambda.of(0), lambda.of(0)
		}
		m1, m2 = m1.sub(f.mul(j[3]).sub(g.mul(j[1])).div(det)), m2.sub(g.mul(j[0]).sub(f.mul(j[2])).div(det))
	}
	return m1, m2
}
