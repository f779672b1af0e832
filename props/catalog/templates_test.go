//go:build system

package catalog_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/props/results"
)

// Every template, run as it stands, writes a file that is judged; one of an instance, a file that the claim holds for.
func TestTemplatesRun(t *testing.T) {
	python := slices.IndexFunc([]string{"python3", "/usr/bin/python3"}, func(name string) bool {
		return exec.Command(name, "-c", "import numpy").Run() == nil
	})
	if python < 0 {
		t.Skip("no python3 has numpy (apt-get install python3-numpy)")
	}
	dir, folder := t.TempDir(), func(i int) string { return fmt.Sprintf("%03d", i) }
	claims := catalog.All()
	for i, c := range claims {
		if c.Uncertifiable() != "" {
			continue
		}
		text, err := c.Template("")
		require.NoError(t, err, c.Statement.Slug)
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder(i)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, folder(i), "write.py"), []byte(text), 0o600))
	}
	const runAll = `
import os
for d in sorted(os.listdir(".")):
    os.chdir(d)
    exec(compile(open("write.py", encoding="utf-8").read(), d, "exec"), {})
    os.chdir("..")
`
	cmd := exec.Command([]string{"python3", "/usr/bin/python3"}[python], "-c", runAll)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	for i, c := range claims {
		if c.Uncertifiable() != "" {
			continue
		}
		instances, _ := c.Certifiable()
		file := filepath.Join(dir, folder(i), "instance.npz")
		if len(instances) == 0 {
			file = filepath.Join(dir, folder(i), "table.csv")
		}
		found, err := c.Certify("", file)
		require.NoError(t, err, c.Statement.Slug)
		require.NotEqual(t, results.Error, found.Verdict, "%s: %s", c.Statement.Slug, found.Message)
		if len(instances) > 0 {
			require.Equal(t, results.Holds, found.Verdict, "%s: %s", c.Statement.Slug, found.Message)
		}
	}
}
