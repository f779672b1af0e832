//go:build unix

package measure

import (
	"os/exec"
	"syscall"
	"time"
)

// detach gives a process a group of its own: Ctrl-C at the terminal reaches this program alone, which then ends the
// whole group. A sample that is cut short is never mistaken for one that failed.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// interruptGently makes the end of the context a Ctrl-C to the process and its children, so that they can tidy up.
// After a while it is serious.
func interruptGently(cmd *exec.Cmd) {
	detach(cmd)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 10 * time.Second
}
