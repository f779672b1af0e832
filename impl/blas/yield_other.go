//go:build !linux

package blas

import "runtime"

// yield lets another goroutine have the thread, if one waits for it.
func yield() { runtime.Gosched() }
