package tensors

import (
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

var update = flag.Bool("update", false, "write the golden files")

// serve is what an interpreter runs: it answers lines of JSON, each with a script that it runs as a program of its own.
const serve = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    asked, printed, failure = json.loads(line), io.StringIO(), ""
    os.chdir(asked["Dir"])
    sys.argv = ["script.py", *asked["Args"]]
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(asked["Text"], "script.py", "exec"), {"__name__": "__main__"})
    except SystemExit as e:
        failure = f"exit status {e.code}" if e.code else ""
    except BaseException:
        failure = traceback.format_exc()
    print(json.dumps({"Printed": printed.getvalue(), "Failure": failure}), flush=True)
`

// interpreter is a Python that stays: all scripts run in one, since PyTorch takes a second to import.
type interpreter struct {
	modules string // a line for every module that it has
	cmd     *exec.Cmd
	in      io.WriteCloser // nil until it is started
	answers *json.Decoder
}

// interpreters are the Pythons of this machine.
var interpreters = sync.OnceValue(func() []*interpreter {
	var list []*interpreter
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		const probe = "import importlib.util as i, sys; [print(m) for m in sys.argv[1:] if i.find_spec(m)]"
		if modules, err := exec.Command(name, "-c", probe, "numpy", "torch").Output(); err == nil {
			list = append(list, &interpreter{modules: string(modules), cmd: exec.Command(name, "-c", serve)})
		}
	}
	return list
})

// start starts the interpreter, unless it runs.
func (p *interpreter) start() error {
	if p.in != nil {
		return nil
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	p.cmd.Stderr, p.cmd.Env = os.Stderr, append(os.Environ(), "PYTHONIOENCODING=utf-8", "PYTHONWARNINGS=ignore")
	p.answers = json.NewDecoder(out)
	return p.cmd.Start()
}

// TestMain ends the interpreters after the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, p := range interpreters() {
		if p.in != nil {
			p.in.Close()
			p.cmd.Wait()
		}
	}
	os.Exit(code)
}

// python returns a function that runs a script in a directory, with arguments, in an interpreter that has the module,
// and returns what was printed; or it skips the test.
func python(t *testing.T, module string) func(dir, text string, args ...string) string {
	list := interpreters()
	i := slices.IndexFunc(list, func(p *interpreter) bool { return strings.Contains(p.modules, module+"\n") })
	if i < 0 {
		t.Skipf("no python3 has %s (apt-get install python3-%s)", module, module)
	}
	return func(dir, text string, args ...string) string {
		require.NoError(t, list[i].start())
		require.NoError(t, json.NewEncoder(list[i].in).Encode(struct {
			Dir, Text string
			Args      []string
		}{dir, text, append([]string{}, args...)}))
		var answer struct{ Printed, Failure string }
		require.NoError(t, list[i].answers.Decode(&answer))
		require.Empty(t, answer.Failure)
		return answer.Printed
	}
}

// TestNumPyReads asks NumPy what Encode wrote: names, dtypes, shapes and bits.
func TestNumPyReads(t *testing.T) {
	run := python(t, "numpy")
	dir := t.TempDir()
	require.NoError(t, Encode(filepath.Join(dir, "layer.npz"), layer{
		W: mat.NewDense(2, 3, []float64{1.0 / 3, 2, 3, -4, 5e-324, 1e300}), H: mat.NewDense(1, 1, []float64{0.1}),
		B:    []float64{1, 2},
		Step: -0.1, Count: math.MaxInt, Biased: true, Name: "σ′ gelu",
	}))
	got := run(dir, `
import numpy as np
for name, a in np.load("layer.npz").items():
    kind = a.dtype.kind if a.dtype.kind == "U" else a.dtype.name
    print(name, kind, a.shape, [x.hex() if isinstance(x, float) else x for x in a.ravel().tolist()])
`)
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
	text, err := os.ReadFile("testdata/make.py")
	require.NoError(t, err)
	printed := run(dir, string(text), dir)
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
		run(dir, text)
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

// difference is the largest distance between Γ and 2·tanh(z)(1 − tanh²(z)).
func difference(z, gamma *mat.Dense) float64 {
	var d mat.Dense
	d.Apply(func(i, j int, x float64) float64 {
		th := math.Tanh(x)
		return 2*th*(1-th*th) - gamma.At(i, j)
	}, z)
	return max(mat.Max(&d), -mat.Min(&d))
}
