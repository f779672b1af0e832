package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// WritableFile makes sure, before minutes of work, that a file can be written.
func WritableFile(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory; name a file with --out", file)
	}
	probe, err := os.CreateTemp(filepath.Dir(file), ".probe-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w; choose another file", file, err)
	}
	_ = probe.Close()
	return os.Remove(probe.Name())
}
