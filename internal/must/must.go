// Package must has the results of computations that do not fail on what a claim draws. Where one does, it panics with
// the error, and the check that drew is in error, with the place that called.
package must

// Do panics with an error, if there is one.
func Do(err error) {
	if err != nil {
		panic(err)
	}
}

// Get returns the result of a call.
func Get[X any](x X, err error) X {
	Do(err)
	return x
}

// Both returns two results of a call.
func Both[X, Y any](x X, y Y, err error) (X, Y) {
	Do(err)
	return x, y
}
