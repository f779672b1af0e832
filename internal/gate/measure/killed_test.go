//go:build system

package measure

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// resumeHelper is the environment variable that names a file. This test binary then samples into it without an end,
// until TestKilledRunIsResumed kills it.
const resumeHelper = "MEASURE_TEST_SAMPLES_INTO"

func TestHelperSamplesForever(t *testing.T) {
	path := os.Getenv(resumeHelper)
	if path == "" {
		return
	}
	bin := Binary{Package: Package{"fake/bad", "."}, Path: os.Getenv("MEASURE_TEST_BINARY")}
	log, _, err := Resume(path, nil)
	require.NoError(t, err)
	s := Session{Log: log, Binaries: []Binary{bin}, Seed: 1, Benchtime: "1x"}
	_, err = s.Take(t.Context(), []Benchmark{{"fake/bad", "Fine"}}, 0, 1<<20)
	require.NoError(t, err)
}

// Three times a run is killed outright. Each time the file is whole up to its last sample and can be gone on with.
func TestKilledRunIsResumed(t *testing.T) {
	bin := fake(t, "bad")
	path := filepath.Join(t.TempDir(), "killed.txt")
	log, err := Create(path, exampleRun, nil)
	require.NoError(t, err)
	require.NoError(t, log.Close())
	had := 0
	for range 3 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestHelperSamplesForever$")
		cmd.Env = append(os.Environ(), resumeHelper+"="+path, "MEASURE_TEST_BINARY="+bin.Path)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			record, err := ReadFile(path)
			return err == nil && len(record.Samples) > had+2
		}, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		record, err := ReadFile(path)
		require.NoError(t, err)
		require.Greater(t, len(record.Samples), had)
		had = len(record.Samples)
	}
}
