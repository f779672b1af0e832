package data

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// encodeIDX is the inverse of ReadIDX.
func encodeIDX(dims []int, entries []byte) []byte {
	b := []byte{0, 0, 8, byte(len(dims))}
	for _, n := range dims {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return append(b, entries...)
}

func zipped(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestReadIDX(t *testing.T) {
	whole := encodeIDX([]int{2, 1, 3}, []byte{1, 2, 3, 4, 5, 6})
	for _, b := range [][]byte{whole, zipped(t, whole)} {
		x, err := ReadIDX(bytes.NewReader(b))
		require.NoError(t, err)
		require.Equal(t, &IDX{[]int{2, 1, 3}, []byte{1, 2, 3, 4, 5, 6}}, x)
	}
}

func TestReadIDXRefuses(t *testing.T) {
	whole := encodeIDX([]int{2, 3}, []byte{1, 2, 3, 4, 5, 6})
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"nothing":       {nil, "IDX header: unexpected EOF"},
		"text":          {[]byte("<html>"), "not an IDX file: it begins with 3c 68 74 6d"},
		"no dimensions": {[]byte{0, 0, 8, 0}, "not an IDX file"},
		"floats":        {[]byte{0, 0, 0x0d, 1, 0, 0, 0, 0}, "IDX element type 0x0d"},
		"half a header": {whole[:9], "IDX sizes: unexpected EOF"},
		"too short":     {whole[:len(whole)-1], "IDX file has 5 entries, its header says 6"},
		"too long":      {append(append([]byte{}, whole...), 7), "more than the 6 entries of its header"},
		"huge":          {encodeIDX([]int{1 << 16, 1 << 16}, nil), "multiply to more than"},
		"overflowing":   {encodeIDX([]int{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1}, nil), "multiply to more than"},
		"torn gzip":     {zipped(t, whole)[:12], "unexpected EOF"},
	} {
		_, err := ReadIDX(bytes.NewReader(c.b))
		require.ErrorContains(t, err, c.want, name)
	}
}

func FuzzReadIDX(f *testing.F) {
	whole := encodeIDX([]int{2, 3}, []byte{1, 2, 3, 4, 5, 6})
	f.Add(whole)
	f.Add(whole[:11])
	f.Add(zipped(f, whole))
	f.Add(encodeIDX([]int{0, 4}, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ReadIDX(bytes.NewReader(b))
		if err != nil {
			require.Nil(t, x)
			return
		}
		size := 1
		for _, n := range x.Dims {
			size *= n
		}
		require.Len(t, x.Bytes, size)
		again, err := ReadIDX(bytes.NewReader(encodeIDX(x.Dims, x.Bytes)))
		require.NoError(t, err)
		require.Equal(t, x.Dims, again.Dims)
		require.True(t, bytes.Equal(x.Bytes, again.Bytes))
	})
}
