//go:build !((linux || darwin) && (amd64 || arm64)) || android || faketime || nodlblas

package dlblas

import "fmt"

// handle is a loaded shared object; here there is none.
type handle struct{}

func open(name string) (handle, error) {
	return handle{}, fmt.Errorf("%s: this build cannot load shared libraries", name)
}

func (handle) bind(any, string) bool { return false }
func (handle) file(string) string    { return "" }
func (handle) has(string) bool       { return false }
