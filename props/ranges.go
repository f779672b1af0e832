package props

import (
	"cmp"
	"math/big"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/props/evidence"
)

// meetNumbers widens ranges by the numbers of an instance or a cell, each by the name of its field: those of exported
// fields and what these are made of; of a vector its length and norm, and of a matrix its rows, columns and norm.
func meetNumbers(out evidence.Ranges, name string, v reflect.Value) {
	meet := func(what string, x float64) {
		if finite(x) {
			out.Meet(cmp.Or(strings.TrimSpace(name+" "+what), "the number"), x)
		}
	}
	switch {
	case !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() == reflect.Interface && v.IsNil():
	case v.Type().Implements(matrix) && v.CanInterface():
		m := v.Interface().(mat.Matrix)
		if rows, cols := m.Dims(); rows > 0 && cols > 0 {
			meet("rows", float64(rows))
			meet("columns", float64(cols))
			meet("norm", mat.Norm(m, 2))
		}
	case v.Type() == rational:
		x, _ := v.Interface().(*big.Rat).Float64()
		meet("", x)
	case v.Kind() == reflect.Bool:
		meet("", float64(count(v.Bool())))
	case v.CanInt():
		meet("", float64(v.Int()))
	case v.CanUint():
		meet("", float64(v.Uint()))
	case v.CanFloat():
		meet("", v.Float())
	case v.Kind() == reflect.Slice:
		meet("length", float64(v.Len()))
		if x, ok := v.Interface().([]float64); ok && len(x) > 0 {
			meet("norm", mat.Norm(column(x), 2))
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			meetNumbers(out, name, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Anonymous && f.Type.Kind() == reflect.Struct:
				meetNumbers(out, name, v.Field(i))
			case f.IsExported():
				meetNumbers(out, strings.TrimPrefix(name+"."+fieldName(f), "."), v.Field(i))
			}
		}
	}
}

// rangesOf returns the ranges of the cells of a sweep. Of cells that only differ in their streams there is none.
func rangesOf(cells []any) evidence.Ranges {
	out, indices := evidence.Ranges{}, true
	for i, k := range cells {
		meetNumbers(out, "", reflect.ValueOf(k))
		index, ok := k.(int)
		indices = indices && ok && index == i
	}
	if indices {
		return nil
	}
	return out
}
