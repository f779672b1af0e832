package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/terminal"
)

func TestPaintVerdicts(t *testing.T) {
	text := "Slower-2  1 ± 1%  2 ± 1%  slower\nX  undecided, needs n=7 ³\nY  worse (not gated)\n³ a sentence that " +
		"ends with  same\n"
	require.Equal(t, text, paintVerdicts(terminal.Style{}, text))
	require.Equal(t, "Slower-2  1 ± 1%  2 ± 1%\x1b[31m  slower\x1b[0m\nX\x1b[33m  undecided, needs n=7 ³\x1b[0m\n"+
		"Y\x1b[31m  worse (not gated)\x1b[0m\n³ a sentence that ends with\x1b[2m  same\x1b[0m\n",
		paintVerdicts(terminal.Style{On: true}, text))
}
