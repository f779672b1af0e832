package reports

import "github.com/thm-suite/thm/internal/atomicfile"

// WriteFile writes a file at once, as [atomicfile.Write] does: a reader sees the old content or the new one.
func WriteFile(path string, b []byte) error { return atomicfile.Write(path, b) }
