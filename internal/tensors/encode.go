package tensors

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/atomicfile"
)

// Encode writes a struct, or what a pointer to one points to, as an .npz archive: every field with a tag such as
// npy:"W" becomes the array W, of float64, int64, bool or a string, in the order of the fields. The file appears at
// once and whole. Equal structs give equal bytes, and [Decode] gives back the same bits.
//
// What [Read] would refuse is an error and writes nothing: NaN, matrices and vectors without elements, strings that
// are no UTF-8. It panics if the struct has a tag on a field of another type.
func Encode(path string, src any) error {
	if filepath.Ext(path) != ".npz" {
		return fmt.Errorf("%s: wanted a name that ends in .npz", show(path))
	}
	b, err := encode(path, src)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, b)
}

// encode returns the archive that [Encode] writes.
func encode(path string, src any) ([]byte, error) {
	v := reflect.ValueOf(src)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	var b bytes.Buffer
	archive, budget := zip.NewWriter(&b), MaxElements
	for _, m := range members(v) {
		shape, err := m.shape()
		if budget -= product(shape); err == nil && budget < 0 {
			err = fmt.Errorf("has %s, wanted at most %d elements in all arrays together", describe(shape), MaxElements)
		}
		if err != nil {
			return nil, about(path, m.name, err)
		}
		descr, data, err := m.bytes(shape)
		if err != nil {
			return nil, about(path, m.name, err)
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: m.name + ".npy", Method: zip.Store})
		if err == nil {
			_, err = w.Write(append(npyHeader(descr, shape), data...))
		}
		if err != nil {
			return nil, about(path, m.name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", show(path), err)
	}
	return b.Bytes(), nil
}

// npyHeader is the front of an .npy file of version 1.0, padded to 64 bytes as NumPy does.
func npyHeader(descr string, shape []int) []byte {
	var tuple strings.Builder
	for _, extent := range shape {
		fmt.Fprintf(&tuple, "%d, ", extent)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr,
		strings.TrimSuffix(tuple.String(), " "))
	const front, block = 10, 64
	text += strings.Repeat(" ", block-1-(front+len(text))%block) + "\n"
	b := append([]byte(magic), 1, 0)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(text))), text...)
}

func product(shape []int) int {
	n := 1
	for _, extent := range shape {
		n *= extent
	}
	return n
}

// shape returns the extents of a field, none for a scalar.
func (m member) shape() ([]int, error) {
	switch m.kind {
	case matrix:
		if a := m.value.Interface().(*mat.Dense); a != nil && !a.IsEmpty() {
			rows, cols := a.Dims()
			return []int{rows, cols}, nil
		}
	case vector:
		if m.value.Len() > 0 {
			return []int{m.value.Len()}, nil
		}
	default:
		return nil, nil
	}
	return nil, errors.New("is empty, wanted at least one element")
}

// bytes returns the dtype and the elements of a field of that shape.
func (m member) bytes(shape []int) (descr string, data []byte, err error) {
	v := m.value
	switch m.kind {
	case matrix:
		a := v.Interface().(*mat.Dense)
		data = make([]byte, 0, 8*product(shape))
		for i := range shape[0] {
			if data, err = appendFloats(data, a.RawRowView(i), shape, i*shape[1]); err != nil {
				return "", nil, err
			}
		}
		return "<f8", data, nil
	case vector:
		data, err = appendFloats(nil, v.Convert(reflect.TypeFor[[]float64]()).Interface().([]float64), shape, 0)
		return "<f8", data, err
	case real64:
		data, err = appendFloats(nil, []float64{v.Float()}, shape, 0)
		return "<f8", data, err
	case whole:
		return "<i8", binary.LittleEndian.AppendUint64(nil, uint64(v.Int())), nil
	case truth:
		data = []byte{0}
		if v.Bool() {
			data[0] = 1
		}
		return "|b1", data, nil
	}
	return textBytes(v.String())
}

// appendFloats appends the elements of an array of that shape, beginning with the given one.
func appendFloats(data []byte, x []float64, shape []int, first int) ([]byte, error) {
	for i, value := range x {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, fmt.Errorf("%s is %v, wanted finite numbers", element(shape, first+i), value)
		}
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(value))
	}
	return data, nil
}

func textBytes(text string) (descr string, data []byte, err error) {
	count := utf8.RuneCountInString(text)
	switch {
	case !utf8.ValidString(text) || strings.HasSuffix(text, "\x00"):
		return "", nil, fmt.Errorf("is the string %q, wanted UTF-8 that does not end in a zero", clip(text))
	case count > maxText:
		return "", nil, fmt.Errorf("is a string of %d characters, wanted at most %d", count, maxText)
	}
	for _, r := range text {
		data = binary.LittleEndian.AppendUint32(data, uint32(r))
	}
	if count == 0 { // NumPy has strings of length 1 and more
		return "<U1", make([]byte, 4), nil
	}
	return fmt.Sprintf("<U%d", count), data, nil
}
