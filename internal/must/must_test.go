package must

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMust(t *testing.T) {
	err := errors.New("no such thing")
	require.PanicsWithError(t, err.Error(), func() { Do(err) })
	require.PanicsWithError(t, err.Error(), func() { Get(1, err) })
	require.PanicsWithError(t, err.Error(), func() { Both(1, "a", err) })
	require.Equal(t, 1, Get(1, nil))
	x, y := Both(1, "a", nil)
	require.Equal(t, []any{1, "a"}, []any{x, y})
}
