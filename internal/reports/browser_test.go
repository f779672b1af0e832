//go:build system

package reports

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/inspect.js
var inspectJS string

// inspect opens a page as readers will meet it and returns all complaints. With a prefix for their names it also takes
// screenshots, if a directory for them is given.
func inspect(t *testing.T, browser context.Context, path, shots string) (out []string) {
	t.Helper()
	limited, cancel := context.WithTimeout(browser, 2*time.Minute) // against a browser that hangs
	defer cancel()
	ctx, closeTab := chromedp.NewContext(limited)
	defer closeTab()
	b := open(t, ctx, path)
	ask := func(checks ...string) []string {
		return b.evaluate("(c => [" + `"` + strings.Join(checks, `", "`) + `"` + "].flatMap(name => c[name]()))(" +
			inspectJS + ")")
	}
	shoot := func(name string) {
		if shots != "" {
			b.screenshots(shots + name)
		}
	}
	b.do(chromedp.KeyEvent(kb.Tab))
	out = append(out, ask("focus")...)
	b.do(chromedp.KeyEvent(kb.Enter))
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
	return append(out, b.complained()...)
}

// TestInBrowser opens reports in Chromium: one with every verdict and hostile text, and one that is all green.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	for name, site := range map[string]Site{"sample-": sample(), "green-": green()} {
		page, err := HTML(site)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "index.html")
		require.NoError(t, os.WriteFile(path, page, 0o644))
		require.Empty(t, inspect(t, b, path, name))
	}
	dir := t.TempDir()
	require.NoError(t, Write(dir, sample()))
	for _, name := range []string{"index", "claims/alpha/residual", "claims/beta/spectrum", "claims/beta/untouched"} {
		complaints := inspect(t, b, filepath.Join(dir, name+".html"), strings.ReplaceAll(name, "/", "-")+"-")
		require.Empty(t, complaints, name)
	}
	canFail(t, b)
}

// TestScriptInBrowser uses the index as a reader does: it searches, filters, sorts, points at the graph, follows it,
// and makes a picture of a figure.
func TestScriptInBrowser(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, sample()))
	ctx, closeTab := chromedp.NewContext(startBrowser(t))
	defer closeTab()
	b := open(t, ctx, filepath.Join(dir, "index.html"))
	shown := func(script string) []string {
		return b.evaluate(script + `; [...document.querySelectorAll("tr.row")].filter(r => r.checkVisibility()).map(r =>
			r.dataset.slug)`)
	}
	set := func(name, value string) string {
		return fmt.Sprintf(`(() => { const f = document.querySelector(".finder [name=%s]"); f.value = %q;
			f.dispatchEvent(new Event("input", {bubbles: true})); })()`, name, value)
	}
	all := []string{"beta/spectrum", "beta/probability", "beta/stopped", "beta/broken", "alpha/residual", "alpha/order",
		"beta/untouched"} // what does not hold comes first
	require.Equal(t, all, shown("0"))
	require.Equal(t, all[4:5], shown(set("words", "GRAM exact shift")))
	require.Empty(t, shown(set("words", "gram nowhere")))
	require.Equal(t, append(all[:4:4], all[6]), shown(set("words", "")+";"+set("source", "beta")))
	require.Equal(t, []string{"3 claims and 2 findings of 5 claims and 2 findings"},
		b.evaluate(`[document.querySelector(".finder output").textContent]`))
	require.Equal(t, all[1:2], shown(set("verdict", "undecided")))
	require.Equal(t, all, shown(set("source", "")+";"+set("verdict", "")))
	require.Equal(t, all[4:5], shown(set("kind", "identity")+";"+set("standing", "theorem")))
	worst := shown(set("kind", "") + ";" + set("standing", "") + ";" + set("order", "worst"))
	require.Equal(t, []string{"beta/spectrum", "beta/probability", "alpha/residual", "alpha/order"}, worst[:4])
	require.Len(t, worst, len(all))
	require.Equal(t, "beta/spectrum", shown(set("order", "seconds"))[0])
	require.Equal(t, all, shown(set("order", "")))
	require.Equal(t, all[:1], shown(`document.querySelector("[data-choose=refuted]").click()`))
	require.Equal(t, []string{"alpha/residual", "alpha/order"}, b.evaluate(
		`document.querySelector("a.node[data-node='alpha/order']").dispatchEvent(new PointerEvent("pointerover",
			{bubbles: true})), [...document.querySelectorAll(".graph.traced a.node.on")].map(n => n.dataset.node)`))
	require.Empty(t, b.complained())
	b.evaluate(`document.querySelector("a.node[data-node='alpha/residual']").dispatchEvent(new MouseEvent("click",
		{bubbles: true})), []`)
	require.Eventually(t, func() bool {
		at, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.pathname + document.readyState"))
		return err == nil && strings.HasSuffix(at, "/claims/alpha/residual.htmlcomplete")
	}, 20*time.Second, 50*time.Millisecond)
	require.Equal(t, []string{"2000×1390"}, b.evaluate(`(async () => { const b = document.querySelector("button.png");
		b.click(); for (let i = 0; i < 200 && !b.dataset.made; i++) await new Promise(r => setTimeout(r, 20));
		return [b.dataset.made]; })()`))
}

// TestWithoutScript asks that a browser without scripts shows every claim and none of the buttons that need a script.
func TestWithoutScript(t *testing.T) {
	page, err := HTML(sample())
	require.NoError(t, err)
	changed := strings.Replace(string(page), `"use strict";`, `"use strict"; window.changed = 1;`, 1)
	for name, text := range map[string]string{"disabled": string(page), "not the allowed one": changed} {
		path := filepath.Join(t.TempDir(), "index.html")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		ctx, closeTab := chromedp.NewContext(startBrowser(t))
		defer closeTab()
		if name == "disabled" {
			_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: true})
			require.NoError(t, err)
			require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("file://"+path)))
		} else {
			b := open(t, ctx, path)
			require.Len(t, b.complained(), 1, "the policy forbids any other script")
			require.Contains(t, b.complained()[0], "Content Security Policy")
		}
		counts, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[document.querySelectorAll("tr.row").length,
			[...document.querySelectorAll(".finder, button")].filter(e => e.checkVisibility()).length,
			document.querySelectorAll("article.claim").length, window.changed].join()`))
		require.NoError(t, err)
		require.Equal(t, "7,0,7,", counts, name)
	}
}

// soundPage is a page without faults; defects are inserted in its middle.
const soundPage = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<style>:root{color-scheme:light dark;background:#fff;color:#111}
@media screen and (prefers-color-scheme:dark){:root{background:#111;color:#eee}}
a{color:inherit}.skip{position:absolute;top:-99px}.skip:focus{top:0}
@media print{details:not([open]){display:none}}</style>
<body><a class="skip" href="#main">skip</a><h1 id="main" tabindex="-1">Page</h1>%s</body></html>`

// canFail checks that the inspection notices each defect, and passes a page without any.
func canFail(t *testing.T, b context.Context) {
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
		{`<style>details{display:block!important}</style><details><summary>s</summary><p>x</p></details>`,
			"a folded heading is printed without its text"},
		{`<math style="font-size:1px"><mi>x</mi></math>`, `formula is not drawn: "x"`},
	} {
		path := filepath.Join(dir, fmt.Sprintf("%d.html", i))
		require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, soundPage, c.defect), 0o644))
		complaints := inspect(t, b, path, "")
		if c.complaint == "" {
			require.Empty(t, complaints)
		} else {
			require.Contains(t, complaints, c.complaint, c.defect)
		}
	}
}
