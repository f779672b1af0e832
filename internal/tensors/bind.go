package tensors

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/list"
)

// shaped is an array and the shape that is wanted of it, both of the same number of dimensions.
type shaped struct {
	name  string
	shape []int
	want  []extent
}

// binding is the value of a letter, or of a product of letters that no array tells apart.
type binding struct {
	value int
	array string // whose shape it was taken from; empty for a letter that is a scalar of the file
	shape []int
}

// bindings are the letters that are known, and the extents that are known by their text alone.
type bindings map[string]binding

// bind gives values to the letters of all shapes, starting with those that are known, and says in one line per array
// which of them do not fit. Extents that are a letter count first, sums and products of one unknown letter next; what
// is left, such as both factors of ck², is compared as a whole. An array that does not fit binds nothing.
func bind(arrays []shaped, known bindings) map[string]string {
	problems := map[string]string{}
	for _, by := range []func(bindings, extent, shaped, int) bool{bindings.byLetter, bindings.bySolving,
		bindings.byText} {
		for changed := true; changed; {
			changed = false
			for _, a := range arrays {
				if _, failed := problems[a.name]; failed {
					continue
				}
				more, problem := known.fit(a, by)
				if problem != "" {
					problems[a.name] = problem
					continue
				}
				changed = changed || len(more) > len(known)
				known = more
			}
		}
	}
	return problems
}

// fit binds the letters of one array by one of the methods below and checks all its extents. It returns the letters
// that are known then.
func (b bindings) fit(a shaped, by func(bindings, extent, shaped, int) bool) (bindings, string) {
	more := maps.Clone(b)
	if _, ok := more.against(a, a.shape, by); ok {
		return more, ""
	}
	wrong, _ := maps.Clone(b).against(a, a.shape, by)
	problem := fmt.Sprintf("%s has %s, wanted %s%s", show(a.name), describe(a.shape), a.wanted(), b.given(a, wrong))
	if len(a.shape) == 2 {
		turned := []int{a.shape[1], a.shape[0]}
		if _, ok := maps.Clone(b).against(a, turned, by); ok {
			problem += "; its transpose would fit"
		}
	}
	return b, problem
}

// against compares the array as if it had the given shape, binds letters on the way, and lists the extents that differ.
func (b bindings) against(a shaped, shape []int, by func(bindings, extent, shaped, int) bool) (wrong []int, ok bool) {
	for i, e := range a.want {
		if !by(b, e, shaped{a.name, shape, a.want}, shape[i]) {
			wrong = append(wrong, i)
		}
	}
	return wrong, len(wrong) == 0
}

// byLetter compares an extent whose letters are known, and binds one that is a letter.
func (b bindings) byLetter(e extent, a shaped, length int) bool {
	if e.op == 'v' {
		if _, ok := b[e.letter]; !ok {
			b[e.letter] = binding{length, a.name, a.shape}
		}
	}
	return len(b.unknown(e)) > 0 || e.at(b.letter) == float64(length)
}

// bySolving binds the only unknown letter of an extent.
func (b bindings) bySolving(e extent, a shaped, length int) bool {
	unknown := b.unknown(e)
	if len(unknown) != 1 {
		return b.byLetter(e, a, length)
	}
	value, ok := e.solve(length, unknown[0], b.letter)
	if ok {
		b[unknown[0]] = binding{value, a.name, a.shape}
	}
	return ok
}

// byText compares an extent of several unknown letters with others of the same text.
func (b bindings) byText(e extent, a shaped, length int) bool {
	if len(b.unknown(e)) == 0 {
		return b.byLetter(e, a, length)
	}
	first, ok := b[e.text]
	if !ok {
		b[e.text] = binding{length, a.name, a.shape}
	}
	return !ok || first.value == length
}

func (b bindings) letter(name string) float64 { return float64(b[name].value) }

// unknown lists the letters of an extent that have no value.
func (b bindings) unknown(e extent) []string {
	return slices.DeleteFunc(e.letters(), func(letter string) bool { _, ok := b[letter]; return ok })
}

// given says where the extents that differ come from: " with n = 6 from W (4×6)".
func (b bindings) given(a shaped, wrong []int) string {
	var clauses []string
	for _, i := range wrong {
		names := a.want[i].letters()
		if _, ok := b[a.want[i].text]; ok && len(b.unknown(a.want[i])) > 0 {
			names = []string{a.want[i].text}
		}
		for _, name := range names {
			clause := "a whole number " + name
			if known, ok := b[name]; ok {
				clause = fmt.Sprintf("%s = %d", name, known.value)
				if known.array != "" {
					clause += fmt.Sprintf(" from %s (%s)", show(known.array), times(known.shape))
				}
			} else if a.want[i].op == 'v' {
				continue // two extents of this array differ that should be equal
			}
			if !slices.Contains(clauses, clause) {
				clauses = append(clauses, clause)
			}
		}
	}
	if len(clauses) == 0 {
		return ""
	}
	return " with " + strings.Join(clauses, " and ")
}

// wanted writes the shape that is wanted, such as "n×B".
func (a shaped) wanted() string {
	texts := list.Map(a.want, func(e extent) string { return e.text })
	return strings.Join(texts, "×")
}
