//go:build system

package faulty

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/impl/kernel/builtin"
	"github.com/thm-suite/thm/props/kernelkit"
	"github.com/thm-suite/thm/props/kernelkit/blaskit"
	"github.com/thm-suite/thm/props/kernelkit/factorkit"
)

// blasOnly is the kernel without its factorisations, which have tests of their own.
func blasOnly(k kernel.Kernel) kernel.Kernel {
	return kernel.Kernel{Name: k.Name, BLAS: k.BLAS, SetThreads: k.SetThreads}
}

// factorOnly is the kernel without its BLAS.
func factorOnly(k kernel.Kernel) kernel.Kernel {
	k.BLAS = nil
	return k
}

// complete asks that every check of a kind rejects its own faults.
func complete(t *testing.T, k kernel.Kernel, checks int) {
	t.Helper()
	m, err := Kills(t.Context(), k, kernelkit.Options{Seed: 1}, false)
	require.NoError(t, err)
	for _, gap := range m.Gaps() {
		t.Error(gap)
	}
	require.Len(t, m.Rows, checks)
}

func TestBLASKills(t *testing.T) { complete(t, blasOnly(builtin.Thm()), len(blaskit.Checks())) }

func TestFactorKills(t *testing.T) { complete(t, factorOnly(builtin.Thm()), len(factorkit.Checks())) }
