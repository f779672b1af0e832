package reports

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/inspect.js
var inspectJS string

// startBrowser starts Chromium, or skips the test and says so. THM_REQUIRE_BROWSER=1 makes its absence a failure.
func startBrowser(t *testing.T) *browser {
	path := chromium()
	if path == "" || runtime.GOOS == "windows" { // the pipes are inherited descriptors, which Windows does not have
		if os.Getenv("THM_REQUIRE_BROWSER") == "1" {
			t.Fatal("no chromium in PATH, and THM_REQUIRE_BROWSER is set")
		}
		t.Skip("SKIPPED 1 of 1 browser tests: no chromium in PATH")
	}
	return launch(t, path)
}

// inspect opens a page as readers will meet it and returns all complaints. With a prefix for their names it also takes
// screenshots, if a directory for them is given.
func inspect(b *browser, path, shots string) []string {
	b.open(path)
	defer b.close()
	ask := func(checks ...string) []string {
		return b.evaluate("(c => [" + `"` + strings.Join(checks, `", "`) + `"` + "].flatMap(name => c[name]()))(" +
			inspectJS + ")")
	}
	shoot := func(name string) {
		if shots != "" {
			b.screenshots(shots + name)
		}
	}
	out := append(requests(b, path), console(b)...)
	b.press("Tab", 9)
	out = append(out, ask("focus")...)
	b.press("Enter", 13)
	out = append(out, ask("skipped")...)
	out = append(out, ask("pwned", "anchors", "figures", "headings", "overlaps", "overflow", "light", "contrast",
		"formulas")...)
	b.evaluate("document.querySelectorAll('details').forEach(d => d.open = true), document.activeElement.blur(), []")
	out = append(out, ask("overlaps", "contrast")...)
	b.evaluate("document.querySelectorAll('details:not(.reading, .counterexample)').forEach(d => d.open = false), []")
	shoot("light")

	b.media("screen", "dark")
	out = append(out, ask("dark", "contrast")...)
	shoot("dark")

	b.media("screen", "light")
	b.window(400, 800)
	out = append(out, ask("overflow", "overlaps")...)
	shoot("narrow")

	b.window(680, 1000) // what the margins leave of A4 at 96 dots per inch
	b.media("print", "dark")
	out = append(out, ask("light", "contrast", "folded", "overflow", "overlaps")...)
	shoot("print")
	if pdf := b.print(); !strings.HasPrefix(string(pdf), "%PDF-") {
		out = append(out, "the page does not print")
	} else if dir := os.Getenv("THM_SCREENSHOT_DIR"); dir != "" && shots != "" {
		_ = os.WriteFile(filepath.Join(dir, shots+"print.pdf"), pdf, 0o644)
	}
	return append(out, console(b)...)
}

// requests lists what the page asked for besides itself.
func requests(b *browser, path string) (out []string) {
	for _, e := range b.events {
		var p struct{ Request struct{ URL string } }
		if e.Method != "Network.requestWillBeSent" || json.Unmarshal(e.Params, &p) != nil {
			continue
		}
		if u := p.Request.URL; u != "file://"+path && !strings.HasPrefix(u, "data:") {
			out = append(out, "request for "+u)
		}
	}
	return out
}

// console lists errors and warnings that the page caused.
func console(b *browser) (out []string) {
	for _, e := range b.events {
		var p struct {
			Type             string
			Entry            struct{ Level, Text string }
			ExceptionDetails struct{ Text string }
		}
		_ = json.Unmarshal(e.Params, &p)
		switch {
		case e.Method == "Runtime.exceptionThrown":
			out = append(out, "exception: "+p.ExceptionDetails.Text)
		case e.Method == "Runtime.consoleAPICalled" && (p.Type == "error" || p.Type == "warning" || p.Type == "assert"):
			out = append(out, "console "+p.Type)
		case e.Method == "Log.entryAdded" && (p.Entry.Level == "error" || p.Entry.Level == "warning"):
			out = append(out, "log "+p.Entry.Level+": "+p.Entry.Text)
		}
	}
	return out
}

