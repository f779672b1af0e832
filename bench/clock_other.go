//go:build !unix

package bench

import "time"

var began = time.Now()

// ProcessSeconds is the time on the clock where the system does not say how much this process has used.
func ProcessSeconds() float64 { return time.Since(began).Seconds() }
