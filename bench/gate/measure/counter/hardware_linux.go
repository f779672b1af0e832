package counter

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hardware counts with the processor's own counter, in user mode. A thread that opens it hands it on to the processes
// that it starts; their counts are added to its own when they end.
type hardware struct{}

func newHardware() (Counter, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, err := openCounter()
	if err != nil {
		return nil, fmt.Errorf("the kernel gives no hardware counter (%w)", err)
	}
	return hardware{}, unix.Close(fd)
}

// openCounter begins at the exec of a child, and not before. The times say whether it counted all the while.
func openCounter() (int, error) {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel |
			unix.PerfBitExcludeHv}
	attr.Size = uint32(unsafe.Sizeof(attr))
	return unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
}

func (hardware) String() string { return "hardware, user mode" }

func (hardware) Note() string { return "" }

func (hardware) Count(ctx context.Context, p Process) (Counts, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, err := openCounter()
	if err != nil {
		return Counts{}, err
	}
	defer unix.Close(fd)
	limited, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	cmd := command(limited, p, p.Path, p.Args)
	var printed bytes.Buffer
	cmd.Stdout = &printed
	if err := cmd.Run(); err != nil {
		return Counts{}, ended(limited, p, err)
	}
	if err := p.Read(printed.Bytes()); err != nil {
		return Counts{}, err
	}
	var raw [24]byte
	if n, err := unix.Read(fd, raw[:]); err != nil || n != len(raw) {
		return Counts{}, fmt.Errorf("reading the counter: %d bytes, %w", n, err)
	}
	return interpret(raw)
}

// interpret refuses a count of less than the whole time: the rest would be an extrapolation.
func interpret(raw [24]byte) (Counts, error) {
	value, enabled, running := binary.NativeEndian.Uint64(raw[:]), binary.NativeEndian.Uint64(raw[8:]),
		binary.NativeEndian.Uint64(raw[16:])
	if running == 0 || running < enabled {
		return Counts{}, errors.New("the hardware counter was lent to others for a while")
	}
	return Counts{Instructions: float64(value), Cycles: math.NaN()}, nil
}
