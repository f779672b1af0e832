package blaskit

import (
	"reflect"
	"strings"

	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// Interposed is a BLAS that gets the calls of the kit as the kit describes them.
type Interposed interface {
	Call(r *Routine, a *Args)
}

// Call calls the routine of a kernel, in the kernel's precision.
func (r *Routine) Call(k kernel.Kernel, a *Args) {
	var b any = k.BLAS
	if kit.PrecisionOf(k) == roundoff.Single {
		b = k.BLAS32
	}
	if other, ok := b.(Interposed); ok {
		other.Call(r, a)
		return
	}
	method := reflect.ValueOf(b).MethodByName(r.Method(k))
	var in []reflect.Value
	for i, name := range strings.Fields(r.Signature) {
		in = append(in, a.passed(name, method.Type().In(i)))
	}
	a.returned(method.Call(in))
}

// Method is gonum's name of the routine in a kernel's precision.
func (r *Routine) Method(k kernel.Kernel) string {
	letter := "D"
	if kit.PrecisionOf(k) == roundoff.Single {
		letter = "S"
	}
	if r == largest {
		return "I" + strings.ToLower(letter) + "amax"
	}
	return letter + r.Name
}

// passed is an argument as a method takes it.
func (a *Args) passed(name string, t reflect.Type) reflect.Value {
	v := a.field(name)
	switch x := v.Interface().(type) {
	case Cells:
		return reflect.ValueOf(x.Slice())
	case blas.DrotmParams:
		if t == reflect.TypeFor[blas.SrotmParams]() {
			s := blas.SrotmParams{Flag: x.Flag}
			for i, h := range x.H {
				s.H[i] = float32(h)
			}
			return reflect.ValueOf(s)
		}
	}
	return v.Convert(t)
}

// field is the argument of a name.
func (a *Args) field(name string) reflect.Value {
	return reflect.ValueOf(a).Elem().FieldByName(strings.ToUpper(name[:1]) + name[1:])
}

// returned keeps what a method returned: the numbers, and the parameters of a modified rotation.
func (a *Args) returned(out []reflect.Value) {
	a.Results = nil
	for _, v := range out {
		switch p := v.Interface().(type) {
		case blas.DrotmParams:
			a.Param = p
		case blas.SrotmParams:
			a.Param.Flag = p.Flag
			for i, h := range p.H {
				a.Param.H[i] = float64(h)
			}
		default:
			a.Results = append(a.Results, v.Convert(reflect.TypeFor[float64]()).Float())
		}
	}
}

// Result is the number that the routine returned.
func (a *Args) Result() float64 { return a.Results[0] }
