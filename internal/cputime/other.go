//go:build !unix

package cputime

import "time"

var began = time.Now()

// Process is the time on the clock where the system does not say how much this process has used.
func Process() float64 { return time.Since(began).Seconds() }
