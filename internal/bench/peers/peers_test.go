package peers

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/kernels"
)

// TestMain lets the test binary play a peer: the variable FAKE_PEER says how it behaves.
func TestMain(m *testing.M) {
	if mode := os.Getenv("FAKE_PEER"); mode != "" {
		fakePeer(mode)
		return
	}
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		watched, rest = 0, 0
	}
	m.Run()
}

// fakePeer multiplies matrices with gonum, or misbehaves.
func fakePeer(mode string) {
	in := bufio.NewReader(os.Stdin)
	switch mode {
	case "mute":
		fmt.Fprintln(os.Stderr, "first line\nModuleNotFoundError: No module named 'numpy'")
		os.Exit(1)
	case "stranger":
		fmt.Println("Python 3.11.2")
	case "endless":
		_, _ = os.Stdout.WriteString(strings.Repeat("x", 1<<17))
	default:
		fmt.Println("thm-peer 1 fake 0.0 -")
	}
	operands := map[string]*mat.Dense{}
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var name string
		var rows, cols int
		switch verb, _, _ := strings.Cut(strings.TrimSpace(line), " "); verb {
		case "load":
			_, _ = fmt.Sscanf(line, "load %s %d %d", &name, &rows, &cols)
			data := make([]float64, rows*cols)
			_ = binary.Read(in, binary.LittleEndian, data)
			operands[name] = mat.NewDense(rows, cols, data)
			fmt.Println("ok")
		case "run":
			fakeRun(mode, operands)
		case "time":
			fmt.Println(map[bool]string{true: "seconds NaN", false: "seconds 0.01"}[mode == "timeless"])
		}
	}
}

func fakeRun(mode string, operands map[string]*mat.Dense) {
	var c mat.Dense
	c.Mul(operands["a"], operands["b"])
	rows, cols := c.Dims()
	switch mode {
	case "wrong":
		c.Set(0, 0, c.At(0, 0)+1)
	case "nan":
		c.Set(0, 0, math.NaN())
	case "refusing":
		fmt.Println("error LinAlgError: SVD did not converge")
		return
	case "dying":
		fmt.Fprintln(os.Stderr, "Segmentation fault")
		os.Exit(2)
	case "vast":
		rows, cols = 1<<40, 1<<40
	case "shapeless":
		rows = 0
	case "many":
		fmt.Println("arrays 1000000")
		return
	case "babbling":
		fmt.Println("arrays one")
		return
	}
	fmt.Printf("arrays 1\n%d %d\n", rows, cols)
	if mode == "half" {
		fmt.Print("1234567")
		os.Exit(0)
	}
	_ = binary.Write(os.Stdout, binary.LittleEndian, c.RawMatrix().Data)
}

func startFake(t *testing.T, mode string) (*Peer, error) {
	t.Helper()
	p, err := Start(context.Background(), append(os.Environ(), "FAKE_PEER="+mode), os.Args[0])
	if err == nil {
		t.Cleanup(p.Close)
	}
	return p, err
}

var tiny = Plan{Operations: []string{"matmul"}, Sizes: []int{8, 16}, Samples: 6, Burst: 100 * time.Microsecond, Seed: 1}

func TestRunWithAFakePeer(t *testing.T) {
	p, err := startFake(t, "good")
	require.NoError(t, err)
	var seen []Row
	r, err := Run(context.Background(), []*Peer{p}, tiny, func(row Row) { seen = append(seen, row) })
	require.NoError(t, err)
	require.Equal(t, seen, r.Rows)
	require.Len(t, r.Rows, 2)
	require.Equal(t, []Side{{"fake", "0.0", "-"}}, r.Peers)
	for i, row := range r.Rows {
		require.Equal(t, "matmul", row.Name)
		require.Equal(t, tiny.Sizes[i], row.N)
		require.Equal(t, row.OursSeconds/row.PeerSeconds, row.Ratio)
		require.True(t, row.OursError <= 1 && row.PeerError <= 1)
		require.True(t, row.Low <= row.Paired && row.Paired <= row.High)
	}
}

