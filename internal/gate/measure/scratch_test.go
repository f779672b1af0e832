//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package measure

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// scratchHelper is the repository of which TestHelperChecksOut checks out the last commit, to be killed then.
const scratchHelper = "MEASURE_TEST_REPOSITORY"

func TestHelperChecksOut(t *testing.T) {
	repo := os.Getenv(scratchHelper)
	if repo == "" {
		return
	}
	s, err := NewScratch()
	require.NoError(t, err)
	_, err = Checkout(t.Context(), s, repo, "HEAD")
	require.NoError(t, err)
	fmt.Println(s.Dir)
	select {}
}

// killed starts the helper, and kills it when it has a working tree. It returns what it left.
func killed(t *testing.T, repo string, before func(dir string)) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHelperChecksOut$")
	cmd.Env = append(os.Environ(), scratchHelper+"="+repo)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	before(lines.Text())
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	builds, err := filepath.Glob(filepath.Join(os.TempDir(), "measure-*")) // of the test binary itself
	require.NoError(t, err)
	for _, dir := range builds {
		require.NoError(t, os.RemoveAll(dir))
	}
	return lines.Text()
}

// What a killed process left is removed by the next, whichever repository that works on. As long as a process lives,
// nothing of it is touched.
func TestScratchOfTheDeadIsRemoved(t *testing.T) {
	repo, _ := repository(t)
	left := killed(t, repo, func(dir string) {
		s := scratch(t) // its Left is empty: the owner lives
		require.NoError(t, s.Remove())
		require.FileExists(t, filepath.Join(dir, lockFile))
	})
	trees, err := filepath.Glob(filepath.Join(left, "checkout-*", "tree", "mod", "go.mod"))
	require.NoError(t, err)
	require.Len(t, trees, 1)
	s, err := NewScratch()
	require.NoError(t, err)
	require.Equal(t, []string{left}, s.Left)
	require.NoDirExists(t, left)
	require.NoError(t, s.Remove())
	clean(t, repo)
}

// Git locks a working tree while it makes it; one that was never finished is forgotten all the same.
func TestScratchWithHalfATree(t *testing.T) {
	repo, git := repository(t)
	left := killed(t, repo, func(dir string) {
		trees, err := filepath.Glob(filepath.Join(dir, "checkout-*", "tree"))
		require.NoError(t, err)
		git("worktree", "lock", "--reason", "initializing", trees[0])
		require.NoError(t, os.RemoveAll(trees[0]))
	})
	git("worktree", "prune")
	s, err := NewScratch()
	require.NoError(t, err)
	require.Equal(t, []string{left}, s.Left)
	require.NoError(t, s.Remove())
	clean(t, repo)
}

// A repository that is gone by then keeps nothing from being removed.
func TestScratchWithoutItsRepository(t *testing.T) {
	repo, _ := repository(t)
	left := killed(t, repo, func(string) {})
	require.NoError(t, os.RemoveAll(repo))
	require.Equal(t, []string{left}, sweep(os.TempDir()))
	require.NoDirExists(t, left)
}

// What nobody can be said to have left is not touched: a directory without a lock that is not empty, or is fresh; a
// link; a file; another name.
func TestScratchLeavesOthersAlone(t *testing.T) {
	temp := t.TempDir()
	make := func(name string, age time.Duration) string {
		dir := filepath.Join(temp, name)
		require.NoError(t, os.Mkdir(dir, 0o755))
		past := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(dir, past, past))
		return dir
	}
	make("thm-bench-fresh", 0)
	old := make("thm-bench-old", 2*abandoned)
	full := make("thm-bench-full", 0)
	require.NoError(t, os.WriteFile(filepath.Join(full, "file"), nil, 0o644))
	require.NoError(t, os.Chtimes(full, time.Now().Add(-2*abandoned), time.Now().Add(-2*abandoned)))
	other := make("other-1", 2*abandoned)
	require.NoError(t, os.WriteFile(filepath.Join(other, lockFile), nil, 0o644))
	require.NoError(t, os.Symlink(other, filepath.Join(temp, "thm-bench-link")))
	require.NoError(t, os.WriteFile(filepath.Join(temp, "thm-bench-file"), nil, 0o644))
	require.Equal(t, []string{old}, sweep(temp))
	for _, name := range []string{"thm-bench-fresh", "thm-bench-full/file", "other-1/.lock", "thm-bench-link",
		"thm-bench-file"} {
		_, err := os.Lstat(filepath.Join(temp, name))
		require.NoError(t, err, name)
	}
	require.Empty(t, sweep(filepath.Join(temp, "nowhere")))

	// nobody locks it, but it is not ours
	if os.Getuid() == 0 {
		theirs := make("thm-bench-theirs", 0)
		require.NoError(t, os.WriteFile(filepath.Join(theirs, lockFile), nil, 0o600))
		require.NoError(t, os.Chown(theirs, 12345, -1))
		require.Empty(t, sweep(temp))
		require.NoError(t, os.Chown(theirs, 0, -1))
		require.Equal(t, []string{theirs}, sweep(temp))
	}
}
