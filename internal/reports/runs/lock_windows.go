package runs

import (
	"path/filepath"
	"syscall"
)

// deleteOnClose is FILE_FLAG_DELETE_ON_CLOSE.
const deleteOnClose = 0x04000000

// lock takes a directory for this process until it is released or the process ends: it opens a file there that no other
// process can open and that is deleted with the last handle.
func lock(dir string) (release func(), err error) {
	name, err := syscall.UTF16PtrFromString(filepath.Join(dir, ".lock"))
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, 0, nil, syscall.CREATE_ALWAYS, deleteOnClose, 0)
	if err != nil {
		return nil, err
	}
	return func() { _ = syscall.CloseHandle(h) }, nil
}
