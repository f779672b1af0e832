package list

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLists(t *testing.T) {
	require.Equal(t, []int{0, 1, 4}, Fill(3, func(i int) int { return i * i }))
	require.Equal(t, []int{1, 3}, Map([]string{"a", "abc"}, func(s string) int { return len(s) }))
	require.Equal(t, []string{"a", "ab", "aa", "abab"}, Cross([]int{1, 2}, []string{"a", "ab"},
		func(n int, s string) string { return strings.Repeat(s, n) }))
	require.Empty(t, Cross([]int{1}, nil, func(int, string) int { return 0 }))
	require.Equal(t, []int{2, 4}, Where([]int{1, 2, 4}, func(x int) bool { return x%2 == 0 }))
	require.Nil(t, Where([]int{1}, func(int) bool { return false }))
	require.Equal(t, []int{1, 4, 1}, Without([]int{1, 2, 4, 1}, []int{2, 3}))
}
