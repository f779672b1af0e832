package measure

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// repository is a git repository with the fake module in its directory mod, and a function that runs git in it.
func repository(t *testing.T) (dir string, git func(args ...string)) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("TMPDIR", t.TempDir()) // so that nothing can be left unnoticed
	require.NoError(t, os.CopyFS(filepath.Join(dir, "mod"), os.DirFS("testdata/fake")))
	git = func(args ...string) {
		t.Helper()
		who := []string{"-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"}
		cmd := exec.Command("git", append(who, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "-m", "first")
	return dir, git
}

func scratch(t *testing.T) *Scratch {
	t.Helper()
	s, err := NewScratch()
	require.NoError(t, err)
	require.Empty(t, s.Left)
	return s
}

// clean fails the test unless git and the file system have forgotten all other working trees.
func clean(t *testing.T, dir string) {
	t.Helper()
	out, err := command(t.Context(), dir, nil, "git", "worktree", "list")
	require.NoError(t, err)
	require.NotContains(t, out, "thm-bench")
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestWorktreeComesAndGoes(t *testing.T) {
	dir, git := repository(t)
	mod := filepath.Join(dir, "mod")
	require.NoError(t, os.WriteFile(filepath.Join(mod, "sum", "sum.go"), []byte("package sum\n\nconst Factor = 2\n"),
		0o644))
	commit, dirty := Revision(t.Context(), mod)
	require.Len(t, commit, 40)
	require.True(t, dirty)
	git("commit", "--quiet", "-am", "second")
	_, dirty = Revision(t.Context(), mod)
	require.False(t, dirty)

	scratch := scratch(t)
	w, err := Checkout(t.Context(), scratch, mod, "HEAD~1")
	require.NoError(t, err)
	require.Equal(t, commit, w.Commit)
	text, err := os.ReadFile(filepath.Join(w.Dir, "sum", "sum.go"))
	require.NoError(t, err)
	require.Contains(t, string(text), "Factor = 1.0")
	require.NoError(t, w.Setup(t.Context(), "echo made >mod/generated.txt"))
	require.FileExists(t, filepath.Join(w.Dir, "generated.txt"))
	require.ErrorContains(t, w.Setup(t.Context(), "echo no luck; exit 3"), "no luck")
	require.NoError(t, w.Remove())
	require.NoDirExists(t, w.Dir)
	require.NoError(t, scratch.Remove())
	clean(t, dir)
}

func TestCheckoutRefuses(t *testing.T) {
	dir, _ := repository(t)
	scratch := scratch(t)
	for _, revision := range []string{"nowhere", "", "--help", "HEAD:mod"} {
		_, err := Checkout(t.Context(), scratch, dir, revision)
		require.ErrorContains(t, err, "git does not know the revision", revision)
	}
	_, err := Checkout(t.Context(), scratch, "/", "HEAD")
	require.ErrorContains(t, err, "is not in a git repository")

	// a directory that the revision does not have
	require.NoError(t, os.Mkdir(filepath.Join(dir, "fresh"), 0o755))
	_, err = Checkout(t.Context(), scratch, filepath.Join(dir, "fresh"), "HEAD")
	require.ErrorContains(t, err, "has no directory fresh/")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Checkout(ctx, scratch, dir, "HEAD")
	require.Error(t, err)
	require.NoError(t, scratch.Remove())
	clean(t, dir)
	commit, _ := Revision(t.Context(), "/")
	require.Empty(t, commit)
}
