package tensors

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/thm-suite/thm/internal/strictjson"
)

// safeHeader is the longest header of a .safetensors file, in bytes: a kilobyte for each array.
const safeHeader = MaxArrays << 10

// safeTypes are the dtypes of a .safetensors file that are read.
var safeTypes = map[string]dtype{
	"F64": {floating, "float64", 8, binary.LittleEndian}, "F32": {floating, "float32", 4, binary.LittleEndian},
	"F16": {floating, "float16", 2, binary.LittleEndian}, "BF16": {floating, "bfloat16", 2, binary.LittleEndian},
	"I64": {integer, "int64", 8, binary.LittleEndian}, "I32": {integer, "int32", 4, binary.LittleEndian},
	"BOOL": {boolean, "bool", 1, binary.LittleEndian},
}

// safeEntry holds the header of a tensor.
type safeEntry struct {
	name    string
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// readSafe reads a .safetensors file: the length of a header in 8 bytes, the header in JSON, and the elements of all
// tensors without a gap.
func readSafe(path string, in io.ReaderAt, size int64, budget int) (File, error) {
	wrong := func(format string, args ...any) (File, error) {
		return File{}, fmt.Errorf("%s is a damaged .safetensors file: "+format, append([]any{show(path)}, args...)...)
	}
	var front [8]byte
	if _, err := in.ReadAt(front[:], 0); err != nil {
		return wrong("it is cut short")
	}
	length := binary.LittleEndian.Uint64(front[:])
	if length > safeHeader || int64(length) > size-8 {
		return wrong("a header of %d bytes, wanted at most %d", length, max(0, min(safeHeader, size-8)))
	}
	text := make([]byte, length)
	if _, err := in.ReadAt(text, 8); err != nil {
		return wrong("it is cut short")
	}
	var header map[string]json.RawMessage
	if err := strictjson.Decode(text, &header); err != nil {
		return wrong("its header is no JSON object: %s", clip(err.Error()))
	}
	delete(header, "__metadata__")
	if len(header) == 0 || len(header) > MaxArrays {
		return wrong("it has %d tensors, wanted 1 to %d", len(header), MaxArrays)
	}
	var entries []safeEntry
	for name, text := range header {
		e := safeEntry{name: name}
		if err := strictjson.Decode(text, &e); err != nil {
			return File{}, about(path, name, fmt.Errorf("has a damaged header: %s", clip(err.Error())))
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b safeEntry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.name, b.name))
	})
	f, at := File{Path: path}, int64(0)
	data := io.NewSectionReader(in, 8+int64(length), size-8-int64(length))
	for _, e := range entries {
		a, err := e.read(data, at, &budget)
		if err != nil {
			return File{}, about(path, e.name, err)
		}
		f.Arrays, at = append(f.Arrays, a), e.Offsets[1]
	}
	if at != data.Size() {
		return wrong("its tensors end at byte %d of %d", at, data.Size())
	}
	return f, nil
}

// read reads a tensor whose elements begin where those before it end.
func (e safeEntry) read(data *io.SectionReader, begin int64, budget *int) (Array, error) {
	f := format{header: header{shape: e.Shape}}
	var known bool
	switch f.dtype, known = safeTypes[e.DType]; {
	case !known:
		return Array{}, fmt.Errorf("has the dtype %q, wanted F64, F32, F16, BF16, I64, I32 or BOOL", clip(e.DType))
	case e.Offsets[0] != begin || e.Offsets[1] < begin || e.Offsets[1] > data.Size():
		return Array{}, fmt.Errorf("has its elements at %d to %d, wanted them from %d on and at most to %d", e.Offsets[0],
			e.Offsets[1], begin, data.Size())
	case slices.ContainsFunc(e.Shape, func(n int) bool { return n < 0 }):
		return Array{}, errors.New("has a negative extent")
	}
	size := e.Offsets[1] - begin
	if err := f.check(size, *budget); err != nil {
		return Array{}, err
	}
	*budget -= f.count
	a := Array{Name: e.name, DType: f.dtype.name, Shape: e.Shape}
	return a, a.readNumbers(bufio.NewReader(io.NewSectionReader(data, begin, size)), f)
}
