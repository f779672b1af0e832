package factorkit

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
	"github.com/thm-suite/thm/props/results"
)

// specimen is a matrix of the gallery at one size: a cell of the checks of factorisations. They go through all of the
// gallery and do not draw from it; the smallest failing specimen is the counterexample.
type specimen struct {
	matrix gallery.Matrix
	m, n   int
}

func (s specimen) String() string { return fmt.Sprintf("%s, %d×%d", s.matrix.Name, s.m, s.n) }

// sizes are LAPACK's odd ones for svd.in and sep.in, as far as the effort reaches.
var (
	squareSizes = props.Sizes{Quick: []int{1, 2, 5, 13}, Standard: []int{1, 2, 3, 4, 7, 10, 16, 30, 40},
		Deep: []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 24, 30, 33, 40, 65}}
	// blockedSizes are for the few matrices on which blocked code and divide and conquer are reached.
	blockedSizes = props.Sizes{Quick: []int{40}, Standard: []int{65, 129}, Deep: []int{129, 200, 257}}
	blocked      = []string{"normal", "symmetric normal", "geometric", "geometric, symmetric", "repeated",
		"repeated, symmetric", "Wilkinson"}
	flatShapes = map[props.Effort][][2]int{
		props.Quick:    {{1, 4}, {9, 4}, {5, 12}},
		props.Standard: {{1, 4}, {3, 1}, {9, 4}, {5, 12}, {30, 3}, {2, 16}, {40, 16}, {10, 30}},
		props.Deep: {{1, 4}, {3, 1}, {9, 4}, {5, 12}, {30, 3}, {2, 16}, {40, 16}, {10, 30}, {129, 2}, {3, 129},
			{100, 65}, {65, 100}},
	}
)

// choice says which specimens a family of checks looks at.
type choice struct {
	square, tall bool // of these shapes alone
	properties   gallery.Property
	single       bool // for kernels of single precision
}

// inRange are the specimens away from the ends of the range of float64. What fails there is told from what fails
// anywhere.
func (c choice) inRange(e props.Effort) []specimen {
	return slices.DeleteFunc(c.all(e), func(s specimen) bool { return s.matrix.Properties.Has(gallery.Extreme) })
}

// extreme are the others.
func (c choice) extreme(e props.Effort) []specimen {
	c.properties |= gallery.Extreme
	return c.all(e)
}

// plain are a few specimens, for what does not depend on the numbers.
func (c choice) plain(e props.Effort) []specimen {
	return only(c.all(e), "zero", "ones", "normal", "symmetric normal", "geometric", "geometric, symmetric",
		"integer product")
}

// repeated returns the plain specimens and a large one, on which a kernel may well use more than one thread.
func (c choice) repeated(e props.Effort) []specimen {
	large := only(c.all(e), "normal", "symmetric normal")[:1]
	large[0].m, large[0].n = largeSize, largeSize
	return append(c.plain(e), large...)
}

// largeSize is the size at which products with a panel of 32 columns have some 5 million operations.
const largeSize = 272

// with restricts the choice to the specimens of a further property.
func (c choice) with(p gallery.Property) choice {
	c.properties |= p
	return c
}

