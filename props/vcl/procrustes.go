package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// procrustes pairs the solution theory with the reference solver, which goes through eigenvectors and singular values.
var procrustes = props.Claim{
	Statement: &theory.Procrustes,
	Verify: []props.LegacyCheck{
		procrustesCertificate(procrustesTrial{}),
		procrustesClosedForm(procrustesTrial{}),
		procrustesGap(procrustesTrial{}),
		procrustesCurve(procrustesTrial{}),
		procrustesSecond(procrustesTrial{lost: true}),
	},
	Controls: []props.LegacyControl{
		{Name: "the factor without rotation", Assumption: "polar", Check: procrustesCertificate(procrustesTrial{rotation: noRotation})},
		{Name: "QPᵀ in place of PQᵀ", Assumption: "polar", Check: procrustesCertificate(procrustesTrial{rotation: transposedRotation})},
		{Name: "one singular vector with its sign flipped", Assumption: "polar", Check: procrustesCertificate(procrustesTrial{rotation: flippedRotation})},
		{Name: "a target of rank above m", Assumption: "feasible", Check: procrustesCertificate(procrustesTrial{infeasible: true})},
		{Name: "nearest in the spectral norm", Assumption: "frobenius", Check: procrustesSpectral()},
		{Name: "weights that have lost a direction of the target", Assumption: "rank", Check: procrustesClosedForm(procrustesTrial{lost: true})},
		{Name: "a second solution for weights of full rank", Assumption: "rank", Check: procrustesSecond(procrustesTrial{})},
		{Name: "gap without the factor 2", Check: procrustesGap(procrustesTrial{dose: -0.5})},
		{Name: "trace of G left out of the distance", Check: procrustesCertificate(procrustesTrial{noTrace: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "square-root", Check: procrustesSquareRoot()},
		{Erratum: "any-norm", Check: procrustesSpectral()},
	},
	Resolve: []props.Resolution{
		{Of: "the distance", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return procrustesCertificate(procrustesTrial{dose: dose}) }},
		{Of: "the closed form", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return procrustesClosedForm(procrustesTrial{dose: dose}) }},
		{Of: "the gap", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return procrustesGap(procrustesTrial{dose: dose}) }},
	},
}

// rotation is how a wrong version turns the factor W_s of the target.
type rotation int

const (
	polarRotation rotation = iota // the claim itself
	noRotation
	transposedRotation
	flippedRotation
)

// procrustesTrial is the version of the claim on trial. The zero value is the claim itself.
type procrustesTrial struct {
	dose       float64 // distance, closed form and gap times 1+dose
	rotation   rotation
	infeasible bool // the true shift of a layer with m < n
	lost       bool // W has a zero singular value, the target has full rank
	noTrace    bool
}

// draw makes a layer with a batch. Shapes are up to 8×8 and every batch size up to 10.
func (v procrustesTrial) draw(t *props.T) routes.Problem {
	m, n, batch := gen.Dim(t.T, "m", 8), gen.Dim(t.T, "n", 8), gen.Dim(t.T, "B", 10)
	switch {
	case v.rotation == transposedRotation || v.rotation == flippedRotation:
		m = max(m, 2)
	case v.infeasible:
		n = m + 1
	case v.lost:
		m, n = max(m, 2), max(n, 2)
	}
	r := t.Stream("entries")
	p := routes.Problem{W: gen.Gaussian(r, m, n, 1/math.Sqrt(float64(n))), Gamma: gen.Gaussian(r, m, batch, 1),
		H: gen.Gaussian(r, n, batch, 1), Rate: gen.Scale(t.T, "γ", 1e-3, 1)}
	if v.lost {
		loseDirection(p.W)
	}
	t.Show("W", p.W)
	t.Show("Γ", p.Gamma)
	t.Show("H", p.H)
	t.Show("γ", p.Rate)
	return p
}

// loseDirection makes the last row and column of W zero.
func loseDirection(w *mat.Dense) {
	m, n := w.Dims()
	for j := range n {
		w.Set(m-1, j, 0)
	}
	for i := range m {
		w.Set(i, n-1, 0)
	}
}

// solve returns the new weights and the target.
func (v procrustesTrial) solve(p routes.Problem) (next, target *mat.Dense, err error) {
	aim := routes.SGDGram
	if v.infeasible {
		aim = routes.TrueShift
	}
	target = aim.Gram(p)
	if v.rotation == polarRotation {
		step, err := routes.Full{Target: aim}.Solve(p)
		return step.W, target, err
	}
	var by, product mat.Dense
	by.Mul(p.Gamma, p.H.T())
	by.Scale(-p.Rate, &by)
	factor := new(mat.Dense)
	factor.Add(p.W, &by)
	product.Mul(p.W, factor.T())
	left, _, right, err := linalg.SVD(&product, mat.SVDThin)
	if err != nil {
		return nil, nil, err
	}
	var turn, out mat.Dense
	switch v.rotation {
	case transposedRotation:
		turn.Mul(right, left.T())
	case flippedRotation:
		flipped := mat.DenseCopyOf(left)
		for i := range flipped.RawMatrix().Rows {
			flipped.Set(i, 0, -flipped.At(i, 0))
		}
		turn.Mul(flipped, right.T())
	}
	if v.rotation == noRotation {
		return factor, target, nil
	}
	out.Mul(&turn, factor)
	return &out, target, nil
}

