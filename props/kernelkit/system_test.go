//go:build system

package kernelkit

import (
	"strings"
	"testing"
)

func TestGonumRepeats(t *testing.T) {
	holdToWaivers(t, "gonum", func(check string) bool { return strings.HasSuffix(check, "/repeatable") })
}
