// Package list makes lists from a function of the index or of the element, and finds names in a list that a reader
// could not distinguish.
package list

// Fill is a list of n values, by their indices.
func Fill[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// Map is a list of a function's values.
func Map[S, T any](xs []S, f func(S) T) []T { return Fill(len(xs), func(i int) T { return f(xs[i]) }) }

// Cross is a list of a function's values at all pairs; the second elements change faster.
func Cross[A, B, T any](as []A, bs []B, f func(A, B) T) []T {
	out := make([]T, 0, len(as)*len(bs))
	for _, a := range as {
		for _, b := range bs {
			out = append(out, f(a, b))
		}
	}
	return out
}

// Where is a list of those elements for which a condition is true; nil without any.
func Where[T any](xs []T, is func(T) bool) (out []T) {
	for _, x := range xs {
		if is(x) {
			out = append(out, x)
		}
	}
	return out
}

// Without is a list of those elements that are not among others.
func Without[T comparable](xs, others []T) []T {
	among := map[T]bool{}
	for _, x := range others {
		among[x] = true
	}
	return Where(xs, func(x T) bool { return !among[x] })
}
