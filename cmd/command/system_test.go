//go:build system

package command

import "testing"

// Scripts of what measures, trains, or calls tools that the go command has to build first.
func TestSystemScripts(t *testing.T) { runScripts(t, "testdata/system") }
