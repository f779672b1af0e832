package tensors

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fixture reads a file that testdata/make.py wrote with NumPy or PyTorch.
func fixture(t testing.TB, name string) File {
	f, err := Read(filepath.Join("testdata", name))
	require.NoError(t, err)
	return f
}

// kinds gives the type and the element i of the 4×6 arrays in matrices.npz, by the name of the array up to an
// underscore.
var kinds = map[string]struct {
	dtype string
	value func(i int) float64
}{
	"f4":   {"float32", func(i int) float64 { return float64(float32(i) / 3) }},
	"f8":   {"float64", func(i int) float64 { return float64(i) / 3 }},
	"bool": {"bool", func(i int) float64 { return float64(1 - min(1, i%3)) }},
	"i1":   {"int8", func(i int) float64 { return float64(i - 7) }},
	"i2":   {"int16", func(i int) float64 { return float64(i - 7) }},
	"i4":   {"int32", func(i int) float64 { return float64(i - 7) }},
	"i8":   {"int64", func(i int) float64 { return float64(i - 7) }},
	"u1":   {"uint8", func(i int) float64 { return float64(i) }},
	"u2":   {"uint16", func(i int) float64 { return float64(i) }},
	"u4":   {"uint32", func(i int) float64 { return float64(i) }},
	"u8":   {"uint64", func(i int) float64 { return float64(i) }},
}

func TestReadKinds(t *testing.T) {
	for file, count := range map[string]int{"matrices.npz": 19, "matrices_packed.npz": 19, "torch_kinds.npz": 6} {
		f := fixture(t, file)
		require.Len(t, f.Arrays, count, file)
		require.Equal(t, 0x1p-24, f.Unit())
		for _, a := range f.Arrays {
			name, _, _ := strings.Cut(a.Name, "_")
			if name == "zero" {
				require.Equal(t, []float64{0.5}, a.numbers())
				continue
			}
			want, ok := kinds[name]
			require.True(t, ok, name)
			require.Equal(t, want.dtype, a.DType, a.Name)
			require.Equal(t, []int{4, 6}, a.Shape, a.Name)
			for i, x := range a.numbers() {
				require.Equal(t, want.value(i), x, "%s: %s%s", file, a.Name, element(a.Shape, i))
			}
		}
	}
}

func TestReadFolderAndVersions(t *testing.T) {
	f := fixture(t, "folder")
	require.Equal(t, 0x1p-53, f.Unit())
	var names []string
	for _, a := range f.Arrays {
		names = append(names, a.Name)
	}
	require.Equal(t, []string{"H", "W", "step"}, names)
	h, _ := f.Array("H")
	require.Equal(t, []int{6, 8}, h.Shape)
	require.Equal(t, 9.0/3, h.floats[9])
	for _, name := range []string{"version2", "version3"} {
		v := fixture(t, name+".npy")
		require.Equal(t, name, v.Arrays[0].Name)
		require.Equal(t, 23.0/3, v.Arrays[0].floats[23])
	}
}

func TestReadVectors(t *testing.T) {
	var got struct {
		Plain  []float64 `npy:"plain"`
		Column []float64 `npy:"column"`
		Row    []float64 `npy:"row"`
	}
	params := []Field{{Name: "plain", Shape: "n"}, {Name: "column", Shape: "n"}, {Name: "row", Shape: "n"}}
	require.NoError(t, Decode(fixture(t, "vectors.npz"), &got, params))
	require.Equal(t, []float64{0, 1.0 / 3, 2.0 / 3, 1, 4.0 / 3, 5.0 / 3}, got.Plain)
	require.Equal(t, got.Plain, got.Column)
	require.Equal(t, got.Plain, got.Row)
}

