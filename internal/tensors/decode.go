package tensors

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
)

// Decode fills the struct that dst points to from the arrays of a file. Fields with a tag such as npy:"W" receive the
// array of that name; they are *mat.Dense for a shape of two extents, []float64 for one, float64, int, bool or string
// for a scalar, or named types of these. The tags and the names of params are the same set. The letters of all shapes
// are bound together; a scalar of whole numbers whose name is a letter binds it.
//
// The file must hold the arrays of params and no others. A vector may come as n×1 or 1×n, a matrix of shape 1×n or n×1
// as a vector, and a scalar as an array of one element. The error has a line per problem, each naming the file and the
// array, and dst is then unchanged. Decode shares no memory with the file.
//
// It panics if dst and params do not belong together.
func Decode(file File, dst any, params []Field) error {
	target := reflect.ValueOf(dst)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		panic("tensors: Decode wants a pointer to a struct")
	}
	slots := pair(members(target.Elem()), params)
	problems := map[string]string{}
	for i := range slots {
		slots[i].array, slots[i].found = file.Array(slots[i].Name)
		if problem := slots[i].problem(file); problem != "" {
			problems[slots[i].Name] = problem
		}
	}
	var arrays []shaped
	known := bindings{}
	for _, s := range slots {
		if _, wrong := problems[s.Name]; wrong {
			continue
		}
		if len(s.want) > 0 {
			shape, _ := s.array.as(s.want)
			arrays = append(arrays, shaped{s.Name, shape, s.want})
		} else if value, ok := s.whole(); ok {
			known[s.Name] = binding{value: value}
		}
	}
	for name, problem := range bind(arrays, known) {
		problems[name] = problem
	}
	if err := report(file, slots, problems); err != nil {
		return err
	}
	for _, s := range slots {
		s.store()
	}
	return nil
}

// slot is a field of the struct, what is wanted of it and what the file holds.
type slot struct {
	Field
	member member
	want   []extent
	array  Array
	found  bool
}

// pair finds the field of the struct for every param.
func pair(list []member, params []Field) []slot {
	if len(list) != len(params) {
		panic("tensors: the tags npy of the struct and the params are not the same names")
	}
	slots := make([]slot, len(params))
	for i, p := range params {
		at := slices.IndexFunc(list, func(m member) bool { return m.name == p.Name })
		if at < 0 || slices.ContainsFunc(params[:i], func(other Field) bool { return other.Name == p.Name }) {
			panic("tensors: the tags npy of the struct and the params are not the same names")
		}
		slots[i] = slot{Field: p, member: list[at], want: p.extents()}
		if k := list[at].kind; k.rank() != len(slots[i].want) || len(p.Choices) > 0 && k != name {
			panic("tensors: the type of field " + p.Name + " does not fit its shape or its choices")
		}
	}
	return slots
}

// report joins the problems in the order of the params, and the arrays that are not wanted.
func report(file File, slots []slot, problems map[string]string) error {
	var lines []error
	var names []string
	for _, s := range slots {
		names = append(names, s.Name)
		if problem, ok := problems[s.Name]; ok {
			lines = append(lines, fmt.Errorf("%s: %s", show(file.Path), problem))
		}
	}
	for _, a := range file.Arrays {
		if !slices.Contains(names, a.Name) {
			lines = append(lines, fmt.Errorf("%s: %s is not wanted: the arrays are %s",
				show(file.Path), show(a.Name), strings.Join(names, ", ")))
		}
	}
	return errors.Join(lines...)
}

// problem says what is wrong with the array apart from its extents.
func (s slot) problem(file File) string {
	if !s.found {
		return s.missing(file)
	}
	is := fmt.Sprintf("%s is %s", s.Name, s.array.DType)
	switch k := s.member.kind; {
	case k == name && !s.array.isText():
		return is + ", wanted " + s.wanted()
	case k != name && s.array.isText():
		return fmt.Sprintf("%s is the string %q, wanted %s", s.Name, clip(s.array.text), s.wanted())
	case k != name && (k == truth) != (s.array.DType == "bool"):
		return is + ", wanted " + s.wanted()
	}
	if _, ok := s.array.as(s.want); !ok {
		return fmt.Sprintf("%s has %s, wanted %s", s.Name, describe(s.array.Shape), s.wanted())
	}
	if s.member.kind == name {
		if len(s.Choices) > 0 && !slices.Contains(s.Choices, s.array.text) {
			return fmt.Sprintf("%s is %q, wanted %s", s.Name, clip(s.array.text), s.wanted())
		}
		return ""
	}
	return s.numbers()
}

