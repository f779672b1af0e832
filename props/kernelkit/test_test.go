package kernelkit

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// refused are tests of kernels that must fail, by the kernel, the variables, and what they say.
var refused = map[string]struct {
	kernel         Kernel
	variable, says string
}{
	"offers nothing": {Kernel{Name: "nothing"}, "THM_SEED=1", `kernel "nothing": nothing ran: it offers neither`},
	"effort":         {sound(), "THM_EFFORT=huge", "THM_EFFORT=huge: want one of"},
	"seed":           {sound(), "THM_SEED=-1", "THM_SEED=-1: want a non-negative integer"},
	"no limit":       {sound(), "THM_TIMEOUT=0s", "THM_TIMEOUT=0s: want a positive duration"},
	"no duration":    {sound(), "THM_TIMEOUT=soon", "THM_TIMEOUT=soon: want a positive duration"},
}

func TestRefusedFixture(t *testing.T) {
	c, ok := refused[os.Getenv("THM_REFUSED")]
	if !ok {
		t.Skip("runs as a process of its own, from TestRefused")
	}
	Test(t, c.kernel)
}

func TestRefused(t *testing.T) {
	for name, c := range refused {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRefusedFixture$")
		cmd.Env = append(os.Environ(), "THM_EFFORT=", "THM_SEED=", "THM_TIMEOUT=", "THM_REFUSED="+name, c.variable)
		out, err := cmd.CombinedOutput()
		require.Error(t, err, name)
		require.Contains(t, string(out), c.says, name)
	}
}

func TestLimitFromTheEnvironment(t *testing.T) {
	t.Setenv("THM_TIMEOUT", "")
	require.Equal(t, 3*time.Minute, testOptions(t).Limit)
	t.Setenv("THM_TIMEOUT", "90s")
	require.Equal(t, 90*time.Second, testOptions(t).Limit)
}
