//go:build system

package main

import "testing"

// Scripts of what measures, trains, or calls tools that the go command has to build first.
func TestSystemScripts(t *testing.T) { runScripts(t, "testdata/system") }
