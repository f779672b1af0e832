package tensors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/list"
)

// Limits of what is read. NumPy writes headers of some 100 bytes and names of activations are short.
const (
	// MaxElements is the largest number of elements of all arrays of a file together.
	MaxElements = 1 << 26
	// MaxArrays is the largest number of arrays of a file.
	MaxArrays = 1 << 10

	maxHeader = 1 << 16 // bytes
	maxText   = 1 << 10 // characters of a string
)

// Array is one array of a file. Its numbers are finite; their layout in the file no longer shows.
type Array struct {
	Name  string
	DType string // "float32", "float64", "int8" … "uint64", "bool", "string" or "bytes"
	Shape []int  // extents, at most two, none of them 0; empty for a scalar

	floats []float64 // elements in row-major order, of a float array
	ints   []int64   // of an array of integers, or of booleans as 0 and 1
	text   string    // of a string
}

func (a Array) isText() bool { return a.DType == "string" || a.DType == "bytes" }

// format is the front of a file up to its first element.
type format struct {
	header
	dtype dtype
	count int   // elements
	size  int64 // bytes up to the first element
}

// readArray reads an .npy file of the given size in bytes and takes its elements from the budget. All that the header
// says is checked before memory is asked for. An error does not name the array.
func readArray(r io.Reader, size int64, budget *int) (Array, error) {
	f, err := readFormat(r)
	if err != nil {
		return Array{}, err
	}
	a := Array{DType: f.dtype.name, Shape: f.shape}
	if err := f.check(size, *budget); err != nil {
		return Array{}, err
	}
	*budget -= f.count
	if f.dtype.text() {
		b := make([]byte, f.dtype.size)
		if _, err := io.ReadFull(r, b); err != nil {
			return Array{}, damaged(err)
		}
		a.Shape = nil // check has seen that there is one element
		if a.text, err = f.dtype.string(b); err != nil {
			return Array{}, err
		}
		return a, ended(r)
	}
	if err := a.readNumbers(r, f); err != nil {
		return Array{}, err
	}
	return a, ended(r)
}

func readFormat(r io.Reader) (f format, err error) {
	var front [12]byte // magic, version and the length of the header
	version1 := front[:10]
	if _, err := io.ReadFull(r, version1); err != nil {
		return f, damaged(err)
	}
	if string(front[:6]) != magic {
		return f, errors.New("is not an .npy array: it does not begin with \\x93NUMPY")
	}
	length, size := int64(binary.LittleEndian.Uint16(front[8:])), int64(10)
	switch front[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, front[10:]); err != nil {
			return f, damaged(err)
		}
		length, size = int64(binary.LittleEndian.Uint32(front[8:])), 12
	default:
		return f, fmt.Errorf("has version %d of the .npy format, wanted 1, 2 or 3", front[6])
	}
	if length > maxHeader {
		return f, fmt.Errorf("has a header of %d bytes, wanted at most %d", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return f, damaged(err)
	}
	if f.header, err = parseHeader(string(text)); err != nil {
		return f, err
	}
	f.size = size + length
	f.dtype, err = parseDType(f.descr)
	return f, err
}

// check compares the header with the size of the file and with the elements that may still be read.
func (f *format) check(size int64, budget int) error {
	if len(f.shape) > 2 {
		return fmt.Errorf("has %d dimensions, wanted at most two: flatten it or write its slices", len(f.shape))
	}
	f.count = 1
	for _, extent := range f.shape {
		if extent == 0 {
			return fmt.Errorf("has %s, wanted at least one element", describe(f.shape))
		}
		if extent > MaxElements/f.count {
			return fmt.Errorf("has %s, wanted at most %d elements", describe(f.shape), MaxElements)
		}
		f.count *= extent
	}
	if f.count > budget {
		return fmt.Errorf("has %s, wanted at most %d elements in all arrays together", describe(f.shape), MaxElements)
	}
	if f.dtype.text() && f.count > 1 {
		return fmt.Errorf("is %d strings, wanted one", f.count)
	}
	have, want := size-f.size, int64(f.count)*int64(f.dtype.size)
	what := f.dtype.name + " of " + describe(f.shape)
	if f.dtype.text() {
		what = "a " + strings.TrimSuffix(f.dtype.name, "s")
	}
	if have < want {
		return fmt.Errorf("is cut short: it has %d bytes of data, wanted %d for %s", have, want, what)
	}
	if have > want {
		return fmt.Errorf("continues after its end: it has %d bytes of data, wanted %d for %s", have, want, what)
	}
	return nil
}

// readNumbers fills the array from the elements of a file and puts them into row-major order.
func (a *Array) readNumbers(r io.Reader, f format) error {
	if f.dtype.class == floating {
		a.floats = make([]float64, 0, f.count)
	} else {
		a.ints = make([]int64, 0, f.count)
	}
	columns := f.fortran && len(f.shape) == 2
	at := func(i int) string { // name of the element that is the i-th of the file
		if columns {
			i = i%f.shape[0]*f.shape[1] + i/f.shape[0]
		}
		return element(f.shape, i)
	}
	block := make([]byte, f.dtype.size*min(f.count, 1<<13))
	for done := 0; done < f.count; {
		b := block[:f.dtype.size*min(f.count-done, 1<<13)]
		if _, err := io.ReadFull(r, b); err != nil {
			return damaged(err)
		}
		if problem := f.dtype.decode(b, &a.floats, &a.ints); problem != "" {
			return fmt.Errorf("%s %s", at(len(a.ints)), problem)
		}
		done += len(b) / f.dtype.size
	}
	for i, x := range a.floats {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is %v, wanted finite numbers", at(i), x)
		}
	}
	if columns {
		a.floats, a.ints = transposed(a.floats, f.shape), transposed(a.ints, f.shape)
	}
	return nil
}

// transposed returns the elements of a column-major array of the given shape in row-major order.
func transposed[T any](x []T, shape []int) []T {
	if x == nil {
		return nil
	}
	rows, cols := shape[0], shape[1]
	y := make([]T, len(x))
	for i := range rows {
		for j := range cols {
			y[i*cols+j] = x[j*rows+i]
		}
	}
	return y
}

// ended checks that the reader has no more. In an archive that is where the checksum is compared.
func ended(r io.Reader) error {
	var b [1]byte
	switch n, err := io.ReadFull(r, b[:]); {
	case n > 0:
		return errors.New("goes on behind its end")
	case err != io.EOF:
		return damaged(err)
	}
	return nil
}

// damaged says why an array could not be read to its end.
func damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("is cut short: the file ends within it")
	}
	return fmt.Errorf("is damaged: %s", clip(err.Error()))
}

// describe says what an array of that shape has: "shape 4×6", "length 5" or "one element".
func describe(shape []int) string {
	switch len(shape) {
	case 0:
		return "one element"
	case 1:
		return "length " + strconv.Itoa(shape[0])
	}
	return "shape " + times(shape)
}

// times writes a shape as "4×6".
func times(shape []int) string {
	texts := list.Map(shape, strconv.Itoa)
	return strings.Join(texts, "×")
}

// element names the i-th element of an array in row-major order, as Python indexes it: "[2, 3]". It is empty for a
// scalar.
func element(shape []int, i int) string {
	switch len(shape) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("[%d]", i)
	}
	return fmt.Sprintf("[%d, %d]", i/shape[1], i%shape[1])
}

// clip shortens a text that a file supplied, for an error of one line.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}
