package blas

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/thm-suite/thm/impl/blas/internal/shapes"
)

//go:generate go run ./internal/gen

// EnvKernel is the environment variable that overrides the choice of kernels when the program starts: portable, avx2,
// avx512 or neon. A value that names no kernel, or one that cannot run here, does not stop a program that may never
// multiply: the best kernels are taken, [Kernels] says so in the Reason, and [EnvironmentError] gives the error for a
// main function to report.
const EnvKernel = "THM_BLAS_KERNEL"

// A kernel is one set of inner routines. All sets compute the same bits.
type kernel struct {
	id     isa
	name   string
	needs  string // what the processor must have
	widest []int  // widest[r-1]: columns of the widest tile of r rows; the last entry is the main tile
}

// isa is the instruction set of a kernel; the routines are chosen by it (see dispatch_*.go).
type isa uint8

const (
	isaPortable isa = iota
	isaAVX2
	isaAVX512
	isaNEON
)

func (k *kernel) rows() int { return len(k.widest) }
func (k *kernel) cols() int { return k.widest[len(k.widest)-1] }

// shapes returns the shapes of the routines in assembly, nil for the portable ones.
func (id isa) shapes() *shapes.Set {
	return [...]*shapes.Set{isaAVX2: shapes.AVX2, isaAVX512: shapes.AVX512, isaNEON: shapes.NEON}[id]
}

// trapezoidRows returns how many of n rows one trapezoid can have, and trapezoidCols how many of n columns.
func (id isa) trapezoidRows(n int) int {
	if s := id.shapes(); s != nil {
		return s.Rows(n)
	}
	return min(n, 8)
}

func (id isa) trapezoidCols(n int) int {
	if s := id.shapes(); s != nil {
		return s.Cols(n)
	}
	return n
}

// kernels lists the sets of this architecture, the preferred one last.
var kernels = setsFor(runtime.GOARCH)

// setsFor lists the sets of an architecture. Add here.
func setsFor(architecture string) []*kernel {
	list := []*kernel{{isaPortable, "portable", "nothing", []int{4, 4, 4, 4}}}
	switch architecture {
	case "amd64":
		list = append(list,
			&kernel{isaAVX2, "avx2", "AVX2 and FMA", shapes.AVX2.Tiles},
			&kernel{isaAVX512, "avx512", "AVX-512 F, BW, DQ and VL", shapes.AVX512.Tiles})
	case "arm64":
		list = append(list, &kernel{isaNEON, "neon", "NEON, which every arm64 has", shapes.NEON.Tiles})
	}
	return list
}

// choice is the set in use and why.
type choice struct {
	kernel *kernel
	reason string
}

var active atomic.Pointer[choice]

func init() { active.Store(choose(os.Getenv(EnvKernel))) }

func current() *kernel { return active.Load().kernel }

// choose takes the set that was asked for, or the best that runs here.
func choose(asked string) *choice {
	note := ""
	if asked != "" {
		k, err := find(asked)
		if err == nil {
			return &choice{k, EnvKernel + "=" + asked}
		}
		note = fmt.Sprintf(" (%s=%s ignored: %v)", EnvKernel, asked, err)
	}
	for i := len(kernels) - 1; ; i-- {
		if missing(kernels[i].id) == "" {
			return &choice{kernels[i], "the widest that this build and processor run" + note}
		}
	}
}

// EnvironmentError is the error in [EnvKernel], or nil.
func EnvironmentError() error {
	asked := os.Getenv(EnvKernel)
	if asked == "" {
		return nil
	}
	_, err := find(asked)
	if err == nil {
		return nil
	}
	var names []string
	for _, k := range kernels {
		if missing(k.id) == "" {
			names = append(names, k.name)
		}
	}
	return fmt.Errorf("%s: %w; here it can be %s", EnvKernel, err, strings.Join(names, ", "))
}

// find returns the set of that name if it runs here.
func find(name string) (*kernel, error) {
	for _, k := range kernels {
		if k.name != name {
			continue
		}
		if why := missing(k.id); why != "" {
			return nil, fmt.Errorf("blas: kernel %s: %s", name, why)
		}
		return k, nil
	}
	return nil, fmt.Errorf("blas: no kernel named %q", name)
}

// SetKernel makes all later calls use the named set of kernels. Results do not change, only speed.
func SetKernel(name string) error {
	k, err := find(name)
	if err != nil {
		return err
	}
	active.Store(&choice{k, "SetKernel"})
	return nil
}

// Kernel describes one set of kernels.
type Kernel struct {
	Name      string
	Needs     string // what the processor must have
	Rows      int    // of the main tile of the matrix product
	Cols      int
	Available bool
	Chosen    bool
	Reason    string // why it was chosen, or why it is not available
}

// Kernels lists the sets that exist, whether each can run here, which one is in use and why.
func Kernels() []Kernel {
	var list []Kernel
	now := active.Load()
	for _, k := range kernels {
		why := missing(k.id)
		entry := Kernel{Name: k.name, Needs: k.needs, Rows: k.rows(), Cols: k.cols(), Available: why == "", Reason: why}
		if k == now.kernel {
			entry.Chosen, entry.Reason = true, now.reason
		}
		list = append(list, entry)
	}
	return list
}