// TestInBrowser opens reports in Chromium: one of every verdict with hostile text in it, and one that is all green.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	for name, site := range map[string]Site{"sample-": sample(), "green-": green()} {
		page, err := HTML(site)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "index.html")
		require.NoError(t, os.WriteFile(path, page, 0o644))
		require.Empty(t, inspect(b, path, name))
	}
	canFail(t, b)
}

// sound is a page without fault; defects are put in its middle.
const soundPage = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<style>:root{color-scheme:light dark;background:#fff;color:#111}
@media screen and (prefers-color-scheme:dark){:root{background:#111;color:#eee}}
a{color:inherit}.skip{position:absolute;top:-99px}.skip:focus{top:0}
@media print{details::details-content{display:block;content-visibility:visible;height:auto}}</style>
<body><a class="skip" href="#main">skip</a><h1 id="main" tabindex="-1">Page</h1>%s</body></html>`

// canFail shows that the inspection notices each defect, and that it passes without any.
func canFail(t *testing.T, b *browser) {
	dir := t.TempDir()
	for i, c := range []struct{ defect, complaint string }{
		{"", ""},
		{`<a href="#nowhere">x</a>`, "anchor without target: #nowhere"},
		{`<script>console.error("x")</script>`, "console error"},
		{`<script>throw new Error("x")</script>`, "exception: Uncaught"},
		{`<script>window.pwned = 1</script>`, "text of the results was run as a script"},
		{`<img alt="x" src="http://127.0.0.1:9/x.png">`, "request for http://127.0.0.1:9/x.png"},
		{`<link rel="stylesheet" href="other.css">`, "request for file://" + dir + "/other.css"},
		{`<img src="data:,">`, "image without text alternative"},
		{`<svg role="img"><path d="M0 0"/></svg>`, "figure without text alternative"},
		{`<svg role="img" aria-labelledby="none"><title>t</title></svg>`, "figure without text alternative"},
		{`<figure>x</figure>`, "figure without caption"},
		{`<svg role="img" width="200"><title>t</title><text x="5" y="20">abc</text><text x="9" y="21">abc</text></svg>`,
			`text overlaps: "abc" and "abc"`},
		{`<svg role="img" width="200"><title>t</title><text x="190" y="20">abcdef</text></svg>`,
			`text leaves its figure: "abcdef"`},
		{`<div style="width:600px">x</div>`, "page is 608 px wide in a window of 400 px"},
		{`<style>:root{background:#fff!important;color:#111!important}</style>`, "background is not dark in dark mode"},
		{`<style>:root{background:#111!important;color:#fff!important}</style>`, "background is not light"},
		{`<p style="color:#999;background:#fff">grey</p>`, `contrast 2.85 of "grey"`},
		{`<h3>x</h3>`, "heading h3 after h1"},
		{`<h1>x</h1>`, "not exactly one h1"},
		{`<style>.skip{display:none}</style><a href="#main">x</a>`, "the first stop of the keyboard is no skip link"},
		{`<style>.skip:focus{top:-99px}</style>`, "the skip link is not visible when it has the focus"},
		{`<script>document.querySelector("h1").removeAttribute("tabindex")</script>`,
			"the skip link does not move the focus"},
		{`<style>details::details-content{display:none!important}</style><details><summary>s</summary><p>x</p></details>`,
			"folded text is not printed"},
		{`<math style="font-size:1px"><mi>x</mi></math>`, `formula is not drawn: "x"`},
	} {
		path := filepath.Join(dir, fmt.Sprintf("%d.html", i))
		require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, soundPage, c.defect), 0o644))
		complaints := inspect(b, path, "")
		if c.complaint == "" {
			require.Empty(t, complaints)
		} else {
			require.Contains(t, complaints, c.complaint, c.defect)
		}
	}
}
