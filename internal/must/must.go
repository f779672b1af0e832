// Package must returns the results of computations that cannot fail on the instances that a claim draws. If one fails,
// it panics with the error, and the check that drew the instance ends in an error that names the caller.
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
