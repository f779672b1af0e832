package tensors

import (
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Field is an array that is wanted of a file.
type Field struct {
	Name    string   // of the array
	Shape   string   // symbolic, such as "m×n", "n", "1×n", "n+1", "ck²×N"; empty for a scalar
	Meaning string   // for error messages and for the template
	Integer bool     // all elements are whole numbers
	Choices []string // a string, one of these
}

// Valid says why a field cannot be used: it has no name, or its shape is not understood.
func (f Field) Valid() error {
	shape, err := parseShape(f.Shape)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s has %q", errShape, f.Name, f.Shape)
	case f.Name == "":
		return fmt.Errorf("tensors: a field has no name")
	case len(f.Choices) > 0 && (len(shape) > 0 || f.Integer):
		return fmt.Errorf("tensors: %s has choices and is not a string", f.Name)
	}
	return nil
}

// extents returns the parsed shape of a valid field.
func (f Field) extents() []extent {
	if err := f.Valid(); err != nil {
		panic(err.Error())
	}
	shape, _ := parseShape(f.Shape)
	return shape
}

// kind is the type of value that a field of a struct holds.
type kind int

const (
	matrix kind = iota
	vector
	real64
	whole
	truth
	name
)

var denseType = reflect.TypeFor[*mat.Dense]()

// kindOf returns the kind of a type that can be decoded.
func kindOf(t reflect.Type) (kind, bool) {
	switch {
	case t == denseType:
		return matrix, true
	case t.Kind() == reflect.Slice && t.Elem() == reflect.TypeFor[float64]():
		return vector, true
	}
	k, ok := map[reflect.Kind]kind{reflect.Float64: real64, reflect.Int: whole, reflect.Bool: truth,
		reflect.String: name}[t.Kind()]
	return k, ok
}

// rank is the number of dimensions of a kind.
func (k kind) rank() int { return max(0, 2-int(k)) }

// member is a field of a struct that has a tag npy.
type member struct {
	name  string
	kind  kind
	value reflect.Value
}

// members lists the tagged fields of a struct and of the structs embedded in it, in their order. It panics if v is no
// struct, a tag stands on a field that is not exported or of another type, or a name comes twice.
func members(v reflect.Value) []member {
	if v.Kind() != reflect.Struct {
		panic("tensors: wanted a struct, or a pointer to one, whose fields have tags npy")
	}
	var list []member
	for i := range v.NumField() {
		field := v.Type().Field(i)
		tag, tagged := field.Tag.Lookup("npy")
		if !tagged && field.Anonymous && field.Type.Kind() == reflect.Struct {
			list = append(list, members(v.Field(i))...)
		}
		if !tagged {
			continue
		}
		k, ok := kindOf(field.Type)
		if !ok || !field.IsExported() || tag == "" {
			panic("tensors: a tag npy needs a name and an exported field of *mat.Dense, []float64, float64, int, " +
				"bool or string")
		}
		list = append(list, member{tag, k, v.Field(i)})
	}
	for i, m := range list {
		if slices.ContainsFunc(list[:i], func(other member) bool { return other.name == m.name }) {
			panic("tensors: two fields have the same tag npy")
		}
	}
	return list
}
