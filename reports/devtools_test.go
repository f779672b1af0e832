package reports

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// message is a command, a reply or an event of the DevTools protocol.
type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
	Session string `json:"sessionId,omitempty"`
}

// browser is a running Chromium, spoken to over a pair of pipes: JSON objects that end with a zero byte.
type browser struct {
	t        *testing.T
	commands io.Writer
	messages chan message
	sent     int
	events   []message // of the current page
	session  string
	target   string
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

// launch starts a browser that ends with the test.
func launch(t *testing.T, path string) *browser {
	t.Helper()
	theirIn, ourOut, err := os.Pipe()
	require.NoError(t, err)
	ourIn, theirOut, err := os.Pipe()
	require.NoError(t, err)
	profile, err := os.MkdirTemp("", "thm-browser-*")
	require.NoError(t, err)
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--user-data-dir="+profile)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	require.NoError(t, cmd.Start())
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, commands: ourOut, messages: make(chan message, 1024)}
	go b.listen(ourIn)
	t.Cleanup(func() {
		b.session = ""
		_ = b.send("Browser.close", nil)
		kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		_ = os.RemoveAll(profile)
	})
	return b
}

func (b *browser) listen(r io.Reader) {
	defer close(b.messages)
	for in := bufio.NewReader(r); ; {
		raw, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw[:len(raw)-1], &m) == nil {
			b.messages <- m
		}
	}
}

// next waits for a message. The limit only guards against a browser that hangs.
func (b *browser) next() message {
	b.t.Helper()
	select {
	case m, ok := <-b.messages:
		require.True(b.t, ok, "the browser has gone")
		if m.Method != "" {
			b.events = append(b.events, m)
		}
		return m
	case <-time.After(2 * time.Minute):
		require.FailNow(b.t, "the browser does not answer")
		return message{}
	}
}

// send sends a command to the current page, or to the browser when there is none.
func (b *browser) send(method string, params any) error {
	b.sent++
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	if params == nil {
		raw = []byte("{}")
	}
	command, err := json.Marshal(message{ID: b.sent, Method: method, Params: raw, Session: b.session})
	if err != nil {
		return err
	}
	_, err = b.commands.Write(append(command, 0))
	return err
}

// call sends a command, waits for its reply and decodes the result into out.
func (b *browser) call(method string, params, out any) {
	b.t.Helper()
	require.NoError(b.t, b.send(method, params))
	for {
		m := b.next()
		if m.ID != b.sent {
			continue
		}
		if m.Error != nil {
			require.FailNow(b.t, method, m.Error.Message)
		}
		if out != nil {
			require.NoError(b.t, json.Unmarshal(m.Result, out))
		}
		return
	}
}

// open shows a file in a new tab and waits until it is loaded.
func (b *browser) open(path string) {
	b.t.Helper()
	b.session, b.events = "", nil
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.target = target.TargetID
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Network", "Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	b.window(1280, 900)
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	for loaded := false; !loaded; {
		for _, e := range b.events {
			loaded = loaded || e.Method == "Page.loadEventFired"
		}
		if !loaded {
			b.next()
		}
	}
	b.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(() => done([]))))") // let it come to rest
}

// close closes the current tab.
func (b *browser) close() {
	b.session = ""
	b.call("Target.closeTarget", map[string]any{"targetId": b.target}, nil)
}

// evaluate runs an expression in the page that returns a list of strings.
func (b *browser) evaluate(expression string) []string {
	b.t.Helper()
	var reply struct {
		Result           struct{ Value []string }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true},
		&reply)
	require.Empty(b.t, string(reply.ExceptionDetails), expression[max(0, len(expression)-60):])
	return reply.Result.Value
}

// window sets the size of the viewport in CSS pixels.
func (b *browser) window(width, height int) {
	b.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// media sets the medium ("screen", "print") and the preferred colour scheme.
func (b *browser) media(medium, scheme string) {
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": medium,
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// press presses and releases a key.
func (b *browser) press(key string, code int) {
	text := ""
	if key == "Enter" {
		text = "\r"
	}
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "code": key,
		"windowsVirtualKeyCode": code, "text": text}, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key,
		"windowsVirtualKeyCode": code}, nil)
}

// print returns the page as PDF.
func (b *browser) print() []byte {
	var pdf struct{ Data string }
	b.call("Page.printToPDF", map[string]any{"preferCSSPageSize": true}, &pdf)
	out, err := base64.StdEncoding.DecodeString(pdf.Data)
	require.NoError(b.t, err)
	return out
}

// screenshots saves the whole page in pieces of 1400 px when THM_SCREENSHOT_DIR is set.
func (b *browser) screenshots(name string) {
	dir := os.Getenv("THM_SCREENSHOT_DIR")
	if dir == "" {
		return
	}
	const piece = 1400
	var size struct {
		CSSContentSize struct{ Width, Height float64 }
	}
	b.call("Page.getLayoutMetrics", nil, &size)
	for i, y := 0, 0.0; y < size.CSSContentSize.Height; i, y = i+1, y+piece {
		clip := map[string]any{"x": 0, "y": y, "width": size.CSSContentSize.Width,
			"height": min(piece, size.CSSContentSize.Height-y), "scale": 1}
		var picture struct{ Data string }
		b.call("Page.captureScreenshot", map[string]any{"clip": clip, "captureBeyondViewport": true}, &picture)
		png, err := base64.StdEncoding.DecodeString(picture.Data)
		require.NoError(b.t, err)
		require.NoError(b.t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%02d.png", name, i)), png, 0o644))
	}
}
