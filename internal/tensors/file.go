package tensors

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// File holds the arrays that were read from one path.
type File struct {
	Path   string
	Arrays []Array // in the order of the archive; of a folder, in the order of their names
}

// Array returns the array of that name.
func (f File) Array(name string) (Array, bool) {
	for _, a := range f.Arrays {
		if a.Name == name {
			return a, true
		}
	}
	return Array{}, false
}

// roundoffs are the unit roundoffs of dtypes.
var roundoffs = map[string]float64{"float64": 0x1p-53, "float32": 0x1p-24, "float16": 0x1p-11, "bfloat16": 0x1p-8}

// Unit returns the unit roundoff of the coarsest numbers of the file: also of those that were float32 until they were
// saved; the one of float64 where there is no other.
func (f File) Unit() float64 {
	unit := roundoffs["float64"]
	for _, a := range f.Arrays {
		if unit = max(unit, roundoffs[a.DType]); a.widened() {
			unit = max(unit, roundoffs["float32"])
		}
	}
	return unit
}

// Widened names the first array of float64 that holds the numbers of a computation in float32; "" if there is none.
func (f File) Widened() string {
	for _, a := range f.Arrays {
		if a.widened() {
			return a.Name
		}
	}
	return ""
}

// widened reports whether an array of float64 holds numbers of float32 only. Whole numbers and short fractions fit both
// and tell nothing: two fractions at least must need more than 16 of the 24 bits. Two random fractions are both numbers
// of float32 with probability 2⁻⁵⁸.
func (a Array) widened() bool {
	if a.DType != "float64" {
		return false
	}
	const low = 1<<(52-15) - 1 // the bits of a float64 behind the first 16
	long := 0
	for _, x := range a.floats {
		if float64(float32(x)) != x {
			return false
		}
		if x != math.Trunc(x) && math.Float64bits(x)&low != 0 {
			long++
		}
	}
	return long >= 2
}

const (
	magic    = "\x93NUMPY"
	zipMagic = "PK"
)

// Read reads an .npz archive, a .safetensors file, a folder of .npy files, or one .npy file, whose array is named after
// it. It accepts float32, float64, integers, bool and single strings, of either byte order, in C or Fortran order, with
// at most two dimensions; of .safetensors, float16 and bfloat16 as well. Every error is one line that names the file,
// and the array if it is one.
func Read(path string) (File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return File{}, fmt.Errorf("%s does not exist: name an .npz file or a folder of .npy files", show(path))
	case err != nil:
		return File{}, err
	case info.IsDir():
		return readFolder(path)
	}
	in, size, err := open(path)
	if err != nil {
		return File{}, err
	}
	defer in.Close()
	return readContent(path, in, size, MaxElements)
}

// open opens a regular file. Anything else, such as a pipe, could block.
func open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file: name an .npz file or a folder of .npy files", show(path))
	}
	in, err := os.Open(path)
	return in, info.Size(), err
}

// readContent reads an archive, a .safetensors file or a single array, with no more elements than the budget.
// Their first bytes tell them apart, whatever their name.
func readContent(path string, in io.ReaderAt, size int64, budget int) (File, error) {
	front := make([]byte, 9)
	n, _ := in.ReadAt(front, 0)
	switch front := string(front[:n]); {
	case strings.HasPrefix(front, zipMagic):
		return readArchive(path, in, size, budget)
	case strings.HasPrefix(front, magic):
		name := strings.TrimSuffix(filepath.Base(path), ".npy")
		a, err := readArray(bufio.NewReader(io.NewSectionReader(in, 0, size)), size, &budget)
		if err != nil {
			return File{}, about(path, name, err)
		}
		a.Name = name
		return File{Path: path, Arrays: []Array{a}}, nil
	case n == 9 && front[8] == '{':
		return readSafe(path, in, size, budget)
	}
	return File{}, fmt.Errorf("%s is not an .npz archive, .npy array or .safetensors file: write it with numpy.savez",
		show(path))
}

