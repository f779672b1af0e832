package blas

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// largePages is the length from which memory is asked for in large pages, as NumPy has it: 4 MiB.
const largePages = 1 << 19

// adviseLargePages asks the system to serve fresh memory in large pages. A stack is read from one end to the other, and
// small pages stop the processor from reading ahead every 4 KiB: products of order 8 take half of the time. It is a
// hint, and affects nothing but time.
func adviseLargePages(x []float64) {
	if len(x) < largePages {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 8*len(x))
	page := unix.Getpagesize()
	if off := int(uintptr(unsafe.Pointer(&x[0])) % uintptr(page)); off != 0 {
		bytes = bytes[page-off:]
	}
	_ = unix.Madvise(bytes, unix.MADV_HUGEPAGE)
}

// adviseAligned asks for large pages for the part of x that fills whole pages of page numbers each, and returns that
// part.
func adviseAligned(x []float64, page int) []float64 {
	first := (page - int(uintptr(unsafe.Pointer(&x[0]))/8%uintptr(page))) % page
	x = x[first : first+(len(x)-first)/page*page]
	_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 8*len(x)), unix.MADV_HUGEPAGE)
	return x
}
