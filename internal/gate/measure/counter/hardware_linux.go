package counter

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hardware counts with the processor's own counter, in user mode. A thread that opens it hands it on to the processes
// that it starts; their counts are added to its own when they end.
type hardware struct{ kernel kernel }

// kernel lists the calls that we make to the kernel. Tests put another in its place: machines without counters, as most
// virtual ones are, leave only the calls of perf untested.
type kernel interface {
	open() (fd int, err error)
	read(fd int, into []byte) (int, error)
	// file is a copy of a descriptor that a child can get.
	file(fd int) (*os.File, error)
	close(fd int) error
}

func newHardware() (Counter, error) { return newHardwareOf(perf{}) }

// newHardwareOf tries to open a counter, so that a kernel without one is known before anything is measured.
func newHardwareOf(k kernel) (Counter, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, err := k.open()
	switch {
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return nil, fmt.Errorf("the kernel forbids hardware counters (%w: sysctl kernel.perf_event_paranoid must be at "+
			"most 2, and a container must allow perf_event_open)", err)
	case err != nil:
		return nil, fmt.Errorf("the kernel has no hardware counter (%w)", err)
	}
	return hardware{k}, k.close(fd)
}

// perf is the kernel's interface perf_event_open.
type perf struct{}

// open opens a counter that is off until a child asks for it. The times say whether it counted all the while.
func (perf) open() (int, error) {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
	attr.Size = uint32(unsafe.Sizeof(attr))
	return unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
}

func (perf) read(fd int, into []byte) (int, error) { return unix.Read(fd, into) }

func (perf) file(fd int) (*os.File, error) {
	copied, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(copied), "counter"), nil
}

func (perf) close(fd int) error { return unix.Close(fd) }

func (hardware) String() string { return "hardware, user mode" }

func (hardware) Caches() bool { return false }

func (h hardware) Count(ctx context.Context, p Process) (Counts, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, err := h.kernel.open()
	if err != nil {
		return Counts{}, fmt.Errorf("opening the hardware counter: %w", err)
	}
	defer func() { _ = h.kernel.close(fd) }() // it was only read
	limited, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	file, err := h.kernel.file(fd)
	if err != nil {
		return Counts{}, fmt.Errorf("handing on the hardware counter: %w", err)
	}
	defer file.Close()
	p.Env = append(p.Env[:len(p.Env):len(p.Env)], Variable+"=perf")
	cmd := command(limited, p, p.Path, p.Args)
	cmd.ExtraFiles = []*os.File{file} // the descriptor 3
	var printed bytes.Buffer
	cmd.Stdout = &printed
	if err := cmd.Run(); err != nil {
		return Counts{}, ended(limited, p, err)
	}
	if err := p.Read(printed.Bytes()); err != nil {
		return Counts{}, err
	}
	var raw [24]byte
	n, err := h.kernel.read(fd, raw[:])
	if err != nil {
		return Counts{}, fmt.Errorf("reading the hardware counter: %w", err)
	}
	if n != len(raw) {
		return Counts{}, fmt.Errorf("reading the hardware counter: %d bytes of %d", n, len(raw))
	}
	return interpret(raw)
}

// interpret refuses a count of less than the whole time: the rest would be an extrapolation.
func interpret(raw [24]byte) (Counts, error) {
	value, enabled, running := binary.NativeEndian.Uint64(raw[:]), binary.NativeEndian.Uint64(raw[8:]),
		binary.NativeEndian.Uint64(raw[16:])
	switch {
	case running < enabled:
		return Counts{}, ErrShared
	case running == 0 || value == 0:
		return Counts{}, errors.New("the hardware counter counted nothing")
	}
	return Counts{Instructions: float64(value), Cycles: math.NaN()}, nil
}
