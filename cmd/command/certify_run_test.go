package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
)

// TestCertifyRun judges two runs that the recorder made: a convolution and a layer behind it, downhill and, under the
// same name of an optimizer, uphill.
func TestCertifyRun(t *testing.T) {
	schema := schemaNamed(t, "thm.recording/v1")
	for _, tt := range []struct {
		run  string
		code int
		says []string
	}{
		{"right", cli.Green, []string{"holds", "vcl/decay wants weight decay"}},
		{"uphill", cli.Refuted, []string{"refuted, 2 of 2", "your numbers agree with: step uphill"}},
	} {
		dir, out := filepath.Join("testdata", "recorded", tt.run), t.TempDir()
		code, said, wrong := promptly(t, []string{"certify", dir, "--out", out, "--quiet"})
		require.Equal(t, tt.code, code, wrong)
		for _, text := range tt.says {
			require.Contains(t, said, text)
		}
		page, err := os.ReadFile(filepath.Join(out, "index.html"))
		require.NoError(t, err)
		require.Contains(t, string(page), "vcl/convolution: ratios over training")
		text, err := os.ReadFile(filepath.Join(dir, "index.json"))
		require.NoError(t, err)
		var index any
		require.NoError(t, json.Unmarshal(text, &index))
		require.NoError(t, schema.Validate(index))
	}

	broken := t.TempDir()
	require.NoError(t, os.CopyFS(broken, os.DirFS("testdata/recorded/right")))
	require.NoError(t, os.WriteFile(filepath.Join(broken, "000001-001.npz"), []byte("PK\x03\x04 nothing"), 0o644))
	code, said, wrong := promptly(t, []string{"certify", broken, "--quiet"})
	require.Equal(t, cli.Usage, code)
	require.Contains(t, wrong, "1 file of "+broken+" could not be judged")
	require.Contains(t, said, "000001-001.npz is cut short or damaged")
	require.Contains(t, said, "3      ✓")

	code, _, wrong = promptly(t, []string{"certify", "vcl/residual"})
	require.Equal(t, cli.Usage, code)
	require.Contains(t, wrong, "vcl/residual is not a recording")
}

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	code, said, wrong := promptly(t, []string{"record", "--python", dir, "--jax", dir})
	require.Equal(t, cli.Green, code, wrong)
	require.Contains(t, said, "thm_record.py")
	text, err := os.ReadFile(filepath.Join(dir, "thm_record.py"))
	require.NoError(t, err)
	require.Contains(t, string(text), "class recorder")
	code, _, wrong = promptly(t, []string{"record"})
	require.Equal(t, cli.Usage, code)
	require.Contains(t, wrong, "--python DIR")
}
