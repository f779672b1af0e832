package tensors

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Template is Python that writes the instance src, a struct or a pointer to one, as [Encode] does: a list of arrays
// with their shapes and meanings. It needs NumPy, and takes tensors of PyTorch in place of the numbers.
func Template(slug string, params []Field, src any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Writes instance.npz for: thm certify %s instance.npz\n", slug)
	b.WriteString("# Put your arrays or tensors in place of these, for which the claim holds. float32 arrays are " +
		"held to the\n# rounding of float32.\nimport numpy as np\n\narrays = {\n")
	list := members(reflect.Indirect(reflect.ValueOf(src)))
	for _, f := range params {
		at := slices.IndexFunc(list, func(m member) bool { return m.name == f.Name })
		note := strings.Join(strings.Fields(f.Shape+": "+f.Meaning), " ") // one line
		fmt.Fprintf(&b, "    # %s\n    %s: %s,\n", strings.TrimPrefix(note, ": "), pythonString(f.Name), list[at].python())
	}
	b.WriteString("}\narrays = {k: v.detach().cpu().numpy() if hasattr(v, \"detach\") else v for k, v in " +
		"arrays.items()}\nnp.savez(\"instance.npz\", **arrays)\n")
	return b.String()
}

// python writes the field of a struct as Python.
func (m member) python() string {
	switch m.kind {
	case matrix:
		a := m.value.Interface().(*mat.Dense)
		rows, _ := a.Dims()
		lines := make([]string, rows)
		for i := range lines {
			lines[i] = pythonNumbers(a.RawRowView(i))
		}
		return "[" + strings.Join(lines, ",\n          ") + "]"
	case vector:
		return pythonNumbers(m.value.Convert(reflect.TypeFor[[]float64]()).Interface().([]float64))
	case real64:
		return strconv.FormatFloat(m.value.Float(), 'g', -1, 64)
	case truth:
		return map[bool]string{false: "False", true: "True"}[m.value.Bool()]
	case whole:
		return strconv.FormatInt(m.value.Int(), 10)
	}
	return pythonString(m.value.String())
}

func pythonNumbers(x []float64) string {
	texts := make([]string, len(x))
	for i := range x {
		texts[i] = strconv.FormatFloat(x[i], 'g', -1, 64)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// pythonString quotes a string for Python, which has all escapes of Go but those of invalid UTF-8.
func pythonString(text string) string { return strconv.Quote(strings.ToValidUTF8(text, "\uFFFD")) }