// A peer that misbehaves ends the run with a sentence, and nothing of its is reported.
func TestRunWithBadPeers(t *testing.T) {
	for mode, said := range map[string]string{
		"wrong":     "fake: the result of matmul at n = 8 is wrong",
		"nan":       "fake: the result of matmul at n = 8 is wrong",
		"refusing":  "peer fake: LinAlgError: SVD did not converge",
		"dying":     "the peer ended: Segmentation fault",
		"half":      "the peer ended: unexpected EOF",
		"vast":      "an array of shape 1099511627776×1099511627776",
		"shapeless": "an array of shape 0×8",
		"many":      "a result of 1000000 arrays",
		"babbling":  `an answer of the form "arrays %d" was expected, it said "arrays one"`,
		"timeless":  "repeats of matmul in NaN s",
	} {
		t.Run(mode, func(t *testing.T) {
			p, err := startFake(t, mode)
			require.NoError(t, err)
			r, err := Run(context.Background(), []*Peer{p}, tiny, func(Row) {})
			require.ErrorContains(t, err, said)
			require.Empty(t, r.Rows)
		})
	}
}

func TestStartRefusesStrangers(t *testing.T) {
	_, err := startFake(t, "mute")
	require.ErrorContains(t, err, "ModuleNotFoundError: No module named 'numpy'")
	_, err = startFake(t, "stranger")
	require.ErrorContains(t, err, `it began with "Python 3.11.2" instead of the greeting of a peer`)
	_, err = startFake(t, "endless")
	require.ErrorContains(t, err, "an answer without end")
	_, err = Start(context.Background(), nil, filepath.Join(t.TempDir(), "absent"))
	require.Error(t, err)
}

func TestRunEndsWithItsContext(t *testing.T) {
	p, err := startFake(t, "good")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Run(ctx, []*Peer{p}, tiny, func(Row) {})
	require.ErrorIs(t, err, context.Canceled)
}

func TestNoPython(t *testing.T) {
	_, _, err := NumPy(context.Background(), filepath.Join(t.TempDir(), "python3"), 1)
	require.ErrorIs(t, err, ErrNoNumPy)
	require.ErrorContains(t, err, "apt-get install python3-numpy")
}

func TestEnvironment(t *testing.T) {
	given := []string{"A=1", "OPENBLAS_CORETYPE=Zen", "OPENBLAS_L2_SIZE=512"}
	for threads, clock := range map[int]string{1: "processor", 2: "wall"} {
		for core, forced := range map[string][]string{"": nil, "SkylakeX": {"OPENBLAS_CORETYPE=SkylakeX"}} {
			want := append([]string{"A=1"}, forced...)
			want = append(want, "THM_PEER_CLOCK="+clock)
			for _, name := range threadVariables {
				want = append(want, fmt.Sprint(name, "=", threads))
			}
			require.Equal(t, want, environment(given, core, threads))
		}
	}
}

// TestSeveralThreads: this module on one thread is one more peer.
func TestSeveralThreads(t *testing.T) {
	p, err := startFake(t, "good")
	require.NoError(t, err)
	plan := tiny
	plan.Threads = 2
	r, err := Run(context.Background(), []*Peer{p}, plan, func(Row) {})
	require.NoError(t, err)
	require.Equal(t, 2, r.Threads)
	require.Equal(t, []Side{{"fake", "0.0", "-"}, {OneThread, "-", "-"}}, r.Peers)
	require.Len(t, r.Rows, 4)
	require.Equal(t, []string{"fake", OneThread, "fake", OneThread},
		[]string{r.Rows[0].Peer, r.Rows[1].Peer, r.Rows[2].Peer, r.Rows[3].Peer})
	for _, row := range r.Rows {
		require.True(t, row.Low > 0 && row.Low <= row.Paired && row.Paired <= row.High)
	}
}

