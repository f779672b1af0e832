package documents

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports"
)

// The site of this repository has all documents, and none of its links is dead.
func TestSite(t *testing.T) {
	files, err := SiteFiles(os.DirFS("../../.."))
	require.NoError(t, err)
	pages := map[string]string{}
	for _, f := range files {
		require.NotContains(t, pages, f.Name, "twice")
		pages[f.Name] = string(f.Content)
	}
	for _, name := range []string{"doc/bias.html", "doc/determinism.html", "doc/layout.svg", "bench/gate/index.html",
		"reports/published/example/claims/vcl/residual.html", "reports/published/experiments/index.html",
		"reports/published/experiments/latent/kernels/report.html", "reports/published/soak/index.html"} {
		require.NotEmpty(t, pages[name], name)
	}
	require.Contains(t, pages["index.html"], `<title>thm</title>`)
	require.Contains(t, pages["index.html"], `<a href="doc/claims.html">`)
	require.Contains(t, pages["index.html"], `<a href="doc/commands.html">Commands</a>`)
	require.Contains(t, pages["doc/commands.html"],
		`"https://github.com/thm-suite/thm/blob/main/cmd/command/testdata/torch"`)
	require.Contains(t, pages["doc/layout.html"], `<img src="../doc/layout.svg"`)
}

// Links are followed from any depth, and a dead one is named.
func TestLinks(t *testing.T) {
	made := func(readme string) ([]reports.File, error) {
		repository := fstest.MapFS{"README.md": {Data: []byte(readme)},
			"doc/a/b.md":  {Data: []byte("# B\n\n[up](../../README.md#here) [x](x.svg) [code](c.go)")},
			"doc/a/x.svg": {Data: []byte("<svg/>")}, "doc/a/c.go": {Data: []byte("package c")}}
		for _, p := range places {
			if repository[p[1]] == nil {
				repository[p[1]] = &fstest.MapFile{Data: []byte("text")}
			}
		}
		return SiteFiles(repository)
	}
	files, err := made("# One\n\n[b](doc/a/b.md)\n\n## Here\n")
	require.NoError(t, err)
	var b string
	for _, f := range files {
		if f.Name == "doc/a/b.html" {
			b = string(f.Content)
		}
	}
	require.Contains(t, b, `<title>B · thm</title>`)
	require.Contains(t, b, `<a href="../../index.html#here">up</a> <a href="../../doc/a/x.svg">x</a>`)
	require.Contains(t, b, `/blob/main/doc/a/c.go">code</a>`)

	_, err = made("[b](doc/a/nowhere.md)")
	require.EqualError(t, err, "README.md: a link leads to doc/a/nowhere.md, which is not there")
	_, err = made("[b](doc/a/b.md)")
	require.EqualError(t, err, "doc/a/b.html: a link leads to ../../index.html#here, which is not on the site")
	_, err = made("[b](#there)")
	require.EqualError(t, err, "index.html: a link leads to #there, which is not on the site")
}
