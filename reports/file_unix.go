//go:build !windows

package reports

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// WriteFile writes a file at once: a temporary file beside it is written, flushed to the disk and renamed over it. A
// reader sees the old content or the new one, whatever happens in between.
func WriteFile(path string, b []byte) error {
	return renameio.WriteFile(path, b, 0o644, renameio.WithTempDir(filepath.Dir(path)))
}