// procrustesCertificate is the Gram constraint, the certificate, and the distance against Bures and Wasserstein's.
func procrustesCertificate(v procrustesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "constraint, certificate and distance",
		Cases: props.Scale{Quick: 150, Standard: 400, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			p := v.draw(t)
			next, target, err := v.solve(p)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			t.Show("W₊", next)
			squared, rounding := theory.Bures(gramOf(p.W), asSymmetric(target))
			if v.noTrace {
				squared -= mat.Trace(target)
			}
			squared *= 1 + v.dose
			measured, unit := distance(next, p.W), math.Pow(mat.Norm(next, 2)+mat.Norm(p.W, 2), 2)
			t.Show("squared distance, measured and claimed", []float64{measured, squared})
			return props.Worst(
				meetsGram(next, target),
				certified(next, p.W),
				props.Within(measured-squared, rounding+100*float64(largest(p.W))*0x1p-53*unit),
			)
		},
	}.Check()
}

// largest is max(m, n).
func largest(w *mat.Dense) int {
	m, n := w.Dims()
	return max(m, n)
}

// meetsGram is ‖W₊ᵀW₊ − G‖ against 32√max(m, n)·u·‖G‖.
func meetsGram(next, target *mat.Dense) props.Ratio {
	var gram mat.Dense
	gram.Mul(next.T(), next)
	gram.Sub(&gram, target)
	return props.Within(mat.Norm(&gram, 2), 32*math.Sqrt(float64(largest(next)))*0x1p-53*mat.Norm(target, 2))
}

// certified is whether W₊Wᵀ is symmetric and positive semidefinite, to 100√max(m, n)·u‖W₊‖‖W‖.
func certified(next, w *mat.Dense) props.Ratio {
	var product, skew mat.Dense
	product.Mul(next, w.T())
	skew.Sub(&product, product.T())
	allowed := 100 * math.Sqrt(float64(largest(w))) * 0x1p-53 * mat.Norm(next, 2) * mat.Norm(w, 2)
	values, _, err := linalg.SymEigen(asSymmetric(&product), false)
	if err != nil {
		return props.Truth(false)
	}
	if mat.Norm(w, 2) == 0 { // every rotation of the factor is optimal
		return props.Ratio{}
	}
	return props.Worst(props.Within(mat.Norm(&skew, 2), allowed), props.AtMost(-values[0], 0, allowed))
}

func gramOf(w *mat.Dense) *mat.SymDense {
	var gram mat.Dense
	gram.Mul(w.T(), w)
	return asSymmetric(&gram)
}

// asSymmetric is (a + aᵀ)/2.
func asSymmetric(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, a.At(i, j)/2+a.At(j, i)/2)
		}
	}
	return s
}

// distance is ‖a − b‖²_F.
func distance(a, b *mat.Dense) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	norm := mat.Norm(&diff, 2)
	return norm * norm
}

// procrustesClosedForm compares the solver with (WGWᵀ)^{+1/2}WG. With M = W W_sᵀ the closed form takes the inverse root of MMᵀ, whose
// eigenvalues are known to 64·max(m, n)·u‖W‖²‖G‖; relative to the least of them that counts it is what the solution may err by. M has
// the singular values of WW₊ᵀ, and small ones where the rows of W and W_s are nearly orthogonal, however well conditioned
// both are.
func procrustesClosedForm(v procrustesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "closed form",
		Cases: props.Scale{Quick: 150, Standard: 400, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			p := v.draw(t)
			next, target, err := procrustesTrial{}.solve(p)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			closed := theory.Nearest(p.W, asSymmetric(target))
			closed.Scale(1+v.dose, closed)
			t.Show("W₊", next)
			t.Show("(WGWᵀ)^{+1/2}WG", closed)
			kappa := math.Pow(productCondition(p.W, next), 2)
			return props.Within(math.Sqrt(distance(closed, next)), 64*float64(largest(next))*0x1p-53*kappa*mat.Norm(next, 2))
		},
	}.Check()
}

// productCondition is ‖W‖‖W₊‖ over the smallest singular value of WW₊ᵀ that is not zero to rounding.
func productCondition(w, next *mat.Dense) float64 {
	var product mat.Dense
	product.Mul(w, next.T())
	values, err := linalg.SingularValues(&product)
	if err != nil {
		return math.NaN()
	}
	return mat.Norm(w, 2) * mat.Norm(next, 2) / values[rank(&product)-1]
}

// condition is the largest singular value over the smallest one that is not zero to rounding.
func condition(a *mat.Dense) float64 {
	values, err := linalg.SingularValues(a)
	if err != nil {
		return math.NaN()
	}
	if k := rank(a); k > 0 {
		return values[0] / values[k-1]
	}
	return 1
}

// rank counts the singular values that are not zero to rounding, 16·max(m, n)·u of the largest.
func rank(a *mat.Dense) int {
	values, err := linalg.SingularValues(a)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	count := 0
	for count < len(values) && values[count] > 16*float64(largest(a))*0x1p-53*values[0] {
		count++
	}
	return count
}
