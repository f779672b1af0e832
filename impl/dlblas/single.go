package dlblas

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas"
)

// single is the BLAS of a library in single precision, gonum's blas.Float32. The functions of C follow from gonum's
// methods: options become numbers, sizes 32 bits, and slices addresses.
type single struct {
	functions map[string]reflect.Value // by gonum's names
}

var _ blas.Float32 = single{}

// singles is the interface whose methods are looked up.
var singles = reflect.TypeFor[blas.Float32]()

// bindSingle looks all routines up, by the names of cblas and then by Fortran's.
func bindSingle(h handle) single {
	s := single{map[string]reflect.Value{}}
	for i := range singles.NumMethod() {
		m := singles.Method(i)
		fn := reflect.New(functionOf(m)).Elem()
		h.bind(fn.Addr().Interface(), "cblas_"+strings.ToLower(m.Name))
		s.functions[m.Name] = fn
	}
	s.bindFortran(h)
	return s
}

// bindFortran takes the routines that are missing from Fortran's names, and forgets those that are not there either.
func (s single) bindFortran(h handle) {
	bindFortran(h, "S", func(name string) reflect.Value { return s.functions[name] })
	if s.functions["Isamax"].IsNil() {
		s.functions["Isamax"] = reflect.ValueOf(fromOne[float32](h, "isamax_"))
	}
	maps.DeleteFunc(s.functions, func(_ string, fn reflect.Value) bool { return fn.IsNil() })
}

// onMatrices reports whether a routine has a matrix, so that cblas asks for an order: it has an option, but for Sger.
func onMatrices(method string) bool {
	m, _ := singles.MethodByName(method)
	return method == "Sger" || m.Type.In(0).Kind() == reflect.Uint8
}

// functionOf is the type of the function of C for a method.
func functionOf(m reflect.Method) reflect.Type {
	switch m.Name {
	case "Srotg":
		return reflect.TypeFor[func(a, b, c, s *float32)]()
	case "Srotmg":
		return reflect.TypeFor[func(d1, d2, b1 *float32, b2 float32, p *[5]float32)]()
	}
	var in, out []reflect.Type
	if onMatrices(m.Name) {
		in = append(in, reflect.TypeFor[int32]())
	}
	for i := range m.Type.NumIn() {
		t := m.Type.In(i)
		switch t.Kind() {
		case reflect.Slice:
			t = reflect.PointerTo(t.Elem())
		case reflect.Struct:
			t = reflect.TypeFor[*[5]float32]()
		case reflect.Float32:
		default: // a size or an option
			t = reflect.TypeFor[int32]()
		}
		in = append(in, t)
	}
	for i := range m.Type.NumOut() {
		t := m.Type.Out(i)
		if t.Kind() == reflect.Int {
			t = reflect.TypeFor[uintptr]()
		}
		out = append(out, t)
	}
	return reflect.FuncOf(in, out, false)
}

// Delegated lists the routines that the library does not export and that are gonum's instead.
func (s single) Delegated() []string {
	var out []string
	for i := range singles.NumMethod() {
		if name := singles.Method(i).Name; !s.functions[name].IsValid() {
			out = append(out, name)
		}
	}
	return out
}

// call lets gonum check the arguments, and calls the library if it has the routine and there is something to do.
func (s single) call(name string, arguments ...any) []reflect.Value {
	method := reflect.ValueOf(gonums).MethodByName(name)
	in, nothing := make([]reflect.Value, len(arguments)), false
	for i, a := range arguments {
		in[i] = reflect.ValueOf(a)
	}
	fn, present := s.functions[name]
	if !present {
		return method.Call(in)
	}
	forward := slices.Contains([]string{"Snrm2", "Sasum", "Sscal", "Isamax"}, name)
	var out []reflect.Value
	if onMatrices(name) {
		out = append(out, reflect.ValueOf(int32(rowMajor)))
	}
	sizes := true // they come before the first number or slice
	for i, a := range arguments {
		switch x := a.(type) {
		case blas.Transpose:
			out = append(out, reflect.ValueOf(transposition(x)))
		case blas.Uplo:
			out = append(out, reflect.ValueOf(triangle(x)))
		case blas.Diag:
			out = append(out, reflect.ValueOf(diagonal(x)))
		case blas.Side:
			out = append(out, reflect.ValueOf(sideNumber(x)))
		case int:
			// A size that is zero leaves nothing to do, but for the length of a sum; nor does a negative increment of a
			// routine on one vector.
			inner, has := inner[name]
			nothing = nothing || sizes && x == 0 && !(has && i >= inner) || !sizes && forward && x < 0
			out = append(out, reflect.ValueOf(small(x)))
		case []float32:
			sizes = false
			out = append(out, reflect.ValueOf(at(x)))
			if !checksOnly(name) {
				in[i] = reflect.ValueOf(slices.Clone(x))
			}
		case float32:
			if checksOnly(name) && sizes {
				in[i] = reflect.ValueOf(float32(0)) // alpha
			} else if checksOnly(name) {
				in[i] = reflect.ValueOf(float32(1)) // beta
			}
			sizes = false
			out = append(out, reflect.ValueOf(x))
		case blas.SrotmParams:
			if x.Flag < blas.Identity || x.Flag > blas.Diagonal {
				panic("dlblas: illegal rotm flag")
			}
			out = append(out, reflect.ValueOf(&[5]float32{float32(x.Flag), x.H[0], x.H[1], x.H[2], x.H[3]}))
		}
	}
	if expected := method.Call(in); nothing {
		return expected
	}
	return fn.Call(out)
}

// checksOnly reports whether gonum's routine, told to add nothing, checks its arguments and returns. The others are
// asked to work on copies.
func checksOnly(method string) bool {
	return onMatrices(method) && !strings.HasPrefix(method, "Str") && !strings.HasPrefix(method, "Stb") &&
		!strings.HasPrefix(method, "Stp") || method == "Saxpy"
}

// inner is where the sizes begin that may be zero with something to do: the length of a sum, the width of a band.
var inner = map[string]int{"Sgemm": 4, "Ssyrk": 3, "Ssyr2k": 3, "Sgbmv": 3, "Ssbmv": 2, "Stbmv": 4, "Stbsv": 4}
