//go:build unix

package cputime

import "syscall"

// Process is the processor time that this process has used, all threads together.
func Process() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("cputime: getrusage: " + err.Error()) // it fails on bad arguments only
	}
	return float64(u.Utime.Sec) + float64(u.Stime.Sec) + 1e-6*(float64(u.Utime.Usec)+float64(u.Stime.Usec))
}