func readFolder(path string) (File, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return File{}, err
	}
	f, budget := File{Path: path}, MaxElements
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".npy")
		if !ok {
			continue
		}
		if len(f.Arrays) == MaxArrays {
			return File{}, fmt.Errorf("%s holds more than %d arrays", show(path), MaxArrays)
		}
		in, size, err := open(filepath.Join(path, entry.Name()))
		if err != nil {
			return File{}, err
		}
		a, err := readArray(bufio.NewReader(in), size, &budget)
		in.Close()
		if err != nil {
			return File{}, about(path, name, err)
		}
		a.Name = name
		f.Arrays = append(f.Arrays, a)
	}
	if len(f.Arrays) == 0 {
		return File{}, fmt.Errorf("%s holds no .npy file: write one array per file with numpy.save", show(path))
	}
	return f, nil
}

func readArchive(path string, in io.ReaderAt, size int64, budget int) (File, error) {
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return File{}, fmt.Errorf("%s is cut short or damaged: %s", show(path), clip(err.Error()))
	}
	if len(archive.File) > MaxArrays {
		return File{}, fmt.Errorf("%s holds %d arrays, wanted at most %d", show(path), len(archive.File), MaxArrays)
	}
	for _, entry := range archive.File {
		if strings.HasSuffix(entry.Name, "/data.pkl") {
			return File{}, fmt.Errorf("%s was written by torch.save: write it with numpy.savez", show(path))
		}
	}
	f := File{Path: path}
	for _, entry := range archive.File {
		name, ok := strings.CutSuffix(entry.Name, ".npy")
		if !ok {
			return File{}, fmt.Errorf("%s holds %s, which is not an .npy array: write it with numpy.savez",
				show(path), show(entry.Name))
		}
		if _, ok := f.Array(name); ok {
			return File{}, about(path, name, errors.New("is in the archive twice: write it once"))
		}
		a, err := readEntry(entry, &budget)
		if err != nil {
			return File{}, about(path, name, err)
		}
		a.Name = name
		f.Arrays = append(f.Arrays, a)
	}
	if len(f.Arrays) == 0 {
		return File{}, fmt.Errorf("%s holds no array: write it with numpy.savez", show(path))
	}
	return f, nil
}

// readEntry reads an array of an archive. Deflate packs at most 1032 bytes into one, so a small archive cannot make
// much be allocated.
func readEntry(entry *zip.File, budget *int) (Array, error) {
	const encrypted, packing = 1, 1032
	packed, size := entry.CompressedSize64, entry.UncompressedSize64
	switch {
	case entry.Flags&encrypted != 0:
		return Array{}, errors.New("is encrypted: write it with numpy.savez")
	case entry.Method != zip.Store && entry.Method != zip.Deflate:
		return Array{}, fmt.Errorf("is packed by method %d, wanted numpy.savez or numpy.savez_compressed", entry.Method)
	case size > 16*MaxElements, size/packing > packed, entry.Method == zip.Store && size != packed:
		return Array{}, fmt.Errorf("is damaged: %d packed bytes cannot be %d bytes", packed, size)
	}
	r, err := entry.Open()
	if err != nil {
		return Array{}, damaged(err)
	}
	defer r.Close()
	return readArray(bufio.NewReader(r), int64(size), budget)
}

// about puts the file and the array before an error that begins with a verb, or with an index.
func about(path, name string, err error) error {
	text := err.Error()
	if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, " ") {
		text = " " + text
	}
	return fmt.Errorf("%s: %s%s", show(path), show(name), text)
}

// show is a name as it stands, quoted and shortened where it would spoil a line.
func show(name string) string {
	plain := name != "" && len(name) <= 200 && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r)
	}) < 0
	if plain && !strings.ContainsRune(name, unicode.ReplacementChar) {
		return name
	}
	return strconv.Quote(clip(name))
}
