package runs

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

func few() Schedule {
	return Schedule{Command: "thm plan --form FORM --shards 3", Program: "/opt/thm", Args: []string{"vcl/*", "it's",
		"--effort", "deep", "--seed", "1"}, Shards: 3, Claims: 100, Seconds: 3000, Longest: 1000, Out: "/data",
		Image: "registry.example.org/thm:1"}
}

// large is a run whose merge is divided into two parts.
func large() Schedule {
	r := few()
	r.Shards = 8
	return r
}

func TestForms(t *testing.T) {
	for _, form := range Forms {
		for golden, r := range map[string]Schedule{form: few(), form + "-large": large()} {
			text, err := r.Text(form)
			require.NoError(t, err)
			golden = filepath.Join("testdata", golden)
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o666))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
		}
	}
}

// Only a large run has a merge in parts, of which none is without a claim.
func TestJudges(t *testing.T) {
	for _, c := range []struct{ shards, claims, want int }{
		{4, 100, 1}, {7, 100, 1}, {8, 100, 4}, {64, 100, 32}, {1000, 100, 32}, {64, 5, 5}, {64, 1, 1},
	} {
		require.Equal(t, c.want, Schedule{Shards: c.shards, Claims: c.claims}.Judges(), c)
	}
}

// The shell parses the script and all jobs in it.
func TestSlurmIsBash(t *testing.T) {
	text, err := large().Text("slurm")
	require.NoError(t, err)
	jobs := [][]byte{[]byte(text)}
	for i, part := range bytes.Split([]byte(text), []byte("#!/bin/bash\n"))[2:] {
		end := bytes.Index(part, []byte([]string{"\nSHARD\n", "\nJUDGE\n", "\nMERGE\n"}[i]))
		require.Positive(t, end)
		jobs = append(jobs, part[:end+1])
	}
	require.Len(t, jobs, 4)
	for _, job := range jobs {
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = bytes.NewReader(job)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// job has the fields of a Kubernetes Job that are used here, with the names of k8s.io/api: the module itself would be
// larger than this one. Unknown fields are errors.
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

// volume has the fields of a PersistentVolumeClaim.
type volume struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		AccessModes []string `yaml:"accessModes"`
		Resources   struct{ Requests map[string]string }
	}
}

// objects decodes the Kubernetes objects of a run strictly.
func objects(t *testing.T, r Schedule) (v volume, jobs []job) {
	t.Helper()
	text, err := r.Text("kubernetes")
	require.NoError(t, err)
	d := yaml.NewDecoder(bytes.NewBufferString(text))
	d.KnownFields(true)
	require.NoError(t, d.Decode(&v))
	for {
		var j job
		if err := d.Decode(&j); errors.Is(err, io.EOF) {
			return v, jobs
		}
		require.NoError(t, err)
		jobs = append(jobs, j)
	}
}

// The parts of a merge count like the shards, and the last job takes what they have judged.
func TestKubernetesJudges(t *testing.T) {
	_, jobs := objects(t, large())
	require.Len(t, jobs, 3)
	judge := jobs[1].Spec
	require.True(t, judge.Suspend)
	require.Equal(t, "Indexed", judge.CompletionMode)
	require.Equal(t, 4, judge.Completions)
	words := judge.Template.Spec.Containers[0].Command
	require.Equal(t, []string{"/opt/thm", "merge", "--shard=$(JOB_COMPLETION_INDEX)/4", "/data/shard0"}, words[:4])
	require.Equal(t, []string{"/data/shard7", "--out=/data/judged$(JOB_COMPLETION_INDEX)"}, words[10:])
	words = jobs[2].Spec.Template.Spec.Containers[0].Command
	require.Equal(t, []string{"/opt/thm", "merge", "/data/judged0", "/data/judged1", "/data/judged2"}, words[:5])
}

func TestKubernetesIsStrict(t *testing.T) {
	volume, jobs := objects(t, few())
	require.Len(t, jobs, 2)
	shards, merge := jobs[0], jobs[1]
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
	for _, j := range jobs {
		require.Equal(t, volume.Metadata.Name, j.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName)
	}
}

// Both CI files are YAML with as many parts as asked for.
func TestMatrices(t *testing.T) {
	text, err := few().Text("github")
	require.NoError(t, err)
	var g struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Shard, Part []int } }
			Steps    []struct{ Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &g))
	require.Equal(t, []int{1, 2, 3}, g.Jobs["shard"].Strategy.Matrix.Shard)
	require.Equal(t, `/opt/thm check 'vcl/*' 'it'\''s' --effort deep --seed 1 --quiet --shard ${{ matrix.shard }}/3`+
		` --out shard${{ matrix.shard }}`, g.Jobs["shard"].Steps[3].Run)
	text, err = few().Text("gitlab")
	require.NoError(t, err)
	var l struct {
		Shard, Judge struct {
			Parallel int
			Script   []string
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &l))
	require.Equal(t, 3, l.Shard.Parallel)
	require.Zero(t, l.Judge.Parallel)
	require.Equal(t, `/opt/thm check 'vcl/*' 'it'\''s' --effort deep --seed 1 --quiet --shard "$CI_NODE_INDEX/3"`+
		` --out "shard$CI_NODE_INDEX"`, l.Shard.Script[1])
	text, err = large().Text("gitlab")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal([]byte(text), &l))
	require.Equal(t, 4, l.Judge.Parallel)
	require.Equal(t, `/opt/thm merge --shard "$CI_NODE_INDEX/4" shard* --out "judged$CI_NODE_INDEX"`, l.Judge.Script[1])
	text, err = large().Text("github")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal([]byte(text), &g))
	require.Equal(t, []int{1, 2, 3, 4}, g.Jobs["judge"].Strategy.Matrix.Part)
}
