package dlblas

import (
	"reflect"
	"slices"
	"strings"
)

// By columns, the memory of a matrix is its transpose by rows. What follows calls Fortran's routines, which store by
// columns and take all arguments by address, where gonum stores by rows: sides and triangles are exchanged, and either
// the transposition or the order of the factors.

// fortran lists the routines in common use that a library without cblas_… exports under Fortran's names: the arguments
// of cblas, and which of them Fortran's routine takes. A prime exchanges an option for the other one.
var fortran = []struct{ names, cblas, fortran string }{
	{"Dnrm2 Dasum", "n x incX", "n x incX"},
	{"Dscal", "n alpha x incX", "n alpha x incX"},
	{"Ddot Dswap Dcopy", "n x incX y incY", "n x incX y incY"},
	{"Daxpy", "n alpha x incX y incY", "n alpha x incX y incY"},
	{"Drot", "n x incX y incY c s", "n x incX y incY c s"},
	{"Dgemv", "order tA m n alpha a lda x incX beta y incY", "tA' n m alpha a lda x incX beta y incY"},
	{"Dger", "order m n alpha x incX y incY a lda", "n m alpha y incY x incX a lda"},
	{"Dsymv", "order ul n alpha a lda x incX beta y incY", "ul' n alpha a lda x incX beta y incY"},
	{"Dtrmv Dtrsv", "order ul tA d n a lda x incX", "ul' tA' d n a lda x incX"},
	{"Dgemm", "order tA tB m n k alpha a lda b ldb beta c ldc", "tB tA n m k alpha b ldb a lda beta c ldc"},
	{"Dsymm", "order side ul m n alpha a lda b ldb beta c ldc", "side' ul' n m alpha a lda b ldb beta c ldc"},
	{"Dsyrk", "order ul tA n k alpha a lda beta c ldc", "ul' tA' n k alpha a lda beta c ldc"},
	{"Dtrmm Dtrsm", "order side ul tA d m n alpha a lda b ldb", "side' ul' tA d n m alpha a lda b ldb"},
}

// options are the arguments that Fortran takes as letters. The lengths of these strings follow all arguments.
var options = []string{"side", "ul", "tA", "tB", "d"}

// letters of the numbers of cblas, and of the other one, as the transpose has it.
var (
	letters = map[int64]byte{111: 'N', 112: 'T', 113: 'C', 121: 'U', 122: 'L', 131: 'N', 132: 'U', 141: 'L', 142: 'R'}
	others  = map[int64]byte{111: 'T', 112: 'N', 113: 'N', 121: 'L', 122: 'U', 141: 'R', 142: 'L'}
)

// bindFortran takes the routines that are missing from Fortran's names, where those are there.
func (r *blasRoutines) bindFortran(h handle) {
	bindFortran(h, "D", reflect.ValueOf(r).Elem().FieldByName)
	if r.Idamax == nil {
		r.Idamax = fromOne[float64](h, "idamax_")
	}
}

// bindFortran does so for the functions of one precision, which are found by gonum's names.
func bindFortran(h handle, letter string, functions func(name string) reflect.Value) {
	for _, f := range fortran {
		for name := range strings.FieldsSeq(f.names) {
			name = letter + name[1:]
			if fn := functions(name); fn.IsNil() {
				bindArranged(h, strings.ToLower(name)+"_", fn, strings.Fields(f.cblas), strings.Fields(f.fortran))
			}
		}
	}
}

// fromOne is Fortran's routine that returns an index, which it counts from one.
func fromOne[F float32 | float64](h handle, symbol string) func(n int32, x *F, incX int32) uintptr {
	var index func(n *int32, x *F, incX *int32) int32
	if !h.bind(&index, symbol) {
		return nil
	}
	return func(n int32, x *F, incX int32) uintptr { return uintptr(index(&n, x, &incX) - 1) }
}

// bindArranged makes fn, which takes the arguments from, call a symbol that takes the arguments to, all by address.
func bindArranged(h handle, symbol string, fn reflect.Value, from, to []string) {
	type argument struct {
		index  int            // in from
		letter map[int64]byte // of an option
	}
	var arguments []argument
	var types, lengths []reflect.Type
	for _, name := range to {
		name, exchanged := strings.CutSuffix(name, "'")
		a := argument{index: slices.Index(from, name)}
		t := fn.Type().In(a.index)
		switch {
		case slices.Contains(options, name):
			a.letter = letters
			if exchanged {
				a.letter = others
			}
			t, lengths = reflect.TypeFor[*byte](), append(lengths, reflect.TypeFor[uintptr]())
		case t.Kind() != reflect.Pointer:
			t = reflect.PointerTo(t)
		}
		arguments, types = append(arguments, a), append(types, t)
	}
	var results []reflect.Type
	if fn.Type().NumOut() == 1 {
		results = []reflect.Type{fn.Type().Out(0)}
	}
	routine := reflect.New(reflect.FuncOf(append(types, lengths...), results, false))
	if !h.bind(routine.Interface(), symbol) {
		return
	}
	fn.Set(reflect.MakeFunc(fn.Type(), func(values []reflect.Value) []reflect.Value {
		var in []reflect.Value
		for _, a := range arguments {
			v := values[a.index]
			if a.letter != nil {
				v = reflect.ValueOf(a.letter[v.Int()])
			}
			if v.Kind() != reflect.Pointer {
				address := reflect.New(v.Type())
				address.Elem().Set(v)
				v = address
			}
			in = append(in, v)
		}
		for range lengths {
			in = append(in, reflect.ValueOf(uintptr(1)))
		}
		return routine.Elem().Call(in)
	}))
}
