package study

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAComparisonThatFails ends a study with its error. What was measured before it is kept, and the same study goes on
// from there.
func TestAComparisonThatFails(t *testing.T) {
	whole := invented(nullFormat, 5)
	path, broken := filepath.Join(t.TempDir(), "null.jsonl"), errors.New("the third comparison fails")
	for _, fails := range []bool{true, false} {
		b, err := open(path, whole.Plan)
		require.NoError(t, err)
		l := &runner{Options: Options{Comparisons: 5}, journal: b}
		first := len(b.data.Comparisons)
		tried := 0
		data, err := l.run(context.Background(), func(_ context.Context, index int) (Comparison, error) {
			require.Equal(t, first+tried, index)
			tried++
			if fails && index == 2 {
				return Comparison{}, broken
			}
			return whole.Comparisons[index], nil
		})
		require.NoError(t, b.file.Close())
		kept, readErr := ReadFile(path)
		require.NoError(t, readErr)
		require.Len(t, kept.Comparisons, len(data.Comparisons))
		if fails {
			require.ErrorIs(t, err, broken)
			require.Len(t, data.Comparisons, 2)
		} else {
			require.NoError(t, err)
			require.Equal(t, 3, tried)
			require.Len(t, data.Comparisons, 5)
		}
	}
}
