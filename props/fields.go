package props

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// fieldsOf lists the exported fields of an instance that a reader can read: numbers, names, vectors and matrices. A
// field is called by its tag `npy`, the parameter of the statement that it is, or else by its own name.
func fieldsOf(in any) []shown {
	v := reflect.ValueOf(in)
	if v.Kind() != reflect.Struct {
		return []shown{{"instance", in}}
	}
	var out []shown
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if value, ok := readable(v.Field(i)); ok {
			out = append(out, shown{fieldName(f), value})
		}
	}
	return out
}

func fieldName(f reflect.StructField) string {
	if name := f.Tag.Get("npy"); name != "" {
		return name
	}
	return f.Name
}

// readable returns the value of a field that prints well.
func readable(v reflect.Value) (any, bool) {
	if v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() == reflect.Interface && v.IsNil() {
		return nil, false
	}
	switch value := v.Interface().(type) {
	case mat.Matrix, []float64, fmt.Stringer:
		return value, true
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.String:
		return v.Interface(), true
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Int, reflect.Float64, reflect.String, reflect.Bool:
			return v.Interface(), true
		}
	}
	return nil, false
}
