package data

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// tiny is a data set of three training pictures and one test picture, with its files.
func tiny() (Known, map[string][]byte) {
	files := map[string][]byte{
		trainImages: encodeIDX([]int{3, 1, 2}, []byte{1, 2, 3, 4, 5, 6}), trainLabels: encodeIDX([]int{3}, []byte{0, 9, 1}),
		testImages: encodeIDX([]int{1, 1, 2}, []byte{7, 8}), testLabels: encodeIDX([]int{1}, []byte{2}),
	}
	k := Known{Name: "tiny", Package: "test"}
	for i, name := range []string{trainImages, trainLabels, testImages, testLabels} {
		sum := sha256.Sum256(files[name])
		k.Files[i] = KnownFile{name, hex.EncodeToString(sum[:])}
	}
	return k, files
}

// archive is a package that contains the files deep inside, and others.
func archive(t *testing.T, files map[string][]byte) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	files["readme.md"] = []byte("read me")
	for name, b := range files {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: "../../package/data/" + name, Typeflag: tar.TypeReg,
			Size: int64(len(b)), Mode: 0o644}))
		_, err := w.Write(b)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestFetchAndOpen(t *testing.T) {
	k, files := tiny()
	files[testImages+".gz"] = zipped(t, files[testImages])
	delete(files, testImages)
	k.fetch = func(context.Context, string) ([]byte, error) { return archive(t, files), nil }
	dir := filepath.Join(t.TempDir(), "new")
	_, err := k.Open(dir)
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, "thm data fetch tiny")
	require.NoError(t, k.Fetch(context.Background(), dir))
	require.NoError(t, k.Verify(dir))
	set, err := k.Open(dir)
	require.NoError(t, err)
	require.Equal(t, Images{1, 2, []byte{1, 2, 3, 4, 5, 6}, []byte{0, 9, 1}}, set.Train)
	require.Equal(t, Images{1, 2, []byte{7, 8}, []byte{2}}, set.Test)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "the temporary folder is gone")
}

func TestFetchThrowsAwayWhatIsWrong(t *testing.T) {
	k, files := tiny()
	files[testLabels] = encodeIDX([]int{1}, []byte{3})
	for name, fetch := range map[string]fetcher{
		"damaged":   func(context.Context, string) ([]byte, error) { return archive(t, files), nil },
		"no tar":    func(context.Context, string) ([]byte, error) { return []byte("<html>"), nil },
		"empty":     func(context.Context, string) ([]byte, error) { return archive(t, map[string][]byte{}), nil },
		"no client": func(context.Context, string) ([]byte, error) { return nil, errors.New("no client") },
		"no binary": func(ctx context.Context, dir string) ([]byte, error) { return client(ctx, dir, "thm-no-such-client") },
	} {
		k.fetch = fetch
		dir := t.TempDir()
		require.Error(t, k.Fetch(context.Background(), dir), name)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries, name)
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	k, files := tiny()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tiny"), 0o755))
	for name, b := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "tiny", name), b, 0o644))
	}
	require.NoError(t, k.Verify(dir))
	path := filepath.Join(dir, "tiny", trainLabels)
	require.NoError(t, os.WriteFile(path, encodeIDX([]int{3}, []byte{0, 9, 2}), 0o644))
	err := k.Verify(dir)
	require.ErrorContains(t, err, "has SHA-256")
	require.NotErrorIs(t, err, ErrMissing)
}

func TestImagesMustFitLabels(t *testing.T) {
	pictures := encodeIDX([]int{2, 1, 1}, []byte{1, 2})
	_, err := images(pictures, encodeIDX([]int{3}, []byte{0, 1, 2}), 10)
	require.ErrorContains(t, err, "do not fit")
	_, err = images(pictures, encodeIDX([]int{2}, []byte{0, 10}), 10)
	require.ErrorContains(t, err, "label 10 of 10 classes")
}

func TestKnownSets(t *testing.T) {
	for _, k := range KnownSets {
		found, err := FindKnown(k.Name)
		require.NoError(t, err)
		require.Equal(t, k.Title, found.Title)
		for _, f := range k.Files {
			require.Len(t, f.SHA256, 64)
		}
	}
	_, err := FindKnown("cifar")
	require.ErrorContains(t, err, "there are mnist, fashion-mnist")
}

func TestSynthetic(t *testing.T) {
	draw := func(seed uint64) *Dataset { return Synthetic(rand.New(rand.NewPCG(seed, 1)), 50, 20) }
	require.Equal(t, draw(1), draw(1))
	require.NotEqual(t, draw(1), draw(2))
	set := draw(1)
	require.Len(t, set.Train.Pixels, 50*28*28)
	require.Len(t, set.Test.Labels, 20)
	classes := map[byte]bool{}
	for _, l := range set.Train.Labels {
		classes[l] = true
	}
	require.Greater(t, len(classes), 5)
}

// TestShine: pixels that are not asked for their distance from a stroke are too far away.
func TestShine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		var s [4]float64
		for k := range s {
			s[k] = 40*r.Float64() - 6 // some ends lie outside the picture
		}
		switch i % 10 {
		case 0:
			s[2], s[3] = s[0], s[1] // a point
		case 1:
			s[2] = s[0] // upright
		}
		got, want := make([]float64, side*side), make([]float64, side*side)
		shine(got, s)
		for i := range want {
			want[i] = max(0, min(1, 1.5*(1-distanceToStroke(float64(i%side), float64(i/side), s)/2)))
		}
		require.Equal(t, want, got, "%v", s)
	}
}
