package hinge

import (
	"math/big"
	"slices"
)

// Exact is [Problem] in rational arithmetic.
type Exact struct {
	Features [][]*big.Rat // M×N, one row Ψᵢ per input
	Y        []int        // M: labels ±1
	P        []*big.Rat   // M
}

// Minimum returns the smallest loss over all w: the largest Σπᵢ with 0 ≤ πᵢ ≤ pᵢ and Σπᵢyᵢ Ψᵢ = 0. Elimination
// expresses the πᵢ of r inputs, where r is the rank of the features, by those of the others, and the simplex method
// starts at π = 0. About M²N operations, and M³ for each exchange.
func (p Exact) Minimum() *big.Rat {
	rows, pivots := p.eliminate()
	var free []int
	for i := range p.P {
		if !slices.Contains(pivots, i) {
			free = append(free, i)
		}
	}
	if len(free) == 0 { // rank M
		return new(big.Rat)
	}
	var d dictionary
	for range free {
		d.gain = append(d.gain, big.NewRat(1, 1))
	}
	for at, i := range free { // π ≤ p
		row := make([]*big.Rat, len(free))
		for j := range row {
			row[j] = new(big.Rat)
		}
		row[at].SetInt64(1)
		d.add(row, p.P[i])
	}
	for r, i := range pivots { // 0 ≤ −Σ rows·π ≤ p
		row, opposite := make([]*big.Rat, len(free)), make([]*big.Rat, len(free))
		for j, f := range free {
			row[j], opposite[j] = new(big.Rat).Set(rows[r][f]), new(big.Rat).Neg(rows[r][f])
			d.gain[j].Sub(d.gain[j], rows[r][f])
		}
		d.add(row, new(big.Rat))
		d.add(opposite, p.P[i])
	}
	return d.maximise()
}

// eliminate brings the equations Σπᵢyᵢ Ψᵢ = 0, one for each feature, to reduced row echelon form, and says the π of
// which input each row gives.
func (p Exact) eliminate() (rows [][]*big.Rat, pivots []int) {
	var product big.Rat
	subtract := func(from []*big.Rat, factor *big.Rat, row []*big.Rat) {
		for i := range from {
			if row[i].Sign() != 0 {
				from[i].Sub(from[i], product.Mul(factor, row[i]))
			}
		}
	}
	for j := 0; len(rows) < len(p.P) && j < len(p.Features[0]); j++ {
		row := make([]*big.Rat, len(p.P))
		for i, y := range p.Y {
			row[i] = new(big.Rat).Mul(big.NewRat(int64(y), 1), p.Features[i][j])
		}
		for r, i := range pivots {
			if factor := new(big.Rat).Set(row[i]); factor.Sign() != 0 {
				subtract(row, factor, rows[r])
			}
		}
		pivot := 0
		for pivot < len(row) && row[pivot].Sign() == 0 {
			pivot++
		}
		if pivot == len(row) {
			continue
		}
		scale := new(big.Rat).Inv(row[pivot])
		for i := range row {
			row[i].Mul(row[i], scale)
		}
		for _, other := range rows {
			if factor := new(big.Rat).Set(other[pivot]); factor.Sign() != 0 {
				subtract(other, factor, row)
			}
		}
		rows, pivots = append(rows, row), append(pivots, pivot)
	}
	return rows, pivots
}

// dictionary is the programme max Σ gainⱼxⱼ, x ≥ 0, with slack variables right − row·x ≥ 0, right ≥ 0.
type dictionary struct {
	rows  [][]*big.Rat
	right []*big.Rat
	gain  []*big.Rat
	value big.Rat
}

func (d *dictionary) add(row []*big.Rat, right *big.Rat) {
	d.rows, d.right = append(d.rows, row), append(d.right, new(big.Rat).Set(right))
}

// maximise exchanges variables by Bland's rule, under which no dictionary comes back.
func (d *dictionary) maximise() *big.Rat {
	outside, inside := make([]int, len(d.gain)), make([]int, len(d.rows)) // numbers of the variables
	for j := range outside {
		outside[j] = j
	}
	for i := range inside {
		inside[i] = len(outside) + i
	}
	for {
		enter := -1
		for j, g := range d.gain {
			if g.Sign() > 0 && (enter < 0 || outside[j] < outside[enter]) {
				enter = j
			}
		}
		if enter < 0 {
			return &d.value
		}
		leave, shortest := -1, new(big.Rat)
		for i, row := range d.rows {
			if row[enter].Sign() <= 0 {
				continue
			}
			step := new(big.Rat).Quo(d.right[i], row[enter])
			if c := step.Cmp(shortest); leave < 0 || c < 0 || c == 0 && inside[i] < inside[leave] {
				leave, shortest = i, step
			}
		}
		if leave < 0 {
			panic("hinge: the programme has no bound")
		}
		d.exchange(leave, enter)
		inside[leave], outside[enter] = outside[enter], inside[leave]
	}
}

// exchange solves a row for a variable, and puts the result into the others and into the objective.
func (d *dictionary) exchange(leave, enter int) {
	row, scale := d.rows[leave], new(big.Rat).Inv(d.rows[leave][enter])
	row[enter].SetInt64(1)
	for j := range row {
		row[j].Mul(row[j], scale)
	}
	d.right[leave].Mul(d.right[leave], scale)
	var product big.Rat
	into := func(other []*big.Rat, right *big.Rat) {
		factor := new(big.Rat).Set(other[enter])
		other[enter].SetInt64(0)
		for j := range other {
			other[j].Sub(other[j], product.Mul(factor, row[j]))
		}
		right.Sub(right, product.Mul(factor, d.right[leave]))
	}
	for i, other := range d.rows {
		if i != leave && other[enter].Sign() != 0 {
			into(other, d.right[i])
		}
	}
	d.value.Neg(&d.value) // value = −(−value), which falls by the factor times the step
	into(d.gain, &d.value)
	d.value.Neg(&d.value)
}
