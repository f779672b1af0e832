package documents

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/thm-suite/thm/internal/reports"
)

// values returns the values of an attribute, wherever a page has it: some megabytes are searched.
func values(page []byte, attribute string) (out []string) {
	begin := []byte(attribute + `="`)
	for {
		at := bytes.Index(page, begin)
		if at < 0 {
			return out
		}
		apart := at > 0 && unicode.IsSpace(rune(page[at-1]))
		page = page[at+len(begin):]
		if end := bytes.IndexByte(page, '"'); apart && end >= 0 {
			out, page = append(out, html.UnescapeString(string(page[:end]))), page[end:]
		}
	}
}

// dead returns an error that names a link of a page to a file or a place that is not among the files.
func dead(files []reports.File) error {
	places := map[string]map[string]bool{} // of each file
	for _, f := range files {
		places[f.Name] = map[string]bool{"": true}
		if path.Ext(f.Name) == ".html" {
			for _, id := range values(f.Content, "id") {
				places[f.Name][id] = true
			}
		}
	}
	for _, f := range files {
		if path.Ext(f.Name) != ".html" {
			continue
		}
		for _, to := range slices.Concat(values(f.Content, "href"), values(f.Content, "src")) {
			if strings.HasPrefix(to, "data:") {
				continue
			}
			u, err := url.Parse(to)
			if err != nil {
				return fmt.Errorf("%s: a link is not an address: %s", f.Name, to)
			}
			file := f.Name
			if u.Path != "" {
				file = path.Join(path.Dir(f.Name), u.Path)
			}
			if u.Scheme == "" && !places[file][u.Fragment] {
				return fmt.Errorf("%s: a link leads to %s, which is not on the site", f.Name, to)
			}
		}
	}
	return nil
}