func (s slot) missing(file File) string {
	problem := fmt.Sprintf("%s is missing, wanted %s", s.Name, s.wanted())
	if s.Meaning != "" {
		problem += ": " + s.Meaning
	}
	for _, a := range file.Arrays {
		if strings.EqualFold(a.Name, s.Name) {
			problem += fmt.Sprintf(" (rename %s)", show(a.Name))
		}
	}
	return problem
}

// numbers says which element has no value in the type of the field.
func (s slot) numbers() string {
	a, k := s.array, s.member.kind
	for i, x := range a.floats {
		if (s.Integer || k == whole) && x != math.Trunc(x) {
			return fmt.Sprintf("%s%s is %v, wanted whole numbers", s.Name, element(a.Shape, i), x)
		}
		if k == whole && !(x >= math.MinInt && x < -math.MinInt) {
			return fmt.Sprintf("%s is %v, wanted one whole number of %d bits", s.Name, x, strconv.IntSize)
		}
	}
	for i, x := range a.ints {
		if k == whole && int64(int(x)) != x {
			return fmt.Sprintf("%s is %d, wanted one whole number of %d bits", s.Name, x, strconv.IntSize)
		}
		const exact = 1 << 53
		if k != whole && k != truth && (x > exact || x < -exact) {
			return fmt.Sprintf("%s%s is %d, wanted at most 2⁵³ in size: float64 does not hold it",
				s.Name, element(a.Shape, i), x)
		}
	}
	return ""
}

// wanted says what the file should hold, apart from the extents of other arrays.
func (s slot) wanted() string {
	what := "numbers"
	if s.Integer {
		what = "whole numbers"
	}
	switch s.member.kind {
	case matrix:
		return what + " of shape " + s.Shape
	case vector:
		return what + " of length " + s.Shape
	case real64:
		return "one " + strings.TrimSuffix(what, "s")
	case whole:
		return "one whole number"
	case truth:
		return "True or False"
	}
	if len(s.Choices) > 0 {
		return "one of " + strings.Join(s.Choices, ", ")
	}
	return "a string"
}

// as returns the extents of the array if it is read as one of the wanted number of dimensions.
func (a Array) as(want []extent) (shape []int, ok bool) {
	shape = a.Shape
	one := func(e extent) bool { return e.op == 'n' && e.value == 1 }
	switch {
	case len(want) == len(shape):
		return shape, true
	case len(want) == 0:
		return nil, len(shape) == 1 && shape[0] == 1 || len(shape) == 2 && shape[0] == 1 && shape[1] == 1
	case len(want) == 1 && len(shape) == 2 && shape[1] == 1:
		return shape[:1], true
	case len(want) == 1 && len(shape) == 2 && shape[0] == 1:
		return shape[1:], true
	case len(want) == 2 && len(shape) == 1 && one(want[0]):
		return []int{1, shape[0]}, true
	case len(want) == 2 && len(shape) == 1 && one(want[1]):
		return []int{shape[0], 1}, true
	}
	return nil, false
}

// whole returns the value of a scalar of whole numbers that can be an extent.
func (s slot) whole() (int, bool) {
	if s.member.kind != whole && !(s.Integer && s.member.kind == real64) {
		return 0, false
	}
	value := s.array.numbers()[0]
	return int(value), value >= 0 && value <= MaxElements
}

// numbers returns the elements as float64, in row-major order and in memory of their own.
func (a Array) numbers() []float64 {
	if a.floats != nil {
		return slices.Clone(a.floats)
	}
	return list.Map(a.ints, func(n int64) float64 { return float64(n) })
}

// store sets the field of the struct. Everything has been checked.
func (s slot) store() {
	v, a := s.member.value, s.array
	switch s.member.kind {
	case matrix:
		shape, _ := a.as(s.want)
		v.Set(reflect.ValueOf(mat.NewDense(shape[0], shape[1], a.numbers())))
	case vector:
		v.Set(reflect.ValueOf(a.numbers()).Convert(v.Type()))
	case real64:
		v.SetFloat(a.numbers()[0])
	case whole:
		if a.floats != nil {
			v.SetInt(int64(a.floats[0]))
		} else {
			v.SetInt(a.ints[0])
		}
	case truth:
		v.SetBool(a.ints[0] == 1)
	case name:
		v.SetString(a.text)
	}
}
