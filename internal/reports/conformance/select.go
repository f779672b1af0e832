package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/dlblas"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/kernelkit"
)

// Entrant is a kernel that can be run.
type Entrant struct {
	kernelkit.Kernel
	library string // that is loaded, by its name
	named   bool   // on the command line
	file    string // of a library that was named by its file
	config  string // a library's description of itself
}

// asked returns the words by which a child process finds the kernel.
func (e Entrant) asked() []string {
	if e.file != "" {
		return []string{e.Name, "--lib", e.file}
	}
	return []string{e.Name}
}

// Open loads the library in a file, with the standard names of C or of Fortran. It is one kernel or several: in either
// precision, and with the second drivers of its LAPACK.
func Open(file string) ([]Entrant, error) {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && filepath.Base(file) == file {
		file = "./" + file // the system looks for a bare name on a path of its own alone
	}
	l, err := dlblas.Open(file)
	if err != nil {
		return nil, err
	}
	return list.Map(l.Kernels(), func(k kernelkit.Kernel) Entrant {
		return Entrant{Kernel: k, library: l.Name, named: true, file: file, config: l.Config()}
	}), nil
}

// All lists the built-in kernels and the libraries that were found.
func All() []Entrant {
	var out []Entrant
	for _, k := range kernelkit.BuiltIn() {
		e := Entrant{Kernel: k}
		if strings.HasPrefix(k.Name, "gonum") {
			e.config = "gonum " + moduleVersion("gonum.org/v1/gonum")
		}
		out = append(out, e)
	}
	for _, c := range dlblas.Candidates() {
		if c.Library != nil {
			for _, k := range c.Library.Kernels() {
				out = append(out, Entrant{Kernel: k, library: c.Name, config: c.Library.Config()})
			}
		}
	}
	return out
}

// moduleVersion returns the version of a module that this program is built with.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return ""
}

// Select returns the named kernels, where the name of a library selects all of its kernels. Without names it returns
// all except thm, which is one of the thm-… kernels.
func Select(names []string) ([]Entrant, error) {
	all := All()
	if len(names) == 0 {
		return slices.DeleteFunc(all, func(e Entrant) bool { return e.Name == "thm" }), nil
	}
	var out []Entrant
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(all), func(e Entrant) bool { return e.Name != name && e.library != name })
		if len(found) == 0 {
			return nil, fmt.Errorf("no kernel is called %q; there are %s; see thm kernels --list", name,
				strings.Join(namesOf(all), ", "))
		}
		for _, e := range found {
			if e.named = true; !slices.ContainsFunc(out, func(other Entrant) bool { return other.Name == e.Name }) {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

func namesOf(kernels []Entrant) []string {
	return list.Map(kernels, func(e Entrant) string { return e.Name })
}
