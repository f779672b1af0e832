package props

import (
	"cmp"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
)

// appendValue appends a plain value: every number with all of its bits, since a merged run has those of one machine.
// Gob drops a negative zero in a struct, and CBOR and JSON what a tag of a field says.
func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	length := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	each := func(n int, at func(int) reflect.Value) (err error) {
		for i := 0; i < n && err == nil; i++ {
			b, err = appendValue(b, at(i))
		}
		return err
	}
	if m, ok := marshals[encoding.BinaryMarshaler](v); ok {
		own, err := m.MarshalBinary()
		length(len(own))
		return append(b, own...), err
	}
	var err error
	switch v.Kind() {
	case reflect.Bool:
		b = append(b, byte(count(v.Bool())))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b = binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b = binary.AppendUvarint(b, v.Uint())
	case reflect.Float32, reflect.Float64:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(real(v.Complex())))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(v.Complex())))
	case reflect.String:
		length(v.Len())
		b = append(b, v.String()...)
	case reflect.Array:
		err = each(v.Len(), v.Index)
	case reflect.Slice:
		length(v.Len() + count(!v.IsNil())) // nil and empty are two values
		err = each(v.Len(), v.Index)
	case reflect.Pointer:
		length(count(!v.IsNil()))
		if !v.IsNil() {
			b, err = appendValue(b, v.Elem())
		}
	case reflect.Struct:
		err = each(v.NumField(), v.Field)
	case reflect.Map:
		length(v.Len() + count(!v.IsNil()))
		var entries [][]byte
		for _, key := range v.MapKeys() {
			entry, e := appendValue(nil, settable(key))
			if e == nil {
				entry, e = appendValue(entry, settable(v.MapIndex(key)))
			}
			entries, err = append(entries, entry), cmp.Or(err, e)
		}
		slices.SortFunc(entries, slices.Compare) // the same map, the same bytes
		b = append(b, slices.Concat(entries...)...)
	default:
		err = fmt.Errorf("props: a %s cannot be written down", v.Kind())
	}
	return b, err
}

// settable is a copy of a value that has an address.
func settable(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// marshals is a value as something that writes or reads itself. A pointer is followed first: it may be nil.
func marshals[I any](v reflect.Value) (out I, ok bool) {
	if v.Kind() == reflect.Pointer || !v.CanAddr() || !v.Addr().CanInterface() {
		return out, false
	}
	out, ok = v.Addr().Interface().(I)
	return out, ok
}

// valueReader takes off what appendValue appended.
type valueReader struct{ rest []byte }

var errCut = errors.New("props: a measurement is cut off")

func (r *valueReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		panic(errCut)
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *valueReader) uint() uint64 {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 {
		panic(errCut)
	}
	r.take(uint64(n))
	return x
}

func (r *valueReader) int() int64 {
	x, n := binary.Varint(r.rest)
	if n <= 0 {
		panic(errCut)
	}
	r.take(uint64(n))
	return x
}

func (r *valueReader) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
}

// value reads a value into its place.
func (r *valueReader) value(v reflect.Value) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("props: a measurement cannot be read: %v", p)
		}
	}()
	r.into(v)
	return nil
}

func (r *valueReader) into(v reflect.Value) { readerOf(v.Type())(r, v) }

// A typeReader reads a value of one type into its place.
type typeReader func(r *valueReader, v reflect.Value)

// typeReaders keeps the reader of each type, since a merge reads some hundred thousand values.
var typeReaders sync.Map // reflect.Type -> typeReader

func readerOf(t reflect.Type) typeReader {
	if known, ok := typeReaders.Load(t); ok {
		return known.(typeReader)
	}
	// A type that has itself as a part finds this one.
	var made typeReader
	var once sync.Once
	later := typeReader(func(r *valueReader, v reflect.Value) {
		once.Do(func() { made = newReader(t) })
		made(r, v)
	})
	first, _ := typeReaders.LoadOrStore(t, later)
	return first.(typeReader)
}

func newReader(t reflect.Type) typeReader {
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()) {
		return (*valueReader).own
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(r *valueReader, v reflect.Value) { v.SetBool(r.take(1)[0] == 1) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(r *valueReader, v reflect.Value) { v.SetInt(r.int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(r *valueReader, v reflect.Value) { v.SetUint(r.uint()) }
	case reflect.Float32, reflect.Float64:
		return func(r *valueReader, v reflect.Value) { v.SetFloat(r.float()) }
	case reflect.Complex64, reflect.Complex128:
		return func(r *valueReader, v reflect.Value) { v.SetComplex(complex(r.float(), r.float())) }
	case reflect.String:
		return func(r *valueReader, v reflect.Value) { v.SetString(string(r.take(r.uint()))) }
	case reflect.Array:
		element := readerOf(t.Elem())
		return func(r *valueReader, v reflect.Value) {
			for i := range v.Len() {
				element(r, v.Index(i))
			}
		}
	case reflect.Slice:
		return sliceReader(t)
	case reflect.Pointer:
		to, read := t.Elem(), readerOf(t.Elem())
		return func(r *valueReader, v reflect.Value) {
			if r.uint() > 0 {
				v.Set(reflect.New(to))
				read(r, v.Elem())
			}
		}
	case reflect.Struct:
		return structReader(t)
	case reflect.Map:
		return (*valueReader).entries
	}
	return func(*valueReader, reflect.Value) { panic(errCut) }
}

// own reads a value that reads itself.
func (r *valueReader) own(v reflect.Value) {
	m, ok := marshals[encoding.BinaryUnmarshaler](v)
	if !ok {
		panic(errCut)
	}
	if err := m.UnmarshalBinary(r.take(r.uint())); err != nil {
		panic(err)
	}
}

func structReader(t reflect.Type) typeReader {
	type field struct {
		index int
		read  typeReader
	}
	var fields []field
	for i := range t.NumField() {
		if kind := t.Field(i).Type; kind.Size() > 0 {
			fields = append(fields, field{i, readerOf(kind)})
		}
	}
	return func(r *valueReader, v reflect.Value) {
		for _, f := range fields {
			f.read(r, v.Field(f.index))
		}
	}
}

// sliceReader reads a slice. Nothing is allocated for a length that the rest cannot have.
func sliceReader(t reflect.Type) typeReader {
	element, sized, floats := readerOf(t.Elem()), t.Elem().Size() > 0, t == reflect.TypeFor[[]float64]()
	return func(r *valueReader, v reflect.Value) {
		n := r.uint()
		if n == 0 {
			return
		}
		n--
		if sized && n > uint64(len(r.rest)) {
			panic(errCut)
		}
		if floats { // most of all that there is
			raw := r.take(8 * n)
			numbers := make([]float64, n)
			for i := range numbers {
				numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
			}
			v.Set(reflect.ValueOf(numbers))
			return
		}
		v.Set(reflect.MakeSlice(t, int(n), int(n)))
		for i := range int(n) {
			element(r, v.Index(i))
		}
	}
}

// entries reads a map.
func (r *valueReader) entries(v reflect.Value) {
	n := r.uint()
	if n == 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n - 1 {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.into(key)
		r.into(value)
		v.SetMapIndex(key, value)
	}
}
