package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/dlblas"
	"github.com/thm-suite/thm/props/kernelkit"
)

// Entrant is a kernel that can be run.
type Entrant struct {
	kernelkit.Kernel
	library bool   // that is loaded
	named   bool   // on the command line
	file    string // of a library that was named by its file
}

// asked is the word by which a child process finds the kernel.
func (e Entrant) asked() string {
	if e.file != "" {
		return "--lib=" + e.file
	}
	return e.Name
}

// Open loads the library in a file, with the standard names of C or of Fortran.
func Open(file string) (Entrant, error) {
	l, err := dlblas.Open(file)
	if err != nil {
		return Entrant{}, err
	}
	return Entrant{Kernel: l.Kernel(), library: true, named: true, file: file}, nil
}

// All lists the built-in kernels and the libraries that were found.
func All() []Entrant {
	var out []Entrant
	for _, k := range kernelkit.BuiltIn() {
		out = append(out, Entrant{Kernel: k})
	}
	for _, c := range dlblas.Candidates() {
		if c.Library != nil {
			out = append(out, Entrant{Kernel: c.Library.Kernel(), library: true})
		}
	}
	return out
}

// Select returns the kernels of the names, or all but thm, which is one of the thm-… ones.
func Select(names []string) ([]Entrant, error) {
	all := All()
	if len(names) == 0 {
		return slices.DeleteFunc(all, func(e Entrant) bool { return e.Name == "thm" }), nil
	}
	var out []Entrant
	for _, name := range names {
		i := slices.IndexFunc(all, func(e Entrant) bool { return e.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no kernel is called %q; there are %s; see thm kernels --list", name,
				strings.Join(namesOf(all), ", "))
		}
		if !slices.ContainsFunc(out, func(e Entrant) bool { return e.Name == name }) {
			all[i].named = true
			out = append(out, all[i])
		}
	}
	return out, nil
}

func namesOf(kernels []Entrant) []string {
	var out []string
	for _, e := range kernels {
		out = append(out, e.Name)
	}
	return out
}
