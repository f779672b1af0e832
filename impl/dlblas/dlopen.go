//go:build (linux || darwin) && (amd64 || arm64) && !android && !faketime && !nodlblas

package dlblas

import (
	"fmt"
	"path/filepath"

	"github.com/ebitengine/purego"
)

// handle is a loaded shared object.
type handle uintptr

// open loads a shared object with its symbols private, so that libraries that export the same names do not meet.
func open(name string) (h handle, err error) {
	defer func() { // the loader's own trouble is a result, not a crash
		if r := recover(); r != nil {
			err = fmt.Errorf("loading %s: %v", name, r)
		}
	}()
	address, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	return handle(address), err
}

// bind makes the function variable behind fn call the symbol, if it exists.
func (h handle) bind(fn any, symbol string) bool {
	address, err := purego.Dlsym(uintptr(h), symbol)
	if err != nil || address == 0 {
		return false
	}
	purego.RegisterFunc(fn, address)
	return true
}

// has reports whether the library defines a symbol.
func (h handle) has(symbol string) bool {
	address, err := purego.Dlsym(uintptr(h), symbol)
	return err == nil && address != 0
}

// file is the path of the shared object that defines a symbol, with links resolved, or nothing when the system cannot
// tell.
func (h handle) file(symbol string) string {
	address, err := purego.Dlsym(uintptr(h), symbol)
	if err != nil {
		return ""
	}
	locator, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return ""
	}
	var dladdr func(address uintptr, info *symbolInfo) int32
	purego.RegisterFunc(&dladdr, locator)
	var info symbolInfo
	if dladdr(address, &info) == 0 {
		return ""
	}
	path := goString(info.file)
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// symbolInfo is Dl_info of <dlfcn.h>.
type symbolInfo struct {
	file *byte
	_    uintptr
	_    *byte
	_    uintptr
}
