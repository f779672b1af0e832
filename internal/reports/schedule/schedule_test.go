package schedule

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func run() Run {
	return Run{Command: "thm plan --form FORM --shards 3", Program: "/opt/thm", Args: []string{"vcl/*", "it's", "--effort",
		"deep", "--seed", "1"}, Shards: 3, Seconds: 3000, Longest: 1000, Out: "/data", Image: "registry.example.org/thm:1"}
}

func TestForms(t *testing.T) {
	for _, form := range Forms {
		text, err := run().Text(form)
		require.NoError(t, err)
		golden := filepath.Join("testdata", form)
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(text), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), text)
	}
}

// The shell reads the script and both jobs in it.
func TestSlurmIsBash(t *testing.T) {
	text, err := run().Text("slurm")
	require.NoError(t, err)
	jobs := [][]byte{[]byte(text)}
	for _, part := range bytes.Split([]byte(text), []byte("#!/bin/bash\n"))[2:] {
		end := bytes.Index(part, []byte("\nSHARD\n"))
		if end < 0 {
			end = bytes.Index(part, []byte("\nMERGE\n"))
		}
		require.Positive(t, end)
		jobs = append(jobs, part[:end+1])
	}
	require.Len(t, jobs, 3)
	for _, job := range jobs {
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = bytes.NewReader(job)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// job has the fields of a Kubernetes Job that are used here, with the names of k8s.io/api: the module itself would be
// larger than this one. A field of another name is an error.
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		Suspend              bool
		BackoffLimit         *int   `yaml:"backoffLimit"`
		BackoffLimitPerIndex *int   `yaml:"backoffLimitPerIndex"`
		PodReplacementPolicy string `yaml:"podReplacementPolicy"`
		PodFailurePolicy     struct {
			Rules []struct {
				Action      string
				OnExitCodes *struct {
					ContainerName string `yaml:"containerName"`
					Operator      string
					Values        []int
				} `yaml:"onExitCodes"`
				OnPodConditions []struct{ Type, Status string } `yaml:"onPodConditions"`
			}
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				RestartPolicy                 string `yaml:"restartPolicy"`
				TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
				Containers                    []struct {
					Name, Image  string
					Command      []string
					Env          []struct{ Name, Value string }
					Resources    struct{ Requests, Limits map[string]string }
					VolumeMounts []struct {
						Name      string
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
				Volumes []struct {
					Name                  string
					PersistentVolumeClaim struct {
						ClaimName string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				}
			}
		}
	}
}

func TestKubernetesIsStrict(t *testing.T) {
	text, err := run().Text("kubernetes")
	require.NoError(t, err)
	d := yaml.NewDecoder(bytes.NewBufferString(text))
	d.KnownFields(true)
	var volume struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			AccessModes []string `yaml:"accessModes"`
			Resources   struct{ Requests map[string]string }
		}
	}
	var shards, merge job
	require.NoError(t, d.Decode(&volume))
	require.NoError(t, d.Decode(&shards))
	require.NoError(t, d.Decode(&merge))
	require.True(t, errors.Is(d.Decode(&merge), io.EOF))

	require.Equal(t, "v1 PersistentVolumeClaim", volume.APIVersion+" "+volume.Kind)
	require.Equal(t, "batch/v1 Job", shards.APIVersion+" "+shards.Kind)
	s := shards.Spec
	require.Equal(t, "Indexed", s.CompletionMode)
	require.Equal(t, 3, s.Completions)
	require.NotNil(t, s.BackoffLimitPerIndex) // without it no index can fail alone
	require.Equal(t, "Failed", s.PodReplacementPolicy)
	require.Equal(t, []int{2}, s.PodFailurePolicy.Rules[0].OnExitCodes.Values)
	require.Equal(t, "Never", s.Template.Spec.RestartPolicy) // a failure policy asks for it
	require.Equal(t, []string{"/opt/thm", "check", "vcl/*", "it's", "--effort", "deep", "--seed", "1", "--quiet",
		"--jobs=1", "--shard=$(JOB_COMPLETION_INDEX)/3", "--out=/data/shard$(JOB_COMPLETION_INDEX)"},
		s.Template.Spec.Containers[0].Command)
	require.True(t, merge.Spec.Suspend)
	require.Equal(t, []string{"/opt/thm", "merge", "/data/shard0", "/data/shard1", "/data/shard2", "--out=/data/report"},
		merge.Spec.Template.Spec.Containers[0].Command)
	for _, j := range []job{shards, merge} {
		require.Equal(t, volume.Metadata.Name, j.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName)
	}
}

// Both CI files are YAML with as many parts as asked for.
func TestMatrices(t *testing.T) {
	text, err := run().Text("github")
	require.NoError(t, err)
	var g struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Shard []int } }
			Steps    []struct{ Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &g))
	require.Equal(t, []int{1, 2, 3}, g.Jobs["shard"].Strategy.Matrix.Shard)
	require.Equal(t, `/opt/thm check 'vcl/*' 'it'\''s' --effort deep --seed 1 --quiet --shard ${{ matrix.shard }}/3`+
		` --out shard${{ matrix.shard }}`, g.Jobs["shard"].Steps[3].Run)
	text, err = run().Text("gitlab")
	require.NoError(t, err)
	var l struct {
		Shard struct {
			Parallel int
			Script   []string
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &l))
	require.Equal(t, 3, l.Shard.Parallel)
	require.Equal(t, `/opt/thm check 'vcl/*' 'it'\''s' --effort deep --seed 1 --quiet --shard "$CI_NODE_INDEX/3"`+
		` --out "shard$CI_NODE_INDEX"`, l.Shard.Script[1])
}
