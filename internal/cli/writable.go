package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// WritableFile makes sure, before minutes of work, that the file of a flag can be written.
func WritableFile(flag, file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory; name a file with --%s", file, flag)
	}
	probe, err := os.CreateTemp(filepath.Dir(file), ".probe-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w; choose another file with --%s", file, err, flag)
	}
	_ = probe.Close()
	return os.Remove(probe.Name())
}
