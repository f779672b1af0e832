package list

import (
	"fmt"
	"slices"
)

// Repeated lists the empty and the repeated among the names of something.
func Repeated(what string, names []string) []string {
	var out []string
	for i, name := range names {
		switch {
		case name == "":
			out = append(out, fmt.Sprintf("%s number %d has no name", what, i+1))
		case slices.Contains(names[:i], name):
			out = append(out, fmt.Sprintf("%s %q occurs twice", what, name))
		}
	}
	return out
}
