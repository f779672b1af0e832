package study

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// ReadPacked reads a file of lines, compressed or not.
func ReadPacked(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err == nil {
		const highest = 1 << 28 // a study of 100 000 comparisons
		text, err = io.ReadAll(io.LimitReader(z, highest))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
