package tensors

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// class is the type of the elements of an array.
type class int

const (
	floating class = iota
	integer        // signed
	unsigned
	boolean
	unicode32 // one string, four bytes per character
	bytes8    // one string, one byte per character
)

// dtype is the type of the elements of an array.
type dtype struct {
	class class
	name  string // as NumPy says it, such as "float32"
	size  int    // bytes per element
	order binary.ByteOrder
}

// text reports whether an array of the dtype holds a string.
func (d dtype) text() bool { return d.class == unicode32 || d.class == bytes8 }

const accepted = "wanted float32, float64, integers, bool or one string"

// parseDType reads the dtype of a header, such as "<f8".
func parseDType(descr string) (dtype, error) {
	unknown := fmt.Errorf("has the unknown dtype %s, %s", strconv.Quote(clip(descr)), accepted)
	order, rest := binary.ByteOrder(nil), strings.TrimLeft(descr, "<>|=")
	switch {
	case len(descr)-len(rest) > 1 || rest == "":
		return dtype{}, unknown
	case descr[0] == '<':
		order = binary.LittleEndian
	case descr[0] == '>':
		order = binary.BigEndian
	}
	size, err := strconv.Atoi(rest[1:])
	switch rest[0] {
	case 'O':
		return dtype{}, fmt.Errorf("is a pickled array of Python objects, %s: give all its elements one dtype and "+
			"shape", accepted)
	case 'M', 'm':
		return dtype{}, fmt.Errorf("is a date or duration, %s", accepted)
	}
	if err != nil || size < 0 || size > maxText || strings.HasPrefix(rest[1:], "+") {
		return dtype{}, unknown
	}
	d, problem := numpyType(rest[0], size)
	switch {
	case problem != "":
		return d, fmt.Errorf("is %s, %s", problem, accepted)
	case d.name == "":
		return d, unknown
	case order == nil && (d.class == unicode32 || !d.text() && d.size > 1):
		return d, fmt.Errorf("has the dtype %q without byte order, wanted < or >", descr)
	}
	if d.order = order; order == nil {
		d.order = binary.LittleEndian // one byte: any order will do
	}
	return d, nil
}

// numpyType maps NumPy's letter and size to a dtype, or to the description of one that is refused.
func numpyType(letter byte, size int) (d dtype, refused string) {
	bits := strconv.Itoa(8 * size)
	whole := size == 1 || size == 2 || size == 4 || size == 8
	switch {
	case letter == 'f' && (size == 4 || size == 8):
		return dtype{class: floating, name: "float" + bits, size: size}, ""
	case letter == 'i' && whole:
		return dtype{class: integer, name: "int" + bits, size: size}, ""
	case letter == 'u' && whole:
		return dtype{class: unsigned, name: "uint" + bits, size: size}, ""
	case letter == 'b' && size == 1:
		return dtype{class: boolean, name: "bool", size: 1}, ""
	case letter == 'U':
		return dtype{class: unicode32, name: "string", size: 4 * size}, ""
	case letter == 'S' || letter == 'a':
		return dtype{class: bytes8, name: "bytes", size: size}, ""
	case letter == 'f':
		return d, "float" + bits
	case letter == 'c':
		return d, "complex" + bits
	case letter == 'V':
		return d, "raw data of " + strconv.Itoa(size) + " bytes an element"
	}
	return d, ""
}

// decode converts the bytes of count numbers, all of dtype d. Integers and booleans are appended to ints, floats to
// floats. An element that has no value in either is a problem at its index.
func (d dtype) decode(b []byte, floats *[]float64, ints *[]int64) (problem string) {
	for ; len(b) > 0; b = b[d.size:] {
		bits := d.bits(b)
		switch {
		case d.name == "float16":
			*floats = append(*floats, half(uint16(bits)))
		case d.name == "bfloat16":
			*floats = append(*floats, brain(uint16(bits)))
		case d.class == floating && d.size == 4:
			*floats = append(*floats, float64(math.Float32frombits(uint32(bits))))
		case d.class == floating:
			*floats = append(*floats, math.Float64frombits(bits))
		case d.class == boolean && bits > 1:
			return fmt.Sprintf("is the byte %d, wanted 0 or 1 in a bool array", bits)
		case d.class == unsigned && bits > math.MaxInt64:
			return fmt.Sprintf("is %d, wanted integers below 2⁶³", bits)
		case d.class == integer:
			shift := 64 - 8*d.size
			*ints = append(*ints, int64(bits<<shift)>>shift)
		default:
			*ints = append(*ints, int64(bits))
		}
	}
	return ""
}

func (d dtype) bits(b []byte) uint64 {
	switch d.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(d.order.Uint16(b))
	case 4:
		return uint64(d.order.Uint32(b))
	}
	return d.order.Uint64(b)
}

// string converts the bytes of one string. NumPy pads strings with zeros.
func (d dtype) string(b []byte) (string, error) {
	if d.class == bytes8 {
		text := strings.TrimRight(string(b), "\x00")
		for i := range len(text) {
			if text[i] >= 0x80 {
				return "", fmt.Errorf("has the byte %#x, wanted ASCII in a bytes string", text[i])
			}
		}
		return text, nil
	}
	var text strings.Builder
	for ; len(b) > 0; b = b[4:] {
		r := d.order.Uint32(b)
		if r > 0x10ffff || r >= 0xd800 && r < 0xe000 {
			return "", fmt.Errorf("has the character %#x, wanted Unicode", r)
		}
		text.WriteRune(rune(r))
	}
	return strings.TrimRight(text.String(), "\x00"), nil
}
