package kernelkit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/thm-suite/thm/props/kernelkit"
)

// A kernel of one's own is a value behind gonum's interfaces. Here it is gonum's BLAS, which has a known defect: a zero
// in A hides a NaN in B. What is known of routines that are gonum's is waived unless the options are strict.
func ExampleRun() {
	mine := kernelkit.Kernel{Name: "mine", BLAS: gonum.Implementation{}}
	result, err := kernelkit.Run(context.Background(), mine,
		kernelkit.Options{Match: "gemm/rounding*,gemm/NaN*", Seed: 1, Strict: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range result.Checks {
		fmt.Printf("%s: %s\n", row.Check, row.Verdict)
		for _, line := range strings.Split(strings.TrimSpace(row.Counterexample), "\n") {
			if strings.HasPrefix(line, "call") || strings.HasPrefix(line, "swallowed") {
				fmt.Println("  " + line)
			}
		}
	}
	fmt.Println("conforms:", result.OK())
	// Output:
	// gemm/rounding bound: holds
	// gemm/rounding growth: holds
	// gemm/NaN and infinities: failed
	//   call = gemm(tA=N, tB=N, m=1, n=1, k=1, alpha=1, lda=1, ldb=1, beta=1, ldc=1)
	//   swallowed or made = c[0,0] = 0.69982306006682, want NaN
	// conforms: false
}

// A known defect is accepted with a reason and until a day, and no longer than it is there.
func ExampleWaiver() {
	mine := kernelkit.Kernel{Name: "mine", BLAS: gonum.Implementation{}}
	accepted := []kernelkit.Waiver{{
		Kernel: "mine", Check: "gemm/NaN and infinities", Reason: "zeros are skipped", Expires: "9999-12-31",
	}, {
		Kernel: "mine", Check: "gemm/rounding bound", Reason: "was wrong once", Expires: "9999-12-31",
	}}
	result, err := kernelkit.Run(context.Background(), mine,
		kernelkit.Options{Match: "gemm/rounding*,gemm/NaN*", Waivers: accepted})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Counts[kernelkit.Waived], "waived")
	for _, complaint := range result.Complaints {
		fmt.Println(complaint)
	}
	// Output:
	// 1 waived
	// waiver of gemm/rounding bound is not needed: the check holds
}

// ExampleTest is the whole test file of a module that brings its own kernel.
func ExampleTest() {
	_ = func(t *testing.T) {
		kernelkit.Test(t, kernelkit.Kernel{Name: "mine", BLAS: gonum.Implementation{}}, kernelkit.Waiver{
			Kernel: "mine", Check: "gemm/NaN and infinities", Reason: "zeros are skipped", Expires: "2027-06-30",
		})
	}
}
