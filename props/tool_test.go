package props

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionIsTheTag(t *testing.T) {
	const commit = "0123456789abcdef"
	for module, want := range map[string]string{
		"v1.2.3":                               "v1.2.3",
		"v1.2.3-rc.1":                          "v1.2.3-rc.1",
		"v1.2.3+dirty":                         "devel-0123456789ab",
		"v0.0.0-20261128144622-0123456789ab":   "devel-0123456789ab",
		"v1.2.4-0.20261128144622-0123456789ab": "devel-0123456789ab",
		"(devel)":                              "devel-0123456789ab",
		"":                                     "devel-0123456789ab",
	} {
		require.Equal(t, want, taggedVersion(module, commit), module)
	}
	require.Equal(t, "devel", taggedVersion("(devel)", ""))
	require.Equal(t, "v0.0.0-20261128144622-0123456789ab", taggedVersion("v0.0.0-20261128144622-0123456789ab", ""),
		"of go install, which leaves no commit")
}
