package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Worktree is another revision of a repository, checked out in a temporary directory.
type Worktree struct {
	Commit string
	Dir    string // where the directory it was made for lies in that revision
	root   string // of the working tree
	repo   string // of the repository it belongs to
}

// Checkout checks out a revision of the repository that holds dir, in a directory of its own in the scratch. The caller
// must call Remove.
func Checkout(ctx context.Context, scratch *Scratch, dir, revision string) (*Worktree, error) {
	top, err := command(ctx, dir, nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%s is not in a git repository, so there is no revision to compare with: %w", dir, err)
	}
	repo := strings.TrimSpace(top)
	commit, err := command(ctx, dir, nil, "git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision+
		"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("git does not know the revision %q; try git log --oneline, or git fetch where the clone is "+
			"shallow", revision)
	}
	prefix, err := command(ctx, dir, nil, "git", "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	if err := scratch.serves(repo); err != nil {
		return nil, err
	}
	parent, err := os.MkdirTemp(scratch.Dir, "checkout-*")
	if err != nil {
		return nil, err
	}
	w := &Worktree{Commit: strings.TrimSpace(commit), root: filepath.Join(parent, "tree"), repo: repo}
	w.Dir = filepath.Join(w.root, strings.TrimSpace(prefix))
	if _, err := command(ctx, repo, nil, "git", "worktree", "add", "--quiet", "--detach", w.root,
		w.Commit); err != nil {
		return nil, errors.Join(err, w.Remove())
	}
	if _, err := os.Stat(w.Dir); err != nil {
		return nil, errors.Join(fmt.Errorf("revision %s has no directory %s", revision, strings.TrimSpace(prefix)),
			w.Remove())
	}
	return w, nil
}

// Commit is one of a history.
type Commit struct{ Hash, Subject string }

func (c Commit) String() string { return c.Hash[:min(10, len(c.Hash))] + " " + c.Subject }

// Commits are those after one revision up to another, along first parents, the oldest first.
func Commits(ctx context.Context, dir, after, upTo string) (all []Commit, _ error) {
	out, err := command(ctx, dir, nil, "git", "log", "--first-parent", "--reverse", "--format=%H %s", "--end-of-options",
		after+".."+upTo)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, Commit{hash, subject})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no commit after %s up to %s", after, upTo)
	}
	return all, nil
}

// Setup runs a shell command at the root of the checkout, which holds no generated files yet.
func (w *Worktree) Setup(ctx context.Context, script string) error {
	_, err := command(ctx, w.root, nil, "sh", "-c", script)
	return err
}

// Remove removes the directory and git's knowledge of it. It works also after the context of Checkout has ended.
func (w *Worktree) Remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, _ = command(ctx, w.repo, nil, "git", "worktree", "remove", "--force", w.root) // it may never have come to be
	err := os.RemoveAll(filepath.Dir(w.root))
	_, pruned := command(ctx, w.repo, nil, "git", "worktree", "prune")
	return errors.Join(err, pruned)
}