func TestReadRefuses(t *testing.T) {
	const accepts = ", wanted float32, float64, integers, bool or one string"
	seen := map[string]bool{}
	for name, want := range map[string]string{
		"complex":    ": W is complex128" + accepts,
		"float16":    ": W is float16" + accepts,
		"torch_half": ": W is float16" + accepts,
		"longdouble": ": W is float128" + accepts,
		"structured": ": W is a structured array, wanted one dtype for all elements",
		"dates":      ": W is a date or duration" + accepts,
		"raw":        ": W is raw data of 2 bytes an element" + accepts,
		"pickled": ": W is a pickled array of Python objects" + accepts +
			": give all its elements one dtype and shape",
		"cube":          ": W has 3 dimensions, wanted at most two: flatten it or write its slices",
		"empty":         ": W has shape 0×6, wanted at least one element",
		"strings":       ": W is 2 strings, wanted one",
		"nan":           ": W[2, 3] is NaN, wanted finite numbers",
		"inf":           ": W[1, 0] is -Inf, wanted finite numbers",
		"nan_scalar":    ": W is NaN, wanted finite numbers",
		"huge_unsigned": ": W[1] is 18446744073709551615, wanted integers below 2⁶³",
		"latin":         ": W has the byte 0xe9, wanted ASCII in a bytes string",
		"nothing":       " holds no array: write it with numpy.savez",
		"twice":         ": W is in the archive twice: write it once",
		"text":          " holds README, which is not an .npy array: write it with numpy.savez",
		"lzma":          ": W is packed by method 14, wanted numpy.savez or numpy.savez_compressed",
		"torch_save":    " was written by torch.save: write it with numpy.savez",
	} {
		path := filepath.Join("testdata", "refused", name+".npz")
		_, err := Read(path)
		require.EqualError(t, err, path+want)
		seen[path] = true
	}
	files, err := filepath.Glob("testdata/refused/*")
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, seen[file], "%s is not tested", file)
	}
}

func TestReadPaths(t *testing.T) {
	dir := t.TempDir()
	_, err := Read(filepath.Join(dir, "none.npz"))
	require.EqualError(t, err, dir+"/none.npz does not exist: name an .npz file or a folder of .npy files")
	_, err = Read(dir)
	require.EqualError(t, err, dir+" holds no .npy file: write one array per file with numpy.save")
	for _, text := range []string{"", "hello, world"} {
		path := filepath.Join(dir, "f.npz")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err = Read(path)
		require.EqualError(t, err, path+" is not an .npz archive, .npy array or .safetensors file: write it with numpy.savez")
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "W.npy"), 0o700))
	_, err = Read(dir)
	require.EqualError(t, err, dir+"/W.npy is not a regular file: name an .npz file or a folder of .npy files")
}

// npy is an .npy file with any header.
func npy(header string, data ...byte) []byte {
	b := []byte(magic + "\x01\x00")
	b = append(b, byte(len(header)), byte(len(header)>>8))
	return append(append(b, header...), data...)
}

func readBytes(b []byte) (File, error) {
	return readContent("f", bytes.NewReader(b), int64(len(b)), MaxElements)
}

// TestReadDamaged cuts sound files at every byte and spoils them.
func TestReadDamaged(t *testing.T) {
	for _, name := range []string{"version3.npy", "matrices_packed.npz", "folder/step.npy"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		_, err = readBytes(whole)
		require.NoError(t, err)
		for n := range len(whole) {
			_, err := readBytes(whole[:n])
			require.Error(t, err, "%s cut at %d", name, n)
			require.NotContains(t, err.Error(), "\n")
		}
	}
	whole, err := os.ReadFile("testdata/torch.npz")
	require.NoError(t, err)
	at := bytes.Index(whole, []byte("NUMPY")) + 140
	whole[at] ^= 1
	_, err = readBytes(whole)
	require.EqualError(t, err, "f: W is damaged: zip: checksum error")
}

