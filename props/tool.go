package props

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// ThisTool describes the running binary and its machine.
func ThisTool() Tool {
	t := Tool{Version: "devel", Go: runtime.Version(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, CPU: cpuName()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return t
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		t.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			t.Version = "devel-" + s.Value[:min(12, len(s.Value))]
		case "GOAMD64":
			t.GOAMD64 = s.Value
		}
	}
	for _, d := range info.Deps {
		if d.Path == "gonum.org/v1/gonum" {
			t.Kernel = "gonum " + d.Version
		}
	}
	return t
}

// cpuName is the processor's model name where the system tells it, and the architecture elsewhere.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
