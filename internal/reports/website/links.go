package website

import (
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/thm-suite/thm/internal/reports"
)

var (
	link = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(`\sid="([^"]*)"`)
)

// dead is an error that names the first link of a page to a file or a place that is not among the files.
func dead(files []reports.File) error {
	places := map[string]map[string]bool{} // of each file
	for _, f := range files {
		places[f.Name] = map[string]bool{"": true}
		if path.Ext(f.Name) == ".html" {
			for _, m := range id.FindAllSubmatch(f.Content, -1) {
				places[f.Name][html.UnescapeString(string(m[1]))] = true
			}
		}
	}
	for _, f := range files {
		if path.Ext(f.Name) != ".html" {
			continue
		}
		for _, m := range link.FindAllSubmatch(f.Content, -1) {
			to := html.UnescapeString(string(m[1]))
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