// TestNumPy holds the results of the real peer, in all operations, to their verifications. They are timed once, since
// nothing is asked of the times.
func TestNumPy(t *testing.T) {
	others, _, err := NumPy(context.Background(), "", 1)
	if err != nil {
		t.Skip(err)
	}
	for _, p := range others {
		defer p.Close()
	}
	stacks := []string{"matmul-stack", "svd-thin-stack"}
	single := slices.DeleteFunc(Operations(), func(name string) bool { return slices.Contains(stacks, name) })
	rows := 0
	for n, names := range map[int][]string{8: stacks, 24: single} {
		r, err := Run(context.Background(), others, Plan{Operations: names, Sizes: []int{n}, Samples: 1,
			Burst: time.Microsecond, Seed: 1}, func(Row) {})
		require.NoError(t, err)
		rows += len(r.Rows)
	}
	require.Equal(t, len(others)*len(Operations()), rows)
	_, err = others[0].Run("nonsense")
	require.ErrorContains(t, err, "KeyError")
	_, err = others[0].Time("svd-values", 1) // it is still there
	require.NoError(t, err)
}

// TestScriptIsLookedUpNowhereElse runs the script in a directory with a file that has the name of a library.
func TestScriptIsLookedUpNowhereElse(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "numpy.py"), []byte("raise SystemExit('impostor')"), 0o666))
	cmd := exec.Command(python, "-c", script)
	cmd.Dir = dir
	said, _ := cmd.CombinedOutput()
	require.NotContains(t, string(said), "impostor")
}

func TestAlone(t *testing.T) {
	var seen []Timing
	out, err := Alone(context.Background(), kernels.Gonum(),
		Plan{Sizes: []int{12}, Samples: 3, Burst: 100 * time.Microsecond}, func(x Timing) { seen = append(seen, x) })
	require.NoError(t, err)
	require.Equal(t, seen, out)
	var own []string
	for _, o := range operations {
		if !o.own {
			own = append(own, o.name)
		}
	}
	require.Len(t, out, len(own))
	for i, timing := range out {
		require.Equal(t, own[i], timing.Name)
		require.Equal(t, 3, timing.Runs)
		require.True(t, timing.Seconds > 0 && timing.Error <= 1)
	}
	broken := kernels.Gonum()
	broken.SVD = func(*mat.Dense, mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
		return nil, make([]float64, 12), nil, nil
	}
	_, err = Alone(context.Background(), broken, Plan{Operations: []string{"svd-values"}, Sizes: []int{12}, Samples: 3},
		func(Timing) {})
	require.ErrorContains(t, err, "gonum: the result of svd-values at n = 12 is wrong")
}

// A ratio is ours divided by the peer's, and the paired one is taken round by round.
func TestRowFill(t *testing.T) {
	var r Row
	r.fill([]float64{2, 8, 2, 4, 6, 2, 2}, []float64{1, 2, 1, 1, 2, 1, 4})
	require.Equal(t, []float64{2, 1, 2, 2}, []float64{r.OursSeconds, r.PeerSeconds, r.Ratio, r.Paired})
	require.Equal(t, [2]float64{0.5, 4}, [2]float64{r.Low, r.High})
}

func TestMedianInterval(t *testing.T) {
	// tables of the sign test
	for n, ranks := range map[int][2]float64{6: {1, 6}, 8: {1, 8}, 9: {2, 8}, 10: {2, 9}, 15: {4, 12}, 20: {6, 15}} {
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = float64(n - i)
		}
		low, high := medianInterval(sample, 0.95)
		require.Equal(t, ranks, [2]float64{low, high}, "n = %d", n)
	}
	low, high := medianInterval([]float64{1, 2, 3, 4, 5}, 0.95)
	require.True(t, math.IsInf(low, -1) && math.IsInf(high, 1))
}

// FuzzReplies feeds arbitrary bytes to the reader of replies: it must return an error or a matrix, never hang or panic.
func FuzzReplies(f *testing.F) {
	f.Add([]byte("arrays 1\n1 2\n0123456789abcdef"))
	f.Add([]byte("arrays 2\n1 -1\n"))
	f.Add([]byte("error no\n"))
	f.Fuzz(func(t *testing.T, reply []byte) {
		cmd := exec.Command(os.Args[0])
		cmd.Process = &os.Process{}
		p := &Peer{Name: "fuzz", cmd: cmd, in: nopCloser{io.Discard}, out: bufio.NewReader(strings.NewReader(string(reply))),
			stderr: new(tail)}
		results, err := p.Run("matmul")
		require.True(t, err != nil || len(results) > 0)
	})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