func TestReadHeaders(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{"", "has a damaged header: it ends before {"},
		{"{'descr': '<f8'", "has a damaged header: it ends before }"},
		{"{'descr': '<f8', 'shape': ()}", "has a damaged header: wanted the entries descr, fortran_order and shape"},
		{"{'descr': '<f8', 'descr': '<f8'}", `has a damaged header: two entries "descr"`},
		{"{'descr': '<f8', 'other': '<f8'}", `has a damaged header: unknown entry "other"`},
		{"{'descr': f8}", `has a damaged header: wanted a quoted name at "f8}"`},
		{"{'fortran_order': None}", `has a damaged header: wanted True or False at "None}"`},
		{"{'shape': 3}", `has a damaged header: wanted ( at "3}"`},
		{"{'shape': (-3,)}", `has a damaged header: wanted a shape at "-3,)}"`},
		{"{'shape': (3 4)}", `has a damaged header: wanted ) at "4)}"`},
		{"{'shape': (99999999999999999999, 2)}", "has an extent of 99999999999999999999, wanted at most 67108864 " +
			"elements"},
		{"{'shape': (67108865,)}", "has an extent of 67108865, wanted at most 67108864 elements"},
		{dictionary("<f8", "(67108864, 67108864)"), "has shape 67108864×67108864, wanted at most 67108864 elements"},
		{dictionary("<f8", "(8192, 8193)"), "has shape 8192×8193, wanted at most 67108864 elements"},
		{dictionary("<f8", "(8192, 8192)"), "is cut short: it has 8 bytes of data, wanted 536870912 for float64 of " +
			"shape 8192×8192"},
		{dictionary("<f8", "(2,)"), "is cut short: it has 8 bytes of data, wanted 16 for float64 of length 2"},
		{dictionary("<f4", "()"), "continues after its end: it has 8 bytes of data, wanted 4 for float32 of one " +
			"element"},
		{dictionary("<U3", "()"), "is cut short: it has 8 bytes of data, wanted 12 for a string"},
		{dictionary("<f8", "()") + "x", `has a damaged header: wanted its end at "x"`},
		{dictionary("f8", "()"), `has the dtype "f8" without byte order, wanted < or >`},
		{dictionary("|f8", "()"), `has the dtype "|f8" without byte order, wanted < or >`},
		{dictionary("<q8", "()"), `has the unknown dtype "<q8", ` + accepted},
		{dictionary("", "()"), `has the unknown dtype "", ` + accepted},
		{dictionary("<<f8", "()"), `has the unknown dtype "<<f8", ` + accepted},
		{dictionary("<f+8", "()"), `has the unknown dtype "<f+8", ` + accepted},
		{dictionary("<U99999999999", "()"), `has the unknown dtype "<U99999999999", ` + accepted},
		{dictionary("|b1", "(8,)"), "[2] is the byte 18, wanted 0 or 1 in a bool array"},
		{dictionary("<U2", "()"), "has the character 0x120000, wanted Unicode"},
	} {
		_, err := readBytes(npy(c.header, 0, 0, 0x12, 0, 0, 0, 0, 0))
		require.EqualError(t, err, strings.Replace("f: f "+c.want, "f [", "f[", 1), c.header)
	}
	long := []byte(magic + "\x02\x00\xff\xff\xff\xff")
	_, err := readBytes(long)
	require.EqualError(t, err, "f: f has a header of 4294967295 bytes, wanted at most 65536")
	_, err = readBytes([]byte(magic + "\x04\x00\x00\x00"))
	require.EqualError(t, err, "f: f has version 4 of the .npy format, wanted 1, 2 or 3")
	old := "{\"shape\": (1L, 1L), 'fortran_order': False , 'descr': '<f8',  } \n" // order and spelling of old writers
	f, err := readBytes(npy(old, 0, 0, 0, 0, 0, 0, 0, 0x40))
	require.NoError(t, err)
	require.Equal(t, []float64{2}, f.Arrays[0].floats)
}

func dictionary(descr, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
}

