package tensors

import (
	"bytes"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

var update = flag.Bool("update", false, "write the golden files")

// interpreters are the Pythons that have the modules, or empty.
var interpreters = map[string]func() string{"numpy": interpreter("numpy"), "torch": interpreter("torch")}

// interpreter finds a Python that has a module, once.
func interpreter(module string) func() string {
	return sync.OnceValue(func() string {
		for _, name := range []string{"python3", "/usr/bin/python3"} {
			const probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
			if exec.Command(name, "-c", probe, module).Run() == nil {
				return name
			}
		}
		return ""
	})
}

// python runs an interpreter that has the module, or skips the test.
func python(t *testing.T, module string) func(args ...string) string {
	name := interpreters[module]()
	if name == "" {
		t.Skipf("no python3 has %s (apt-get install python3-%s)", module, module)
	}
	return func(args ...string) string {
		cmd := exec.Command(name, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, "%s", stderr.Bytes())
		return string(out)
	}
}

// TestNumPyReads asks NumPy what Encode wrote: names, dtypes, shapes and bits.
func TestNumPyReads(t *testing.T) {
	run := python(t, "numpy")
	path := filepath.Join(t.TempDir(), "layer.npz")
	require.NoError(t, Encode(path, layer{
		W: mat.NewDense(2, 3, []float64{1.0 / 3, 2, 3, -4, 5e-324, 1e300}), H: mat.NewDense(1, 1, []float64{0.1}),
		B:    []float64{1, 2},
		Step: -0.1, Count: math.MaxInt, Biased: true, Name: "σ′ gelu",
	}))
	got := run("-c", `
import sys, numpy as np
for name, a in np.load(sys.argv[1]).items():
    kind = a.dtype.kind if a.dtype.kind == "U" else a.dtype.name
    print(name, kind, a.shape, [x.hex() if isinstance(x, float) else x for x in a.ravel().tolist()])
`, path)
	require.Equal(t, `W float64 (2, 3) ['0x1.5555555555555p-2', '0x1.0000000000000p+1', `+
		`'0x1.8000000000000p+1', '-0x1.0000000000000p+2', '0x0.0000000000001p-1022', '0x1.7e43c8800759cp+996']
H float64 (1, 1) ['0x1.999999999999ap-4']
b float64 (2,) ['0x1.0000000000000p+0', '0x1.0000000000000p+1']
step float64 () ['-0x1.999999999999ap-4']
count int64 () [9223372036854775807]
biased bool () [True]
activation U () ['σ′ gelu']
`, got)
}

// TestFixturesAreWhatPythonWrites makes the fixtures again and compares what is read. The values of torch.npz depend on
// the version of PyTorch and are left out.
func TestFixturesAreWhatPythonWrites(t *testing.T) {
	run := python(t, "numpy")
	dir := t.TempDir()
	printed := run("testdata/make.py", dir)
	for _, name := range []string{"matrices.npz", "matrices_packed.npz", "scalars.npz", "vectors.npz", "folder",
		"version2.npy", "version3.npy", "torch_kinds.npz"} {
		again, err := Read(filepath.Join(dir, name))
		if name == "torch_kinds.npz" && strings.Contains(printed, "PyTorch is missing") {
			continue
		}
		require.NoError(t, err)
		require.Equal(t, fixture(t, name).Arrays, again.Arrays, name)
	}
}

var residualParams = []Field{
	{Name: "W", Shape: "m×n", Meaning: "weights of the layer"},
	{Name: "H", Shape: "n×B", Meaning: "inputs of the layer, one sample per column"},
	{Name: "Gamma", Shape: "m×B", Meaning: "gradients of the per-sample losses in the pre-activations"},
	{Name: "step", Meaning: "step size"},
}

type residualInstance struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Gamma *mat.Dense `npy:"Gamma"`
	Step  float64    `npy:"step"`
}

// TestTorchFile decodes what PyTorch exported: Fortran order, float32.
func TestTorchFile(t *testing.T) {
	f := fixture(t, "torch.npz")
	var got residualInstance
	require.NoError(t, Decode(f, &got, residualParams))
	require.Equal(t, 0x1p-24, f.Unit())
	// The loss is tanh²(z), so Γ = 2·tanh(z)(1 − tanh²(z)) at z = W H.
	var z mat.Dense
	z.Mul(got.W, got.H)
	require.InDelta(t, 0, difference(&z, got.Gamma), 1e-6)
}

// TestTemplate compares the template with the golden file, and runs it: it writes the instance that it was made of.
func TestTemplate(t *testing.T) {
	layer := residualInstance{W: mat.NewDense(2, 2, []float64{1, -0.1, 1e-300, 4}),
		H: mat.NewDense(2, 1, []float64{1, 2}), Gamma: mat.NewDense(2, 1, []float64{0.5, -1}), Step: 0.1}
	text := Template("vcl/residual", residualParams, layer)
	if *update {
		require.NoError(t, os.WriteFile("testdata/template.py", []byte(text), 0o644))
	}
	want, err := os.ReadFile("testdata/template.py")
	require.NoError(t, err)
	require.Equal(t, string(want), text, "write it again with -update")

	type oddities struct {
		Labels []float64 `npy:"file\"s"`
		Count  int       `npy:"count"`
		Flag   bool      `npy:"flag"`
		Name   string    `npy:"name"`
		Other  string    `npy:"other"`
	}
	odd := oddities{[]float64{1, 2, 3}, 8, true, "gelu", "it's \"σ\""}
	params := []Field{{Name: `file"s`, Shape: "N₁", Integer: true, Meaning: "labels\nof all"},
		{Name: "count", Integer: true}, {Name: "flag"}, {Name: "name", Choices: []string{"relu", "gelu"}}, {Name: "other"}}
	run := python(t, "numpy")
	read := func(text string, dst any, params []Field) File {
		dir := t.TempDir()
		runIn(t, run, dir, text)
		f, err := Read(filepath.Join(dir, "instance.npz"))
		require.NoError(t, err)
		require.NoError(t, Decode(f, dst, params))
		return f
	}
	var got residualInstance
	require.Equal(t, 0x1p-53, read(text, &got, residualParams).Unit())
	require.Equal(t, layer, got)
	var gotOdd oddities
	read(Template("a/b", params, &odd), &gotOdd, params)
	require.Equal(t, odd, gotOdd)

	run = python(t, "torch") // tensors, as training leaves them
	text = strings.NewReplacer("import numpy as np\n", "import numpy as np, torch\n", "[[1],\n          [2]]",
		"torch.ones(2, 1, requires_grad=True)", "0.1,\n}", "torch.tensor(0.1),\n}").Replace(text)
	require.Equal(t, 0x1p-24, read(text, &got, residualParams).Unit())
	require.Equal(t, float64(float32(0.1)), got.Step)
}

// runIn runs a script in a directory.
func runIn(t *testing.T, run func(args ...string) string, dir, text string) {
	script := filepath.Join(dir, "script.py")
	require.NoError(t, os.WriteFile(script, []byte(text), 0o600))
	run("-c", "import os, sys; os.chdir(sys.argv[1]); exec(open('script.py', encoding='utf-8').read())", dir)
}

// difference is the largest distance between Γ and 2·tanh(z)(1 − tanh²(z)).
func difference(z, gamma *mat.Dense) float64 {
	var d mat.Dense
	d.Apply(func(i, j int, x float64) float64 {
		th := math.Tanh(x)
		return 2*th*(1-th*th) - gamma.At(i, j)
	}, z)
	return max(mat.Max(&d), -mat.Min(&d))
}
