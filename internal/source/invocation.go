package source

import (
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// Invocation is how somebody in the module of the running program calls it: go run and the folder of its package, or
// the program's name where the build does not say that folder.
func Invocation() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return filepath.Base(os.Args[0])
	}
	return invocation(info.Path, info.Main.Path, filepath.Base(os.Args[0]))
}

func invocation(program, module, name string) string {
	folder, inside := strings.CutPrefix(program, module)
	switch {
	case module == "" || !inside || path.Ext(program) == ".test":
		return name
	case folder == "":
		return "go run ."
	case folder[0] == '/':
		return "go run ." + folder
	}
	return name
}
