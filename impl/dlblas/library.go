package dlblas

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"gonum.org/v1/gonum/blas"
)

// Library is a loaded library. It implements gonum's blas.Float64, and singular value and symmetric eigenvalue
// decompositions if it comes with LAPACK ([Library.HasLAPACK]). It may be used by any number of goroutines at once.
type Library struct {
	Name string // openblas, blis or netlib
	File string // what was loaded; the path where the system can tell

	blas      blasRoutines
	single    single
	lapack    lapackRoutines[float64]
	lapack32  lapackRoutines[float32]
	dlasr     func(side, pivot, direct *byte, m, n *int32, c, s, a *float64, lda *int32, _, _, _ uintptr)
	delegated []string
	control   control
	exports   func(symbol string) bool
}

var _ blas.Float64 = (*Library)(nil)

// Candidate is a library that was looked for.
type Candidate struct {
	Name    string
	Tried   []string // file names, in order
	Library *Library // nil when it was not found
	Err     error    // why not
}

// source says under which names a library may be found.
type source struct {
	name         string
	files        []string
	lapackFiles  []string // where LAPACK is a file of its own, which needs the first one loaded
	controlledBy func(handle) control
}

// sources lists the libraries that are looked for. Add here. The files of the reference implementation are named by
// their paths, because libblas.so.3 is what the system administrator chose, often OpenBLAS.
var sources = []source{
	{"openblas", shared("openblas", ".so.0"), nil, openblasControl},
	{"blis", shared("blis", ".so.4", ".so.3"), nil, blisControl},
	{"netlib", inSystem("blas/libblas.so.3"), inSystem("lapack/liblapack.so.3"), nil},
}

// shared lists the names of a shared object on Linux and on macOS, where package managers install outside of the
// loader's path.
func shared(name string, suffixes ...string) []string {
	var files []string
	for _, suffix := range append(suffixes, ".so") {
		files = append(files, "lib"+name+suffix)
	}
	for _, directory := range []string{"", "/opt/homebrew/opt/" + name + "/lib/", "/usr/local/opt/" + name + "/lib/"} {
		files = append(files, directory+"lib"+name+".dylib")
	}
	return files
}

// inSystem lists the paths of a file below the library directories of Debian and its relatives.
func inSystem(file string) []string {
	return []string{"/usr/lib/x86_64-linux-gnu/" + file, "/usr/lib/aarch64-linux-gnu/" + file, "/usr/lib64/" + file}
}

// Candidates looks for all known libraries, loads those that it finds, and says what became of each. It does so once
// per process.
func Candidates() []Candidate { return slices.Clone(candidates()) }

var candidates = sync.OnceValue(func() []Candidate {
	var out []Candidate
	for _, s := range sources {
		out = append(out, s.load())
	}
	return out
})

// Find returns the library of a name, or why there is none.
func Find(name string) (*Library, error) {
	for _, c := range candidates() {
		if c.Name == name {
			return c.Library, c.Err
		}
	}
	return nil, fmt.Errorf("dlblas: no library is called %q", name)
}

// Open loads a library from its file: routines under the names of cblas, or under Fortran's where it has no others, and
// LAPACK under Fortran's. What it has not is gonum's.
func Open(file string) (*Library, error) {
	h, err := open(file)
	if err != nil {
		return nil, fmt.Errorf("dlblas: %w", err)
	}
	l := &Library{Name: strings.TrimPrefix(filepath.Base(file), "lib"), File: file}
	l.Name, _, _ = strings.Cut(l.Name, ".")
	l.exports = h.has
	l.blas.bind(h)
	l.blas.bindFortran(h)
	l.delegated = l.blas.missing()
	l.single = bindSingle(h)
	l.bindLAPACK(h, file)
	if len(l.Kernels()) == 0 {
		return nil, fmt.Errorf("dlblas: %s exports nothing under the names of BLAS or LAPACK, such as cblas_dgemm, dgemm_ "+
			"or dgesdd_", file)
	}
	return l, nil
}

// Variable is the environment variable that names the file of a library.
func Variable(name string) string { return "THM_" + strings.ToUpper(name) }

// choose returns the files to try: the one that the environment names, or the usual ones.
func choose(variable string, files []string) []string {
	if file := os.Getenv(variable); file != "" {
		return []string{file}
	}
	return files
}

func (s source) load() Candidate {
	c := Candidate{Name: s.name, Tried: choose(Variable(s.name), s.files)}
	h, file, err := openAny(c.Tried)
	if err != nil {
		c.Err = err
		return c
	}
	l := &Library{Name: s.name, File: file, exports: h.has}
	l.delegated = l.blas.bind(h)
	l.single = bindSingle(h)
	if l.blas.Dgemm == nil {
		c.Err = fmt.Errorf("dlblas: %s has no cblas_dgemm", file)
		return c
	}
	if path := h.file("cblas_dgemm"); path != "" {
		l.File = path
	}
	if s.controlledBy != nil {
		l.control = s.controlledBy(h)
	}
	if s.lapackFiles != nil {
		h, file, err = openAny(choose(Variable(s.name+"_lapack"), s.lapackFiles))
	}
	if err == nil {
		l.bindLAPACK(h, file)
	}
	c.Library = l
	return c
}

func (l *Library) bindLAPACK(h handle, file string) {
	l.lapack.bind(h, "d", file)
	l.lapack32.bind(h, "s", file)
	h.bind(&l.dlasr, "dlasr_")
	if l.control.describe == nil {
		l.control.describe = lapackVersion(h)
	}
}

// openAny loads the first file that can be loaded. Of several errors it returns the first.
func openAny(files []string) (h handle, file string, err error) {
	var first error
	for _, file := range files {
		h, err := open(file)
		if err == nil {
			return h, file, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = errors.New("dlblas: no file to load")
	}
	return h, "", first
}

// Delegated lists the routines of blas.Float64 that the library does not export and that are gonum's instead.
func (l *Library) Delegated() []string { return slices.Clone(l.delegated) }

// goString copies a C string.
func goString(text *byte) string {
	if text == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}
