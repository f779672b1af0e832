package props

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// fault is a panic that has been caught, with the place it came from.
type fault string

// describe says what was panicked with, and where.
func describe(p any) string {
	if f, ok := p.(fault); ok {
		return string(f)
	}
	return fmt.Sprint(p) + panicSite()
}

// panicSite names the function and line that panicked, without addresses and directories, so that messages are
// reproducible. It is called while the panic is being recovered.
func panicSite() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for panicked := false; ; {
		f, more := frames.Next()
		library := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "gonum.org/") ||
			strings.HasPrefix(f.Function, "github.com/thm-suite/thm/internal/must.")
		if panicked && !library {
			return fmt.Sprintf(" (%s, %s:%d)", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
