package blas

import "syscall"

// yield lets another thread have the processor, if one waits for it: the one that is waited for, perhaps.
func yield() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
