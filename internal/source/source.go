// Package source identifies the source from which the running program was built.
package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// State identifies the source and the build of a program.
type State struct {
	Commit   string   // empty where nothing says it
	Modified bool     // the tree had changes that were not committed
	Build    []string // KEY=VALUE settings of the compiler, those that are set
	Binary   string   // SHA-256 of the program's file; empty where it cannot be read
}

// Name is the commit with a mark of changes, and the program itself where that does not identify a source.
func (s State) Name() string {
	switch {
	case s.Commit == "":
		return "program " + s.Binary
	case s.Modified:
		return s.Commit + " with changes, program " + s.Binary
	}
	return s.Commit
}

// Same reports whether two programs were built from the same source: from one commit without changes, or they are one
// program.
func (s State) Same(other State) bool {
	if s.Binary != "" && s.Binary == other.Binary {
		return true
	}
	return s.Commit != "" && s.Commit == other.Commit && !s.Modified && !other.Modified
}

// Now is the state of the running program. Where go build has left no commit, as in a program of go run or go test, the
// tree in which that was called says it.
var Now = sync.OnceValue(func() State {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return State{}
	}
	s := State{Build: settings(info)}
	for _, set := range info.Settings {
		switch set.Key {
		case "vcs.revision":
			s.Commit = set.Value
		case "vcs.modified":
			s.Modified = set.Value == "true"
		}
	}
	path, err := os.Executable()
	if err != nil {
		return s
	}
	s.Binary = digest(path)
	if s.Commit == "" && temporary(path) {
		s.Commit, s.Modified = ofTree(info.Main.Path)
	}
	return s
})

// settings lists what the compiler was told.
func settings(info *debug.BuildInfo) []string {
	out := []string{}
	for _, set := range info.Settings {
		if set.Value != "" && !strings.HasPrefix(set.Key, "vcs") {
			out = append(out, set.Key+"="+set.Value)
		}
	}
	return out
}

// inCache is the folder that the build cache keeps a program in.
var inCache = regexp.MustCompile(`^[0-9a-f]{64}-d$`)

// temporary reports whether a program is one of go run or go test, which have just built it from the tree.
func temporary(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if name := filepath.Base(dir); strings.HasPrefix(name, "go-build") || inCache.MatchString(name) {
			return true
		}
	}
	return false
}

// ofTree asks git about the tree around the working directory, if that is the module.
func ofTree(module string) (commit string, modified bool) {
	root, ok := rootOf(module)
	if !ok {
		return "", false
	}
	commit, ok = git(root, "rev-parse", "HEAD")
	if !ok {
		return "", false
	}
	changes, ok := git(root, "status", "--porcelain")
	return commit, !ok || changes != ""
}

// rootOf finds the folder of a module around the working directory.
func rootOf(module string) (string, bool) {
	dir, err := os.Getwd()
	for err == nil {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(string(text), "module ")), "\n")
			return dir, strings.TrimSpace(name) == module
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// git runs a command that only reads, for at most ten seconds.
func git(dir string, args ...string) (string, bool) {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err == nil
}

// digest is the SHA-256 of a file.
func digest(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