// archive makes an .npz with entries whose sizes may lie.
func archive(t testing.TB, entries ...*zip.FileHeader) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		data := []byte(e.Comment)
		e.Comment, e.CRC32 = "", crc32.ChecksumIEEE(data)
		if e.CompressedSize64 == 0 {
			e.CompressedSize64 = uint64(len(data))
		}
		r, err := w.CreateRaw(e)
		require.NoError(t, err)
		_, err = r.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestReadArchivesThatLie(t *testing.T) {
	whole := string(npy(dictionary("<f8", "()"), 0, 0, 0, 0, 0, 0, 0, 0))
	size := uint64(len(whole))
	for want, e := range map[string]*zip.FileHeader{
		fmt.Sprintf("is damaged: %d packed bytes cannot be 1073741824 bytes", size): {Method: zip.Deflate,
			UncompressedSize64: 1 << 30},
		fmt.Sprintf("is damaged: %d packed bytes cannot be 1048576 bytes", size): {Method: zip.Deflate,
			UncompressedSize64: 1 << 20},
		fmt.Sprintf("is damaged: %d packed bytes cannot be %d bytes", size, size-1): {Method: zip.Store,
			UncompressedSize64: size - 1},
		"is encrypted: write it with numpy.savez": {Method: zip.Store,
			UncompressedSize64: size, Flags: 1},
	} {
		e.Name, e.Comment = "W.npy", whole
		_, err := readBytes(archive(t, e))
		require.EqualError(t, err, "f: W "+want)
	}
	var many []*zip.FileHeader
	for i := range MaxArrays + 1 {
		many = append(many, &zip.FileHeader{Name: fmt.Sprint("W", i, ".npy"), Comment: whole, UncompressedSize64: size})
	}
	_, err := readBytes(archive(t, many...))
	require.EqualError(t, err, "f holds 1025 arrays, wanted at most 1024")
	_, err = readBytes(archive(t, &zip.FileHeader{Name: "a\nb"}))
	require.EqualError(t, err, `f holds "a\nb", which is not an .npy array: write it with numpy.savez`)
}

// TestReadBudget reads arrays that are small enough each and too large together.
func TestReadBudget(t *testing.T) {
	whole := string(npy(dictionary("|u1", "(8,)"), make([]byte, 8)...))
	size := uint64(len(whole))
	b := archive(t, &zip.FileHeader{Name: "A.npy", Comment: whole, UncompressedSize64: size},
		&zip.FileHeader{Name: "B.npy", Comment: whole, UncompressedSize64: size})
	_, err := readContent("f", bytes.NewReader(b), int64(len(b)), 16)
	require.NoError(t, err)
	_, err = readContent("f", bytes.NewReader(b), int64(len(b)), 15)
	require.EqualError(t, err, "f: B has length 8, wanted at most 67108864 elements in all arrays together")
}

// TestReadBomb packs more zeros than are allowed into a small archive: its header says so, and nothing is allocated.
func TestReadBomb(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	e, err := w.Create("W.npy")
	require.NoError(t, err)
	_, err = e.Write(npy(dictionary("|u1", "(8192, 8193)")))
	require.NoError(t, err)
	zeros := make([]byte, 8192)
	for range 8193 {
		_, err = e.Write(zeros)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.Less(t, b.Len(), 1<<17)
	allocations := testing.AllocsPerRun(1, func() { _, err = readBytes(b.Bytes()) })
	require.EqualError(t, err, "f: W has shape 8192×8193, wanted at most 67108864 elements")
	require.Less(t, allocations, 200.0)
}

func TestScalars(t *testing.T) {
	f := fixture(t, "scalars.npz")
	text := func(name string) string { a, _ := f.Array(name); return a.text }
	for name, want := range map[string]string{"gelu": "gelu", "greek": "σ′", "greek_big": "σ′", "bytes": "gelu",
		"in_a_list": "gelu", "nothing": ""} {
		require.Equal(t, want, text(name), name)
	}
	for name, want := range map[string]float64{"zero_d": 0.1, "python_float": 0.1, "one_by_one": 0.1, "length_one": 0.1,
		"f4": float64(float32(0.1)), "whole_float": 3, "python_bool": 1, "numpy_bool": 0, "tiny": 5e-324,
		"minus_zero": math.Copysign(0, -1)} {
		a, _ := f.Array(name)
		require.Equal(t, math.Float64bits(want), math.Float64bits(a.numbers()[0]), name)
	}
	for name, want := range map[string]int64{"python_int": 9007199254740993, "smallest": math.MinInt64} {
		a, _ := f.Array(name)
		require.Equal(t, []int64{want}, a.ints, name)
	}
}
