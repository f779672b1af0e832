package peers

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/blas"
)

//go:embed peer.py
var script string

// ErrNoNumPy is returned when no Python with NumPy is found.
var ErrNoNumPy = errors.New("no python3 that imports numpy was found; " +
	"install one (apt-get install python3-numpy) or name one with --python")

// threadVariables keep the libraries that NumPy may be built on to a number of threads.
var threadVariables = []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
	"VECLIB_MAXIMUM_THREADS"}

// clockVariable tells the peer to read the clock on the wall.
const clockVariable = "THM_PEER_CLOCK"

// forcedCore is OpenBLAS's core type for AVX-512. On processors that it does not know it may choose another by itself.
const forcedCore = "SkylakeX"

// coreVariable forces a core type upon OpenBLAS.
const coreVariable = "OPENBLAS_CORETYPE"

// NumPy starts NumPy in up to four configurations: as it is installed, with OpenBLAS free to choose its core type,
// whatever the environment says; on BLIS; with the core type for AVX-512 forced, where the processor has that and
// OpenBLAS chooses another; and with the core type that the environment forces, if it does. Each uses that many
// threads. Of several interpreters the first that imports NumPy is taken; python names one instead. The notes say what
// was left out and why.
func NumPy(ctx context.Context, python string, threads int) (peers []*Peer, notes []string, err error) {
	plain, python, err := firstWithNumPy(ctx, python, threads)
	if err != nil {
		return nil, nil, err
	}
	peers = []*Peer{plain}
	var cores []string
	switch {
	case plain.Core == "-":
		return peers, []string{"this NumPy does not run on OpenBLAS: no core type to force"}, nil
	case plain.Core == forcedCore:
		notes = append(notes, "OpenBLAS chooses "+forcedCore+" by itself: no other core type to force")
	case !hasAVX512():
		notes = append(notes, "the processor has no AVX-512: no core type to force")
	default:
		cores = append(cores, forcedCore)
	}
	if core := os.Getenv(coreVariable); core != "" && core != plain.Core && core != forcedCore {
		cores = append(cores, core)
		notes = append(notes, fmt.Sprintf("%s=%s in the environment applies to numpy-%s only", coreVariable, core, core))
	}
	if p, note := onBLIS(ctx, python, threads); p != nil {
		peers = append(peers, p)
	} else {
		notes = append(notes, note)
	}
	for _, core := range cores {
		p, err := start(ctx, python, core, threads)
		if err != nil {
			for _, p := range peers {
				p.Close()
			}
			return nil, nil, fmt.Errorf("NumPy with %s=%s: %w", coreVariable, core, err)
		}
		peers = append(peers, p)
		if p.Core != core {
			notes = append(notes, fmt.Sprintf("%s=%s gave the core type %s", coreVariable, core, p.Core))
		}
	}
	return peers, notes, nil
}

// The folders of Debian that BLIS and the LAPACK which goes with any BLAS are in, by the names that NumPy asks for.
const blisFolders = "/usr/lib/x86_64-linux-gnu/blis-pthread:/usr/lib/x86_64-linux-gnu/lapack"

// onBLIS starts NumPy on BLIS and the reference LAPACK, where it finds its BLAS by the name that all share. The note
// says why it does not.
func onBLIS(ctx context.Context, python string, threads int) (p *Peer, note string) {
	folder, _, _ := strings.Cut(blisFolders, ":")
	if _, err := os.Stat(filepath.Join(folder, "libblas.so.3")); err != nil {
		return nil, "no BLIS to compare with (apt-get install libblis4-pthread)"
	}
	env := append(environment(os.Environ(), "", threads), "LD_LIBRARY_PATH="+blisFolders)
	p, err := Start(ctx, env, python, "-c", script)
	switch {
	case err != nil:
		return nil, "NumPy does not start on BLIS: " + err.Error()
	case p.Core != "-":
		p.Close()
		return nil, "this NumPy brings its own OpenBLAS: BLIS is not compared with"
	}
	p.Name += "-BLIS"
	return p, ""
}

// firstWithNumPy starts the first interpreter that imports NumPy.
func firstWithNumPy(ctx context.Context, named string, threads int) (p *Peer, python string, err error) {
	candidates := []string{"python3", "/usr/bin/python3"}
	if named != "" {
		candidates = []string{named}
	}
	var reasons []string
	for _, python := range candidates {
		_, err := exec.LookPath(python)
		if err == nil {
			if p, err = start(ctx, python, "", threads); err == nil {
				return p, python, nil
			}
		}
		reasons = append(reasons, err.Error())
	}
	return nil, "", fmt.Errorf("%w (%s)", ErrNoNumPy, strings.Join(reasons, "; "))
}

// start runs NumPy with a core type, or with the one that OpenBLAS chooses.
func start(ctx context.Context, python, core string, threads int) (*Peer, error) {
	p, err := Start(ctx, environment(os.Environ(), core, threads), python, "-c", script)
	if err == nil && core != "" {
		p.Name += "-" + core
	}
	return p, err
}

// StartNumPy runs NumPy on one thread with further operations: Python source that adds to the dictionary operations
// functions without arguments, which read the operands that were loaded and return a tuple of arrays.
func StartNumPy(ctx context.Context, python, operations string) (*Peer, error) {
	const last = "\n\nmain()\n"
	serving := strings.TrimSuffix(script, last) + "\n\n\n" + operations + last
	return Start(ctx, environment(os.Environ(), "", 1), python, "-c", serving)
}

// environment is the given one without any setting of OpenBLAS, and with a number of threads, the clock for more than
// one of them, and the core type.
func environment(given []string, core string, threads int) []string {
	out := slices.DeleteFunc(slices.Clone(given), func(entry string) bool { return strings.HasPrefix(entry, "OPENBLAS_") })
	if core != "" {
		out = append(out, coreVariable+"="+core)
	}
	clock := "processor"
	if threads > 1 {
		clock = "wall"
	}
	out = append(out, clockVariable+"="+clock)
	for _, name := range threadVariables {
		out = append(out, fmt.Sprintf("%s=%d", name, threads))
	}
	return out
}

func hasAVX512() bool {
	return slices.ContainsFunc(blas.Kernels(), func(k blas.Kernel) bool { return k.Name == "avx512" && k.Available })
}
