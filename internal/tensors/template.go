package tensors

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Template is Python that writes a file of the params: a list of arrays with their shapes and meanings, filled with
// random numbers of shapes that fit together, so that it runs as it stands. It needs NumPy and takes tensors of
// PyTorch in place of the numbers. The slug stands in the comment alone; a file of another ending becomes an .npz.
func Template(slug string, params []Field, file string) string {
	file = strings.TrimSuffix(file, filepath.Ext(file)) + ".npz"
	var b strings.Builder
	fmt.Fprintf(&b, "# Writes %s for: thm certify %s %s\n", show(file), slug, show(file))
	b.WriteString("# Put your arrays or tensors in place of the random ones. float32 arrays are held to the rounding " +
		"of float32.\n")
	b.WriteString("import numpy as np\n\nrng = np.random.default_rng(0)\n")
	sizes := newSizes(params)
	if len(sizes.letters) > 0 {
		names, values := make([]string, len(sizes.letters)), make([]string, len(sizes.letters))
		for i, letter := range sizes.letters {
			names[i], values[i] = pythonName(letter), strconv.Itoa(sizes.value[letter])
		}
		fmt.Fprintf(&b, "%s = %s\n", strings.Join(names, ", "), strings.Join(values, ", "))
	}
	b.WriteString("arrays = {\n")
	for _, f := range params {
		note := f.Shape + " " + f.Meaning
		if f.Shape != "" && f.Meaning != "" {
			note = f.Shape + ": " + f.Meaning
		}
		note = strings.Join(strings.Fields(note), " ") // one line
		line := fmt.Sprintf("    %s: %s,", pythonString(f.Name), sizes.example(f))
		if note != "" {
			line += "  # " + note
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("}\n")
	b.WriteString("arrays = {k: v.detach().cpu().numpy() if hasattr(v, \"detach\") else v for k, v in " +
		"arrays.items()}\n")
	fmt.Fprintf(&b, "np.savez(%s, **arrays)\n", pythonString(file))
	return b.String()
}

// sizes gives every letter of the shapes a number.
type sizes struct {
	letters []string
	value   map[string]int
}

func newSizes(params []Field) sizes {
	s := sizes{value: map[string]int{}}
	for _, f := range params {
		for _, e := range f.extents() {
			for _, letter := range e.letters() {
				if _, ok := s.value[letter]; !ok {
					s.letters = append(s.letters, letter)
					s.value[letter] = 2 + 2*len(s.letters) // 4, 6, 8, …
				}
			}
		}
	}
	return s
}

// example is a Python expression for an array that fits the field.
func (s sizes) example(f Field) string {
	shape := f.extents()
	var parts []string
	for _, e := range shape {
		parts = append(parts, e.python())
	}
	args := strings.Join(parts, ", ")
	_, isLetter := s.value[f.Name]
	switch {
	case len(shape) == 2:
		args = "(" + args + ")"
	case len(shape) == 1:
	case len(f.Choices) > 0:
		if f.Example != "" {
			return pythonString(f.Example)
		}
		return pythonString(f.Choices[0])
	case isLetter:
		return pythonName(f.Name)
	case f.Example != "":
		return literal(f.Example)
	case f.Integer:
		return "1"
	default:
		return "0.5"
	}
	if f.Integer {
		return "rng.integers(1, 10, " + args + ")"
	}
	return "rng.standard_normal(" + args + ")"
}

// literal writes an example as Python: a number or True or False as it stands, anything else as a string.
func literal(example string) string {
	var number float64
	if json.Unmarshal([]byte(example), &number) == nil || example == "True" || example == "False" {
		return example
	}
	return pythonString(example)
}

// pythonString quotes a string for Python, which has all escapes of Go but those of invalid UTF-8.
func pythonString(text string) string { return strconv.Quote(strings.ToValidUTF8(text, "\uFFFD")) }
