package props

import (
	"bytes"
	"compress/flate"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
)

// codec writes measurements down and reads them back, so that a run can go on after it was killed and its cells can be
// computed on several machines. They are compressed where that makes them smaller: a journal of all claims is else some
// hundred megabytes.
type codec struct {
	kind   reflect.Type
	encode func(any) ([]byte, error)
	decode func([]byte) (any, error)
}

// compressors are kept, since each is a megabyte and most measurements are a few numbers. The default level takes twice
// as long as the fastest one, which is a thousandth of the time that the measurements take, for 6 % fewer bytes.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is out of range
	}
	return w
}}

// decompressor reads one measurement after the other, of which a merge has some hundred thousand.
type decompressor struct {
	reader io.ReadCloser
	from   bytes.Reader
	raw    bytes.Buffer
}

var decompressors = sync.Pool{New: func() any {
	d := &decompressor{}
	d.reader = flate.NewReader(&d.from)
	return d
}}

// decompress returns bytes that stay until the next call.
func (d *decompressor) decompress(b []byte) ([]byte, error) {
	d.from.Reset(b)
	d.raw.Reset()
	if err := d.reader.(flate.Resetter).Reset(&d.from, nil); err != nil {
		return nil, err
	}
	_, err := d.raw.ReadFrom(d.reader)
	return d.raw.Bytes(), err
}

// The first byte of a measurement says in which form the others are.
const (
	asItIs byte = iota
	compressed
)

func compress(raw []byte) ([]byte, error) {
	b := bytes.NewBuffer([]byte{compressed})
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(b)
	_, err := w.Write(raw)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

func codecOf(kind reflect.Type) codec {
	return codec{
		kind: kind,
		encode: func(m any) ([]byte, error) {
			typed := reflect.New(kind).Elem()
			typed.Set(reflect.ValueOf(m))
			raw, err := appendValue([]byte{asItIs}, typed)
			if err != nil {
				return nil, err
			}
			if small, err := compress(raw[1:]); err != nil || len(small) < len(raw) {
				return small, err
			}
			return raw, nil
		},
		decode: func(b []byte) (any, error) {
			if len(b) == 0 {
				return nil, errCut
			}
			form, raw := b[0], b[1:]
			if form == compressed {
				d := decompressors.Get().(*decompressor)
				defer decompressors.Put(d)
				var err error
				if raw, err = d.decompress(raw); err != nil {
					return nil, err
				}
			}
			m, from := reflect.New(kind).Elem(), valueReader{raw}
			if err := from.value(m); err != nil || len(from.rest) > 0 {
				return nil, errors.Join(errCut, err)
			}
			return m.Interface(), nil
		},
	}
}

// valid refuses a type of which a part would be lost on paper.
func (c codec) valid() error {
	if c.kind == reflect.TypeFor[[]*tally]() {
		return nil
	}
	if at, what := loss(c.kind, nil); what != "" {
		return fmt.Errorf("a measurement must be a plain value, and %s%s %s", c.kind, at, what)
	}
	return nil
}

var marshaler = reflect.TypeFor[encoding.BinaryMarshaler]()

// loss reports what of a type does not survive encoding, and where in it that is: unexported fields, functions,
// channels and interfaces. Within are the types that this one is a part of.
func loss(t reflect.Type, within []reflect.Type) (at, what string) {
	kind := t.Kind()
	if kind <= reflect.Complex128 || kind == reflect.String || slices.Contains(within, t) || t.Implements(marshaler) ||
		reflect.PointerTo(t).Implements(marshaler) {
		return "", ""
	}
	switch kind {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return "", "is a " + kind.String()
	case reflect.Map:
		if at, what = loss(t.Key(), append(within, t)); what != "" {
			return " key" + at, what
		}
		fallthrough
	case reflect.Pointer, reflect.Slice, reflect.Array:
		if at, what = loss(t.Elem(), append(within, t)); what != "" {
			return "[]" + at, what
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() && f.Type.Size() > 0 {
				return "." + f.Name, "is not exported"
			}
			if at, what = loss(f.Type, append(within, t)); what != "" {
				return "." + f.Name + at, what
			}
		}
	}
	return "", ""
}
