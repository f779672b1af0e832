package atomicfile

import (
	"os"
	"path/filepath"
)

// Write writes a file at once: a temporary file next to it is written, flushed to the disk and renamed over it.
// Windows promises less than that a crash leaves one of the two contents, but a reader never sees half of one.
func Write(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
