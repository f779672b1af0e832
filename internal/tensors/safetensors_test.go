package tensors

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// safetensors is a file with that header and so many bytes of data, which are 0, 1, 2, ….
func safetensors(header string, size int) []byte {
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	for i := range size {
		b = append(b, byte(i))
	}
	return b
}

// TestReadSafetensors reads what the library safetensors of Python would write, of each dtype.
func TestReadSafetensors(t *testing.T) {
	const header = `{"__metadata__":{"format":"pt"},` +
		`"step":{"dtype":"F32","shape":[],"data_offsets":[0,4]},` +
		`"h":{"dtype":"F16","shape":[2],"data_offsets":[16,20]},` +
		`"b":{"dtype":"BF16","shape":[1,2],"data_offsets":[20,24]},` +
		`"W":{"dtype":"F64","shape":[1,1],"data_offsets":[8,16]},` +
		`"n":{"dtype":"I32","shape":[1],"data_offsets":[4,8]}}  `
	b := safetensors(header, 0)
	for _, part := range [][]byte{{0, 0, 0, 0x3f}, {7, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 4, 0xc0}, {0, 0x3c, 1, 0},
		{0x80, 0x3f, 0, 0xc0}} {
		b = append(b, part...)
	}
	path := filepath.Join(t.TempDir(), "model.safetensors")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	f, err := Read(path)
	require.NoError(t, err)
	require.Equal(t, []Array{
		{Name: "step", DType: "float32", Shape: []int{}, floats: []float64{0.5}},
		{Name: "n", DType: "int32", Shape: []int{1}, ints: []int64{7}},
		{Name: "W", DType: "float64", Shape: []int{1, 1}, floats: []float64{-2.5}},
		{Name: "h", DType: "float16", Shape: []int{2}, floats: []float64{1, 0x1p-24}},
		{Name: "b", DType: "bfloat16", Shape: []int{1, 2}, floats: []float64{1, -2}},
	}, f.Arrays)
	require.Equal(t, 0x1p-8, f.Unit())
	for n := range b {
		_, err := readBytes(b[:n])
		require.Error(t, err, n)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestSafetensorsThatLie(t *testing.T) {
	const w = `{"W":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`
	const damaged = "f is a damaged .safetensors file: "
	for _, c := range []struct{ header, want string }{
		{w + "} 1", damaged + "its header is no JSON object: something follows the JSON value"},
		{"{}", damaged + "it has 0 tensors, wanted 1 to 1024"},
		{`{"W":1}`, "f: W has a damaged header: json: cannot unmarshal number into Go va…"},
		{`{"W":{"dtype":"F8","shape":[2],"data_offsets":[0,8]}}`,
			`f: W has the dtype "F8", wanted F64, F32, F16, BF16, I64, I32 or BOOL`},
		{w + `,"V":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, // laid over each other
			"f: W has its elements at 0 to 8, wanted them from 8 on and at most to 8"},
		{`{"W":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`,
			"f: W has its elements at 4 to 8, wanted them from 0 on and at most to 8"},
		{`{"W":{"dtype":"F32","shape":[2],"data_offsets":[0,9223372036854775807]}}`,
			"f: W has its elements at 0 to 9223372036854775807, wanted them from 0 on and at most to 8"},
		{`{"W":{"dtype":"F32","shape":[67108864,67108864],"data_offsets":[0,8]}}`,
			"f: W has shape 67108864×67108864, wanted at most 67108864 elements"},
		{`{"W":{"dtype":"F32","shape":[-2,-1],"data_offsets":[0,8]}}`, "f: W has a negative extent"},
		{`{"W":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`,
			"f: W is cut short: it has 8 bytes of data, wanted 12 for float32 of length 3"},
		{`{"W":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, damaged + "its tensors end at byte 4 of 8"},
	} {
		_, err := readBytes(safetensors(c.header, 8))
		require.EqualError(t, err, c.want, c.header)
	}
	nan := append(safetensors(w+"}", 4), 0, 0, 0xc0, 0x7f)
	_, err := readBytes(nan)
	require.EqualError(t, err, "f: W[1] is NaN, wanted finite numbers")
	_, err = readBytes(append([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), w...))
	require.ErrorContains(t, err, "a header of 18446744073709551615 bytes, wanted at most ")
}
