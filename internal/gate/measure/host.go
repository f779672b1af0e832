package measure

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Machine is configuration that describes the machine beyond what a test binary prints itself (goos, goarch, cpu).
func Machine() [][2]string {
	return [][2]string{{"cpus", strconv.Itoa(runtime.NumCPU())}, {"governor", governor()}}
}

// governor is the policy by which the system sets the frequency of the processor.
func governor() string {
	if g := kernelFile("devices/system/cpu/cpu0/cpufreq/scaling_governor"); g != "" {
		return g
	}
	return "unknown"
}

// Frequency says what is known of how the processor's clock behaves.
func Frequency() string {
	var facts []string
	for _, f := range []struct{ label, file string }{
		{"driver", "devices/system/cpu/cpu0/cpufreq/scaling_driver"},
		{"boost", "devices/system/cpu/cpufreq/boost"},
		{"no_turbo", "devices/system/cpu/intel_pstate/no_turbo"},
		{"smt", "devices/system/cpu/smt/control"},
	} {
		if v := kernelFile(f.file); v != "" {
			facts = append(facts, f.label+"="+v)
		}
	}
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil && strings.Contains(string(info), " hypervisor") {
		facts = append(facts, "virtual machine")
	}
	if len(facts) == 0 {
		return "unknown"
	}
	return strings.Join(facts, ", ")
}

// kernelFile is the content of a file of /sys, empty where there is none.
func kernelFile(name string) string {
	b, err := os.ReadFile(filepath.Join("/sys", name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// Revision returns the commit that is checked out at dir, and whether there are uncommitted changes. Outside a
// repository both are empty.
func Revision(ctx context.Context, dir string) (commit string, dirty bool) {
	head, err := command(ctx, dir, nil, "git", "rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	status, err := command(ctx, dir, nil, "git", "status", "--porcelain")
	return strings.TrimSpace(head), err != nil || strings.TrimSpace(status) != ""
}
