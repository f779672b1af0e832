package counter

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// pretendedKernel answers as told, and knows what is open.
type pretendedKernel struct {
	raw      []byte
	opening  []error // of the calls of open, one after the other; then none
	reading  error
	opened   map[int]bool
	highest  int
	misnamed bool // a descriptor was used that is not open
}

func (k *pretendedKernel) open() (int, error) {
	if len(k.opening) > 0 {
		err := k.opening[0]
		k.opening = k.opening[1:]
		if err != nil {
			return -1, err
		}
	}
	if k.opened == nil {
		k.opened = map[int]bool{}
	}
	k.highest++
	k.opened[k.highest] = true
	return k.highest, nil
}

func (k *pretendedKernel) read(fd int, into []byte) (int, error) {
	k.misnamed = k.misnamed || !k.opened[fd]
	return copy(into, k.raw), k.reading
}

func (k *pretendedKernel) file(fd int) (*os.File, error) {
	k.misnamed = k.misnamed || !k.opened[fd]
	return os.Open(os.DevNull)
}

func (k *pretendedKernel) close(fd int) error {
	k.misnamed = k.misnamed || !k.opened[fd]
	delete(k.opened, fd)
	return nil
}

func counted(value, enabled, running uint64) []byte {
	raw := make([]byte, 24)
	for i, x := range []uint64{value, enabled, running} {
		binary.NativeEndian.PutUint64(raw[8*i:], x)
	}
	return raw
}

// A count stands only if the counter counted all the time; whatever happens, no descriptor stays open.
func TestHardware(t *testing.T) {
	for name, c := range map[string]struct {
		kernel *pretendedKernel
		want   string // of the error; empty for a count
	}{
		"all the time":                {&pretendedKernel{raw: counted(77, 10, 10)}, ""},
		"longer running than enabled": {&pretendedKernel{raw: counted(77, 10, 11)}, ""},
		"multiplexed":                 {&pretendedKernel{raw: counted(77, 10, 9)}, "lent to others"},
		"never scheduled":             {&pretendedKernel{raw: counted(0, 10, 0)}, "lent to others"},
		"never begun":                 {&pretendedKernel{raw: counted(0, 0, 0)}, "counted nothing"},
		"stands still":                {&pretendedKernel{raw: counted(0, 10, 10)}, "counted nothing"},
		"short answer":                {&pretendedKernel{raw: counted(77, 10, 10)[:16]}, "16 bytes of 24"},
		"unreadable":                  {&pretendedKernel{reading: unix.EIO}, "reading the hardware counter: input/output"},
		"no more counters": {&pretendedKernel{opening: []error{nil, unix.EMFILE}, raw: counted(77, 10, 10)},
			"opening the hardware counter: too many open files"},
	} {
		h, err := newHardwareOf(c.kernel)
		require.NoError(t, err, name)
		counts, err := h.Count(t.Context(), Process{Path: "/bin/true", Limit: time.Minute,
			Read: func([]byte) error { return nil }})
		if c.want == "" {
			require.NoError(t, err, name)
			require.EqualValues(t, 77, counts.Instructions, name)
		} else {
			require.ErrorContains(t, err, c.want, name)
			require.Equal(t, c.want == "lent to others", errors.Is(err, ErrShared), name)
		}
		require.Empty(t, c.kernel.opened, name)
		require.False(t, c.kernel.misnamed, name)
	}
}

// A kernel without counters, or one that forbids them, is known before anything is measured, and says which it is.
func TestHardwareAbsent(t *testing.T) {
	for err, want := range map[error]string{
		unix.ENOENT: "the kernel has no hardware counter (no such file or directory)",
		unix.ENODEV: "the kernel has no hardware counter",
		unix.ENOSYS: "the kernel has no hardware counter",
		unix.EACCES: "the kernel forbids hardware counters (permission denied: sysctl kernel.perf_event_paranoid",
		unix.EPERM:  "a container must allow perf_event_open",
	} {
		_, got := newHardwareOf(&pretendedKernel{opening: []error{err}})
		require.ErrorContains(t, got, want)
		require.NotContains(t, got.Error(), "\n")
	}
}

// What the process does wrong is said as it is under the simulator.
func TestHardwareOfBadProcesses(t *testing.T) {
	fine := func([]byte) error { return nil }
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for want, c := range map[string]struct {
		ctx context.Context
		p   Process
	}{
		"exit status 3": {t.Context(), Process{Args: []string{"-c", "exit 3"}, Limit: time.Minute, Read: fine}},
		"did not end within 50ms": {t.Context(), Process{Args: []string{"-c", "exec sleep 60"},
			Limit: 50 * time.Millisecond, Read: fine}},
		"context canceled": {cancelled, Process{Args: []string{"-c", ":"}, Limit: time.Minute, Read: fine}},
		"ended after 3 of 5": {t.Context(), Process{Args: []string{"-c", "echo 3"}, Limit: time.Minute,
			Read: func(out []byte) error {
				require.Equal(t, "3\n", string(out))
				return errors.New("ended after 3 of 5")
			}}},
	} {
		k := &pretendedKernel{raw: counted(77, 10, 10)}
		h, err := newHardwareOf(k)
		require.NoError(t, err)
		c.p.Path = "/bin/sh"
		_, err = h.Count(c.ctx, c.p)
		require.ErrorContains(t, err, want)
		require.Empty(t, k.opened)
	}
}
