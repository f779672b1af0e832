package measure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Scratch is a temporary directory for binaries and working trees. A process that ends in order removes it. One that is
// killed cannot: it leaves the directory and what git knows of the trees in it, until the next NewScratch finds them.
//
// Whether the owner of a directory still lives is told by a lock on a file in it, which the system releases however the
// owner ends. The number of a process would not tell: numbers are used again, and two containers that share a
// directory do not see each other's processes.
type Scratch struct {
	Dir  string
	Left []string // directories of ended processes that were removed on the way

	lock *os.File
}

const (
	scratchPrefix = "thm-bench-"
	lockFile      = ".lock" // lines of it name the repositories that have working trees in the directory
)

// abandoned is the age from which an empty directory without a lock is nobody's: its owner was killed between making
// the directory and locking it, which takes no time.
const abandoned = time.Hour

// NewScratch makes a directory, after removing what processes that ended have left. The caller must call Remove.
func NewScratch() (*Scratch, error) {
	s := &Scratch{Left: sweep(os.TempDir())}
	for range 100 {
		dir, err := os.MkdirTemp("", scratchPrefix+"*")
		if err != nil {
			return nil, err
		}
		at := filepath.Join(dir, lockFile)
		lock, err := os.OpenFile(at, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		busy := errors.Is(tryLock(lock), errLocked)
		if _, err := os.Stat(at); busy || err != nil { // the sweep of another process was faster
			_ = lock.Close()
			continue
		}
		s.Dir, s.lock = dir, lock
		return s, nil
	}
	return nil, fmt.Errorf("no directory in %s could be locked", os.TempDir())
}

// Remove removes the directory. Working trees in it are removed before, by their own Remove.
func (s *Scratch) Remove() error {
	closed := s.lock.Close() // some systems do not remove open files
	return errors.Join(closed, os.RemoveAll(s.Dir))
}

// serves notes that a repository gets a working tree in the directory.
func (s *Scratch) serves(repo string) error {
	_, err := s.lock.WriteString(repo + "\n")
	return err
}

// sweep removes the directories of processes that have ended, with their working trees, and returns which. It never
// fails: what cannot be removed is left to the next.
func sweep(temp string) (removed []string) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), scratchPrefix) {
			if dir := filepath.Join(temp, e.Name()); removeEnded(dir) {
				removed = append(removed, dir)
			}
		}
	}
	return removed
}

// removeEnded removes a directory if its owner has ended.
func removeEnded(dir string) bool {
	if info, err := os.Lstat(dir); err != nil || !ours(info) {
		return false // the list of repositories is only believed if we wrote it
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		info, err := os.Stat(dir)
		// unless it is empty this does nothing
		return err == nil && time.Since(info.ModTime()) > abandoned && os.Remove(dir) == nil
	}
	if err != nil {
		return false
	}
	defer lock.Close()
	if tryLock(lock) != nil {
		return false // its owner lives, or there are no locks here
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for lines := bufio.NewScanner(lock); lines.Scan(); {
		forget(ctx, lines.Text(), dir)
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != lockFile { // as long as it is there the rest can be removed by the next
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err == nil && os.RemoveAll(dir) == nil
}

// forget removes a repository's working trees below a directory, also those that git was about to make: it locks a
// tree until it is complete, and git worktree prune passes over locked ones.
func forget(ctx context.Context, repo, dir string) {
	if info, err := os.Stat(repo); err != nil || !info.IsDir() {
		return // the repository is gone, and with it all that it knew
	}
	list, err := command(ctx, repo, nil, "git", "worktree", "list", "--porcelain")
	if err != nil {
		return
	}
	real, err := filepath.EvalSymlinks(dir) // as git has it
	if err != nil {
		return
	}
	for line := range strings.Lines(list) {
		tree, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree ")
		if ok && strings.HasPrefix(filepath.FromSlash(tree), real+string(filepath.Separator)) {
			_, _ = command(ctx, repo, nil, "git", "worktree", "remove", "--force", "--force", tree)
		}
	}
	_, _ = command(ctx, repo, nil, "git", "worktree", "prune")
}
