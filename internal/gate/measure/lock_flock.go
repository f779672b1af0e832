//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package measure

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked by another process")

// tryLock locks a file for as long as this process has it open. Programs that this one starts do not inherit it. Any
// other error than errLocked means that there are no locks here.
func tryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// ours reports whether a file belongs to the user of this process.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
