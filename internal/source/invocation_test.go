package source

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInvocation(t *testing.T) {
	for _, c := range []struct{ program, module, want string }{
		{"github.com/thm-suite/thm/cmd/thm", "github.com/thm-suite/thm", "go run ./cmd/thm"},
		{"example.org/mine", "example.org/mine", "go run ."},
		{"example.org/mine/cmd/command.test", "example.org/mine", "name"},
		{"example.org/miner/cmd", "example.org/mine", "name"},
		{"command-line-arguments", "example.org/mine", "name"},
		{"command-line-arguments", "", "name"},
	} {
		require.Equal(t, c.want, invocation(c.program, c.module, "name"), c.program)
	}
}
