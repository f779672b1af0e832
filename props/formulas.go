package props

import (
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// The closed forms of a claim are the functions and numbers in its C. Here they are listed and made wrong, whatever
// their types: numbers, vectors and matrices, rationals, structs of these, and functions that return any of these.

// formulas names the closed forms of what is claimed that can be multiplied by a factor.
func formulas(claim any) []string {
	var names []string
	walk(place(claim), "", func(name string, _ reflect.Value) { names = append(names, name) })
	return names
}

// mistaken returns what is claimed with one closed form mistaken.
func mistaken(claim any, formula string, m mistake) any {
	wrong := place(claim)
	walk(wrong, "", func(name string, v reflect.Value) {
		if name == formula {
			v.Set(m.of(v))
		}
	})
	return wrong.Interface()
}

// place returns a copy of a value that can be changed.
func place(value any) reflect.Value {
	v := reflect.New(reflect.TypeOf(value)).Elem()
	v.Set(reflect.ValueOf(value))
	return v
}

// mistake perturbs numbers: each is multiplied by 1+ε. An uneven one does so to every other number and divides the
// rest, and makes ε of 0: a factor that all numbers share does not matter where they are compared with each other, and
// none matters to what vanishes.
type mistake struct {
	epsilon float64
	uneven  bool
	numbers *int // so far
}

func (m mistake) number(x float64) float64 {
	*m.numbers++
	factor := 1 + m.epsilon
	if m.uneven && x == 0 {
		x, factor = 1, m.epsilon
	}
	if m.uneven && *m.numbers%2 == 0 {
		return x / factor
	}
	return x * factor
}

// walk visits the closed forms below v, which is addressable.
func walk(v reflect.Value, name string, visit func(string, reflect.Value)) {
	switch {
	case v.Kind() == reflect.Struct && !v.Type().Implements(matrix):
		for i := range v.NumField() {
			walk(own(v.Field(i)), join(name, v.Type().Field(i).Name), visit)
		}
	case scalable(v.Type()) && !(v.Kind() == reflect.Func && v.IsNil()):
		visit(join(name), v)
	}
}

func join(parts ...string) string {
	out := ""
	for _, p := range parts {
		if out != "" && p != "" {
			out += "."
		}
		out += p
	}
	if out == "" {
		out = "the closed form"
	}
	return out
}

var matrix, rational = reflect.TypeFor[mat.Matrix](), reflect.TypeFor[*big.Rat]()

// scalable reports whether values of a type can be multiplied.
func scalable(t reflect.Type) bool {
	if t.Implements(matrix) {
		return t == matrix || t == reflect.TypeFor[*mat.Dense]() || t == reflect.TypeFor[*mat.SymDense]() ||
			t == reflect.TypeFor[*mat.VecDense]()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return t == rational
	case reflect.Float64:
		return true
	case reflect.Slice, reflect.Array:
		return scalable(t.Elem())
	case reflect.Func:
		for i := range t.NumOut() {
			if scalable(t.Out(i)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if scalable(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// of returns a mistaken value of a type that is scalable, and of any other the value itself.
func (m mistake) of(v reflect.Value) reflect.Value {
	t := v.Type()
	if !scalable(t) {
		return v
	}
	out := reflect.New(t).Elem()
	out.Set(v)
	switch {
	case t.Implements(matrix):
		if right, ok := v.Interface().(mat.Matrix); ok && !reflect.ValueOf(right).IsNil() {
			out.Set(reflect.ValueOf(m.matrix(right)))
		}
	case t == rational && !v.IsNil():
		out.Set(reflect.ValueOf(m.rational(v.Interface().(*big.Rat))))
	case t.Kind() == reflect.Float64:
		out.SetFloat(m.number(v.Float()))
	case t.Kind() == reflect.Slice:
		out.Set(reflect.MakeSlice(t, v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(m.of(v.Index(i)))
		}
		if v.IsNil() {
			out.SetZero()
		}
	case t.Kind() == reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(m.of(v.Index(i)))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := own(out.Field(i))
			f.Set(m.of(f))
		}
	case t.Kind() == reflect.Func && !v.IsNil():
		right := reflect.ValueOf(v.Interface()) // v is a place that will hold what is wrong
		out.Set(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			call := right.Call
			if t.IsVariadic() {
				call = right.CallSlice
			}
			results := call(args)
			for i, r := range results {
				results[i] = m.of(r)
			}
			return results
		}))
	}
	return out
}

func (m mistake) rational(right *big.Rat) *big.Rat {
	if right.Sign() == 0 {
		return new(big.Rat).SetFloat64(m.number(0))
	}
	factor := new(big.Rat).SetFloat64(m.number(1))
	return factor.Mul(factor, right)
}

// matrix multiplies all entries alike: the two shapes of a wrong matrix are for [matrixPerturbation].
func (m mistake) matrix(right mat.Matrix) mat.Matrix {
	factor := m.number(1)
	switch right := right.(type) {
	case *mat.SymDense:
		var out mat.SymDense
		out.ScaleSym(factor, right)
		return &out
	case *mat.VecDense:
		var out mat.VecDense
		out.ScaleVec(factor, right)
		return &out
	}
	var out mat.Dense
	out.Scale(factor, right)
	return &out
}

const mistakenBy, unevenly = " is wrong by ", " unevenly"

// version names the version of a claim with a closed form mistaken.
func (m mistake) version(formula string) string {
	name := formula + mistakenBy + strconv.FormatFloat(m.epsilon, 'g', -1, 64)
	if m.uneven {
		name += unevenly
	}
	return name
}

// refuteMistake recovers from a panic of a judge that was handed a mistake: it would be seen.
func refuteMistake(r *Record, version string) {
	if !strings.Contains(version, mistakenBy) {
		return
	}
	if p := recover(); p != nil {
		r.Holds("what is claimed can be judged", false)
	}
}

// versionOf returns the claim in a version: the claim itself, unless [mistake.version] has made the version's name.
func versionOf(claim any, version string) any {
	formula, by, found := strings.Cut(version, mistakenBy)
	if !found {
		return claim
	}
	by, uneven := strings.CutSuffix(by, unevenly)
	epsilon, err := strconv.ParseFloat(by, 64)
	if err != nil {
		return claim // a control that somebody has given such a name
	}
	return mistaken(claim, formula, mistake{epsilon, uneven, new(int)})
}
