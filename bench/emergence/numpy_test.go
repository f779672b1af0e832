package emergence

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/cputime"
)

func restore(previous gblas.Float64) { blas64.Use(previous) }

// beside times the work here, and in turns with it in NumPy if there is one, in seconds of processor time each, and
// reports medians and the median ratio.
func beside(b *testing.B, name string, arrays []mat.Matrix, work func() float64) {
	python := os.Getenv("THM_NUMPY")
	if python == "" {
		for b.Loop() {
			work()
		}
		return
	}
	path := filepath.Join(b.TempDir(), "arrays")
	if err := save(path, arrays); err != nil {
		b.Fatal(err)
	}
	ask := start(b, python, path)
	want, _ := ask(name) // and warms the caches
	if got := work(); !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		b.Fatalf("here %v, in NumPy %v", got, want)
	}
	var ours, theirs, ratios []float64
	for b.Loop() {
		begin := cputime.Process()
		work()
		seconds := cputime.Process() - begin
		_, numpy := ask(name)
		ours, theirs, ratios = append(ours, seconds), append(theirs, numpy), append(ratios, numpy/seconds)
	}
	b.ReportMetric(1e3*median(ours), "ours-ms")
	b.ReportMetric(1e3*median(theirs), "numpy-ms")
	b.ReportMetric(median(ratios), "ratio")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// save writes the shape and the entries of every array.
func save(path string, arrays []mat.Matrix) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	for _, a := range arrays {
		rows, cols := a.Dims()
		numbers := []float64{float64(rows), float64(cols)}
		for i := range rows {
			numbers = append(numbers, mat.Row(nil, i, a)...)
		}
		if err := binary.Write(out, binary.NativeEndian, numbers); err != nil {
			return err
		}
	}
	return out.Flush()
}

// start runs the peer on one thread and returns how to ask it for a result and the seconds it took.
func start(b *testing.B, python, path string) func(name string) (result, seconds float64) {
	cmd := exec.Command(python, "peer.py", path)
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatalf("THM_NUMPY=%s does not run: %v", python, err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(out)
	return func(name string) (result, seconds float64) {
		if _, err := io.WriteString(in, name+"\n"); err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fscan(lines, &seconds, &result); err != nil {
			b.Fatalf("THM_NUMPY=%s: no result; it needs NumPy: %v", python, err)
		}
		return result, seconds
	}
}
