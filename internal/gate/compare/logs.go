package compare

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// Logs of builds hold benchmark results in wrappings: colours, time stamps, the events of go test -json.
var (
	colour  = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	stamped = regexp.MustCompile(`(?m)^(?:[^\t\n]*\t[^\t\n]*\t)?` +
		`\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}` +
		`(?:[.,][0-9]+)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?\]?[ \t]+`)
	stampedResult = regexp.MustCompile(stamped.String() + `Benchmark`)
)

// unwrap takes results out of what a build's log puts around them. Other text stays as it is.
func unwrap(content []byte) []byte {
	if bytes.IndexByte(content, 0x1b) >= 0 {
		content = colour.ReplaceAll(content, nil)
	}
	if stampedResult.Match(content) {
		content = stamped.ReplaceAll(content, nil)
	}
	if out, ok := outputOfEvents(content); ok {
		return out
	}
	return content
}

// outputOfEvents joins the output of the events of go test -json, package by package: those of several can be mixed.
func outputOfEvents(content []byte) ([]byte, bool) {
	if !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) {
		return nil, false
	}
	var order []string
	texts := map[string][]byte{}
	for line := range bytes.Lines(content) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var event struct{ Action, Package, ImportPath, Output string }
		if json.Unmarshal(line, &event) != nil || event.Action == "" {
			return nil, false
		}
		name := event.Package + event.ImportPath
		if _, ok := texts[name]; !ok {
			order = append(order, name)
		}
		texts[name] = append(texts[name], event.Output...)
	}
	var out []byte
	for _, name := range order {
		out = append(out, texts[name]...)
	}
	return out, true
}
