package dlblas

import (
	"fmt"
	"strings"
)

// control holds the functions that a library offers besides its routines. Missing functions are nil.
type control struct {
	setThreads func(n int)
	threads    func() int
	describe   func() string
}

// SetThreads sets the number of threads that the library may use, and reports whether it can be set. It is a setting of
// the process; do not change it while other goroutines are in the library.
func (l *Library) SetThreads(n int) bool {
	if n < 1 {
		panic("dlblas: fewer than one thread")
	}
	if l.control.setThreads == nil {
		return false
	}
	l.control.setThreads(n)
	return true
}

// Threads is the number of threads that the library may use; 1 for a library that has no setting.
func (l *Library) Threads() int {
	if l.control.threads == nil {
		return 1
	}
	return l.control.threads()
}

// Config is the library's own description of its version, build and kernels, or nothing.
func (l *Library) Config() string {
	if l.control.describe == nil {
		return ""
	}
	return strings.Join(strings.Fields(l.control.describe()), " ")
}

// lapackVersion returns a function that gives the version of LAPACK by ilaver, which every version has.
func lapackVersion(h handle) func() string {
	var ilaver func(major, minor, patch *int32)
	if !h.bind(&ilaver, "ilaver_") {
		return nil
	}
	return func() string {
		var major, minor, patch int32
		ilaver(&major, &minor, &patch)
		return fmt.Sprintf("LAPACK %d.%d.%d", major, minor, patch)
	}
}

func openblasControl(h handle) control {
	var set func(n int32)
	var get func() int32
	var config, core func() string
	var c control
	if h.bind(&set, "openblas_set_num_threads") {
		c.setThreads = func(n int) { set(int32(n)) }
	}
	if h.bind(&get, "openblas_get_num_threads") {
		c.threads = func() int { return int(get()) }
	}
	if h.bind(&config, "openblas_get_config") && h.bind(&core, "openblas_get_corename") {
		// The configuration names the core that the library was built for, the other function the one in use.
		c.describe = func() string { return config() + ", core in use: " + core() }
	}
	return c
}

func blisControl(h handle) control {
	var set func(n int64)
	var get func() int64
	var version func() string
	var id func() int32
	var name func(id int32) string
	var c control
	if h.bind(&set, "bli_thread_set_num_threads") {
		c.setThreads = func(n int) { set(int64(n)) }
	}
	if h.bind(&get, "bli_thread_get_num_threads") {
		c.threads = func() int { return max(1, int(get())) } // −1 before anybody has set it
	}
	if h.bind(&version, "bli_info_get_version_str") && h.bind(&id, "bli_arch_query_id") &&
		h.bind(&name, "bli_arch_string") {
		c.describe = func() string { return "BLIS " + version() + ", core in use: " + name(id()) }
	}
	return c
}
