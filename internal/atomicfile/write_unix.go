//go:build !windows

package atomicfile

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Write writes a file at once: a temporary file next to it is written, flushed to the disk and renamed over it. A
// reader sees the old content or the new one, whatever happens in between.
func Write(path string, b []byte) error {
	return renameio.WriteFile(path, b, 0o644, renameio.WithTempDir(filepath.Dir(path)))
}
