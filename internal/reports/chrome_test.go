//go:build system

package reports

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// startBrowser starts Chromium, which ends with the test. Without one it skips the test and says so;
// THM_REQUIRE_BROWSER=1 makes its absence a failure.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path := chromium()
	if path == "" {
		if os.Getenv("THM_REQUIRE_BROWSER") == "1" {
			t.Fatal("no chromium in PATH, and THM_REQUIRE_BROWSER is set")
		}
		t.Skip("SKIPPED 1 of 1 browser tests: no chromium in PATH")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(browser))
	return browser
}

// chromium finds the browser, or returns "".
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is an open page with the complaints about it.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

// open shows a file in a new tab, which ends with the context, and waits until it has come to rest.
func open(t *testing.T, ctx context.Context, path string) *tab {
	t.Helper()
	p := &tab{t: t, ctx: ctx}
	url := "file://" + path
	require.NoError(t, chromedp.Listen(ctx, func(event any) { p.listen(url, event) }))
	p.window(1280, 900)
	p.do(chromedp.Navigate(url))
	p.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(() => done([]))))")
	return p
}

// listen records the page's errors and warnings, and its requests for anything but itself.
func (p *tab) listen(url string, event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	complain := func(format string, a ...any) { p.complaints = append(p.complaints, fmt.Sprintf(format, a...)) }
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; u != url && !strings.HasPrefix(u, "data:") {
			complain("request for %s", u)
		}
	case *runtime.EventExceptionThrown:
		complain("exception: %s", e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning ||
			e.Type == runtime.ConsoleAPICalledTypeAssert {
			complain("console %s", e.Type)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			complain("log %s: %s", e.Entry.Level, e.Entry.Text)
		}
	}
}

// complained lists the complaints so far.
func (p *tab) complained() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.complaints)
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, actions...))
}

// call sends a command of the protocol to a page and returns its result.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, command, params)
	require.NoError(p.t, err)
	return result
}

// evaluate runs an expression in the page that returns a list of strings.
func (p *tab) evaluate(expression string) []string {
	p.t.Helper()
	out, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](expression, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err, expression[max(0, len(expression)-60):])
	return out
}

// window sets the size of the viewport in CSS pixels.
func (p *tab) window(width, height int64) {
	p.t.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height,
		DeviceScaleFactor: 1})
}

// media sets the medium ("screen", "print") and the preferred colour scheme.
func (p *tab) media(medium, scheme string) {
	p.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: features})
}

// print returns the page as PDF.
func (p *tab) print() []byte {
	p.t.Helper()
	pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
	require.NoError(p.t, err)
	return pdf
}

// screenshots saves the whole page in pieces of 1400 px when THM_SCREENSHOT_DIR is set.
func (p *tab) screenshots(name string) {
	p.t.Helper()
	dir := os.Getenv("THM_SCREENSHOT_DIR")
	if dir == "" {
		return
	}
	const piece = 1400
	beyond, size := true, call(p, cdppage.GetLayoutMetrics, cdp.Empty{}).CSSContentSize
	for i, y := 0, 0.0; y < size.Height; i, y = i+1, y+piece {
		clip := &cdppage.Viewport{Y: y, Width: size.Width, Height: min(piece, size.Height-y), Scale: 1}
		picture := call(p, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Clip: clip,
			CaptureBeyondViewport: &beyond})
		require.NoError(p.t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%02d.png", name, i)), picture.Data, 0o644))
	}
}
