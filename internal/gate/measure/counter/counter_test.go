package counter

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	c, err := parse([]byte("desc: I1 cache\ncmd: x\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nfl=a\n" +
		"summary: 0\ntotals: 1000 300 200 1 30 20 2 4 5\n"))
	require.NoError(t, err)
	require.EqualValues(t, 1000, c.Instructions)
	require.EqualValues(t, 1000+10*(1+30+20)+100*(2+4+5), c.Cycles)
	c, err = parse([]byte("events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\ntotals: 1000 300 200 1 30\n"))
	require.NoError(t, err)
	require.EqualValues(t, 1000+10*31, c.Cycles, "zeros at the end are left out")
	c, err = parse([]byte("events: Ir\ntotals: 1234\n"))
	require.NoError(t, err)
	require.EqualValues(t, 1234, c.Instructions)
	require.True(t, math.IsNaN(c.Cycles))
	for _, bad := range []string{"", "events: Ir\n", "events: Ir\ntotals: 1 2\n", "events: Ir\ntotals: many\n"} {
		_, err := parse([]byte(bad))
		require.Error(t, err, bad)
	}
}

// A function has its own instructions, those inlined into it included, and not those of what it calls.
func TestFunctions(t *testing.T) {
	require.Equal(t, map[string]float64{"a": 1 + 2 + 4 + 8, "b": 16, "c.d": 32}, functions([]byte("events: Ir\n\n"+
		"fl=(1) x.go\nfn=(1) a\n10 1\n+1 2 7 7\nfi=(2) y.go\n* 4\nfe=(1)\n-3 8\ncfn=(2) b\ncalls=3 9\n12 500\n\n"+
		"fn=(3) c.d\n1 32\n\nfn=(2)\n1 16\ncfi=(1)\ncfn=(1)\ncalls=1 1\n* 600\ntotals: 63\n")))
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
		`for a; do case $a in --log-file=*) log=${a#*=};; --callgrind-out-file=*) out=${a#*=};; esac; done`+"\n"+
		script+"\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	c, err := Find(t.Context(), true)
	require.NoError(t, err)
	return c
}

func TestCallgrind(t *testing.T) {
	p := Process{Path: "/bin/true", Limit: time.Minute, Read: func(out []byte) error {
		require.Equal(t, "printed\n", string(out))
		return nil
	}}
	c := pretend(t, `echo printed; printf 'events: Ir D1mr\ntotals: 50 2\n' >"$out"`)
	require.Equal(t, "callgrind of valgrind-0", c.String())
	require.True(t, c.Caches())
	counts, err := c.Count(t.Context(), p)
	require.NoError(t, err)
	require.EqualValues(t, 50, counts.Instructions)
	require.EqualValues(t, 70, counts.Cycles)

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

// What the emulated processor lacks is named; what is not known lacks nothing.
func TestLacking(t *testing.T) {
	require.Equal(t, []string{"avx2", "sha_ni", "vaes"}, Lacking("12 20000020 200 10", "12 0 0 10"))
	require.Empty(t, Lacking("0 0 0 0", "ffffffff ffffffff ffffffff ffffffff"))
	for _, unknown := range []string{"", "1 2 3", "x 2 3 4"} {
		require.Empty(t, Lacking(unknown, "0 0 0 0"))
		require.Empty(t, Lacking("ffffffff 0 0 0", unknown))
	}
}
