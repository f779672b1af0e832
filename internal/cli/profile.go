package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"

	"github.com/spf13/pflag"
)

// Profiling says where to write profiles of a run, as the flags of go test do; nowhere if empty.
type Profiling struct{ cpu, trace string }

// Register adds the flags --cpuprofile and --trace.
func (f *Profiling) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.cpu, "cpuprofile", "", "write a CPU profile to this file, for go tool pprof")
	flags.StringVar(&f.trace, "trace", "", "write an execution trace to this file, for go tool trace")
}

// profile is one that is being taken, under another name until it is complete.
type profile struct {
	name string
	file *os.File
	end  func()
}

// Profiles are those being taken.
type Profiles []profile

// Start begins those that flags name. An error leaves no file behind.
func (f Profiling) Start() (Profiles, error) {
	var all Profiles
	for _, p := range []struct {
		flag, name string
		begin      func(*os.File) error
		end        func()
	}{
		{"cpuprofile", f.cpu, func(w *os.File) error { return pprof.StartCPUProfile(w) }, pprof.StopCPUProfile},
		{"trace", f.trace, func(w *os.File) error { return trace.Start(w) }, trace.Stop},
	} {
		if p.name == "" {
			continue
		}
		file, err := createBeside(p.name)
		if err == nil {
			if err = p.begin(file); err != nil {
				profile{"", file, func() {}}.discard()
			}
		}
		if err != nil {
			all.Discard()
			return nil, fmt.Errorf("--%s: %w", p.flag, err)
		}
		all = append(all, profile{p.name, file, p.end})
	}
	return all, nil
}

// createBeside makes a file that can take the place of the named one.
func createBeside(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", name)
	}
	return os.CreateTemp(filepath.Dir(name), ".profile-*")
}

// Finish ends the profiles and gives them their names.
func (all Profiles) Finish() error {
	var errs []error
	for _, p := range all {
		p.end()
		err := p.file.Close()
		if err == nil {
			err = os.Rename(p.file.Name(), p.name)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Discard ends the profiles and removes them.
func (all Profiles) Discard() {
	for _, p := range all {
		p.discard()
	}
}

func (p profile) discard() {
	p.end()
	_ = p.file.Close()
	_ = os.Remove(p.file.Name())
}