// all are the specimens of a choice, smallest first.
func (c choice) all(e props.Effort) []specimen {
	var list []specimen
	find := gallery.Select
	if c.single {
		find = gallery.Single
	}
	for _, x := range find(c.properties) {
		sizes := squareSizes.At(e)
		if slices.Contains(blocked, x.Name) {
			sizes = slices.Concat(sizes, blockedSizes.At(e))
		}
		for _, n := range sizes {
			list = append(list, specimen{x, n, n})
		}
		for _, s := range flatShapes[e] {
			if !c.square && x.Fits(s[0], s[1]) && (!c.tall || s[0] >= s[1]) {
				list = append(list, specimen{x, s[0], s[1]})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b specimen) int { return a.m*a.n - b.m*b.n })
	return list
}

// only keeps the specimens of the named matrices.
func only(list []specimen, names ...string) []specimen {
	return slices.DeleteFunc(list, func(s specimen) bool { return !slices.Contains(names, s.matrix.Name) })
}

// checker makes a check of a family.
type checker func(name, doc string, measure func(subject, *props.Trial, gallery.Instance) finding) kit.Check

// family makes the checks of a part of the kernel that look at the same specimens.
func family(routine string, part kit.Part, of choice, cells func(choice, props.Effort) []specimen) checker {
	return func(name, doc string, measure func(subject, *props.Trial, gallery.Instance) finding) kit.Check {
		name = routine + "/" + name
		return kit.Check{Name: name, Doc: doc, Part: part, Make: func(k kernel.Kernel) props.Check {
			of := of
			of.single = kit.PrecisionOf(k) == roundoff.Single
			chosen := func(e props.Effort) []specimen { return cells(of, e) }
			return sweep(name, chosen, func(t *props.Trial, x gallery.Instance) finding {
				return measure(subject{k}, t, x)
			}, func(f finding, x gallery.Instance) finding { return f.reproduced(subject{k}, name, x.A) })
		}}
	}
}

// finding holds the result of a check on one specimen.
type finding struct {
	ratio props.Ratio
	note  string // of a failure
}

// sweep is the check that measures every specimen.
func sweep(name string, cells func(props.Effort) []specimen,
	measure func(*props.Trial, gallery.Instance) finding,
	explain func(finding, gallery.Instance) finding) props.Check {
	return props.Grid[specimen, finding, struct{}]{
		Name:  name,
		Cells: remembered(cells),
		Measure: func(t *props.Trial, c specimen) finding {
			x := c.matrix.Make(t.Stream("matrix"), c.m, c.n)
			defer kit.Asking(name, c, nil)()
			f := judged(func() finding { return measure(t, x) })
			if f.ratio.Verdict() != results.Holds {
				f.note = c.String() + "\n" + f.note + picturing(x.A)
				f = explain(f, x)
			}
			return f
		},
		Conclude: func(r *props.Record, _ []specimen, all []finding, _ struct{}) { conclude(r, name, all) },
	}
}

// judged is what a measurement found, also where a finding ended it.
func judged(measure func() finding) (f finding) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case finding:
			f = p
		default:
			panic(p)
		}
	}()
	return measure()
}

// remembered lists the specimens once: a sweep asks for its cells again for every cell.
func remembered(cells func(props.Effort) []specimen) func(props.Effort) []specimen {
	var mu sync.Mutex
	lists := map[props.Effort][]specimen{}
	return func(e props.Effort) []specimen {
		mu.Lock()
		defer mu.Unlock()
		if lists[e] == nil {
			lists[e] = cells(e)
		}
		return lists[e]
	}
}

// conclude keeps the worst ratio and a counterexample. That is the smallest specimen that fails about as badly as the
// worst: by its square root, so that a gross failure is not hidden by a small one that barely fails.
func conclude(r *props.Record, name string, all []finding) {
	worst, note := gravest(all)
	r.Ratio(name, worst)
	r.Explain(note)
}

// gravest returns the worst ratio and the counterexample.
func gravest(all []finding) (worst props.Ratio, note string) {
	for _, f := range all {
		worst = props.Worst(worst, f.ratio)
	}
	gross := math.Sqrt(worst.Value)
	for _, f := range all {
		if f.note != "" && f.ratio.Value >= gross {
			return worst, f.note
		}
	}
	return worst, ""
}

// picturing prints a matrix if it is small.
func picturing(a *mat.Dense) string {
	if m, n := a.Dims(); m*n > 40 {
		return ""
	}
	return fmt.Sprintf("A =\n%v\n", mat.Formatted(a, mat.Squeeze()))
}

// indented prints a matrix of a finding.
func indented(a *mat.Dense) fmt.Formatter { return mat.Formatted(a, mat.Squeeze(), mat.Prefix("    ")) }

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// found is a finding with named values to show.
func found(r props.Ratio, shown ...any) finding {
	f := finding{ratio: r}
	if r.Verdict() == results.Holds {
		return f
	}
	var b strings.Builder
	for i := 0; i+1 < len(shown); i += 2 {
		fmt.Fprintf(&b, "%v = %v\n", shown[i], shown[i+1])
	}
	f.note = b.String()
	return f
}

// worstOf is the finding with the worst ratio.
func worstOf(findings ...finding) finding {
	worst := findings[0]
	for _, f := range findings[1:] {
		r := props.Worst(worst.ratio, f.ratio)
		if r != worst.ratio {
			worst = finding{r, f.note}
		}
	}
	return worst
}
