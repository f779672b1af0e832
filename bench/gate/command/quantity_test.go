package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
)

// Where instructions gate a few rounds suffice, and the second look has as many as a change takes.
func TestQuantitySettlesTheRounds(t *testing.T) {
	flags := func(quantity string) *diffFlags {
		f := &diffFlags{confirm: 1, pilot: 5}
		f.quantity, f.count, f.policy = quantity, 10, compare.DefaultPolicy()
		return f
	}
	nothing := func(string) bool { return false }
	f := flags(timeAlone)
	f.settleQuantity(nothing)
	require.Equal(t, []int{10, 20}, diff.Schedule(f.count, f.confirm, 7, f.policy.Alpha, f.counting()))
	require.Empty(t, f.policy.GateOn)

	f = flags(instructions)
	f.settleQuantity(nothing)
	require.Equal(t, compare.GateOnBoth, f.policy.GateOn)
	// 2·3⁻¹¹ ≤ 0.01/6/80 < 2·3⁻¹⁰, and two more
	require.Equal(t, []int{3, 13}, diff.Schedule(f.count, f.confirm, 20, f.policy.Alpha, f.counting()))
	require.Zero(t, f.pilot)

	f = flags(instructions)
	f.policy.GateOn = compare.GateOnTime
	f.settleQuantity(nothing)
	require.Equal(t, []int{10, 20}, diff.Schedule(f.count, f.confirm, 20, f.policy.Alpha, f.counting()))
	f = flags(instructions)
	f.settleQuantity(func(string) bool { return true })
	require.Equal(t, 10, f.count)
	f.quantity = "wishes"
	require.ErrorContains(t, f.validQuantity(), "time, instructions, cycles")
}
