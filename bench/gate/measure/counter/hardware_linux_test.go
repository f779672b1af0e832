package counter

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInterpret(t *testing.T) {
	raw := func(value, enabled, running uint64) (b [24]byte) {
		binary.NativeEndian.PutUint64(b[:], value)
		binary.NativeEndian.PutUint64(b[8:], enabled)
		binary.NativeEndian.PutUint64(b[16:], running)
		return b
	}
	c, err := interpret(raw(77, 10, 10))
	require.NoError(t, err)
	require.EqualValues(t, 77, c.Instructions)
	_, err = interpret(raw(77, 10, 9))
	require.ErrorContains(t, err, "lent to others")
	_, err = interpret(raw(0, 0, 0))
	require.Error(t, err)
}
