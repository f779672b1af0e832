// Package clitest holds helpers for scripts that test a command.
package clitest

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Params returns the parameters of the scripts in a directory, with the commands exits and refuses. The program speaks
// on stderr under the name.
func Params(dir, name string) testscript.Params {
	return testscript.Params{Dir: dir, RequireExplicitExec: true, RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "refuses": refusing(name)}}
}

// exits CODE COMMAND... runs a command and asks for an exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code, err := 0, ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		code = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// refuses PATTERN COMMAND... runs a command with bad input: exit code 2, nothing on stdout, on stderr one line that
// matches the pattern, and the files as they were.
func refusing(name string) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		before := files(ts)
		exits(ts, neg, append([]string{"2"}, args[1:]...))
		line := ts.ReadFile("stderr")
		if matched, err := regexp.MatchString("^"+name+": .*"+args[0], line); err != nil || !matched ||
			strings.Count(line, "\n") != 1 {
			ts.Fatalf("want one line that matches %q, got %q", args[0], line)
		}
		if out := ts.ReadFile("stdout"); out != "" {
			ts.Fatalf("want nothing on stdout, got %q", out)
		}
		if after := files(ts); after != before {
			ts.Fatalf("the files have changed from\n%s\nto\n%s", before, after)
		}
	}
}

// files lists the working directory with sizes.
func files(ts *testscript.TestScript) string {
	var out strings.Builder
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		fmt.Fprintln(&out, path, info.Size())
		return err
	}))
	return out.String()
}
