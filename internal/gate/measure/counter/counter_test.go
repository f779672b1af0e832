package counter

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	c, err := parse([]byte("desc: I1 cache\ncmd: x\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\nfl=a\n" +
		"summary: 1000 1 2 300 30 4 200 20 5\n"))
	require.NoError(t, err)
	require.Equal(t, Counts{1000, 1000 + 10*(1+30+20) + 100*(2+4+5)}, c)
	c, err = parse([]byte("events: Ir\nsummary: 1,234\n"))
	require.NoError(t, err)
	require.EqualValues(t, 1234, c.Instructions)
	require.True(t, math.IsNaN(c.Cycles))
	for _, bad := range []string{"", "events: Ir\n", "events: Ir\nsummary: 1 2\n", "events: Ir\nsummary: many\n"} {
		_, err := parse([]byte(bad))
		require.Error(t, err, bad)
	}
}

// Without valgrind and counters one line says what to install.
func TestFindSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Find(t.Context(), true)
	require.ErrorContains(t, err, "apt-get install valgrind")
	require.NotContains(t, err.Error(), "\n")
}

// pretend puts a program in the place of valgrind.
func pretend(t *testing.T, script string) Counter {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "valgrind"), []byte("#!/bin/sh\n"+
		`[ "$1" = --version ] && { echo valgrind-0; exit; }`+"\n"+
		`for a; do case $a in --log-file=*) log=${a#*=};; --cachegrind-out-file=*) out=${a#*=};; esac; done`+"\n"+
		script+"\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	c, err := Find(t.Context(), true)
	require.NoError(t, err)
	return c
}

func TestCachegrind(t *testing.T) {
	p := Process{Path: "/bin/true", Limit: time.Minute, Read: func(out []byte) error {
		require.Equal(t, "printed\n", string(out))
		return nil
	}}
	c := pretend(t, `echo printed; printf 'events: Ir D1mr\nsummary: 50 2\n' >"$out"`)
	require.Equal(t, "cachegrind of valgrind-0", c.String())
	require.Contains(t, c.Note(), "AVX2")
	counts, err := c.Count(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, Counts{50, 70}, counts)

	_, err = pretend(t, `echo 'vex: Unrecognised instruction at address' >"$log"; exit 4`).Count(t.Context(), p)
	require.ErrorContains(t, err, "does not know an instruction")
	_, err = pretend(t, `exit 4`).Count(t.Context(), p)
	require.ErrorContains(t, err, "exit status 4")
	p.Limit = 50 * time.Millisecond
	_, err = pretend(t, `exec sleep 60`).Count(t.Context(), p)
	require.ErrorContains(t, err, "did not end within 50ms")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = pretend(t, `echo`).Count(ctx, p)
	require.ErrorIs(t, err, context.Canceled)
}

// A loop of twice the length has twice the instructions, whichever counter this machine has.
func TestCountIsOfThePrograms(t *testing.T) {
	c, err := Find(t.Context(), false)
	if err != nil {
		t.Skipf("this machine counts nothing: %v", err)
	}
	count := func(n string) float64 {
		counts, err := c.Count(t.Context(), Process{Path: "/bin/sh",
			Args: []string{"-c", "i=0; while [ $i -lt " + n + " ]; do i=$((i+1)); done"}, Limit: time.Minute,
			Read: func([]byte) error { return nil }, Prepare: func(*exec.Cmd) {}})
		require.NoError(t, err)
		return counts.Instructions
	}
	start, once, twice := count("0"), count("20000"), count("40000")
	require.InDelta(t, 2, (twice-start)/(once-start), 0.01)
}
