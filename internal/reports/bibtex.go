package reports

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
)

// initials begin the names of authors before a title: "A. Author, B. Author: Title".
var initials = regexp.MustCompile(`^\p{Lu}[\p{L}'.-]*\.? `)

// bibTeX returns the source of a claim as a BibTeX entry.
func bibTeX(s theory.Source, slug string) string {
	source, _, _ := strings.Cut(slug, "/")
	authors, title, found := strings.Cut(s.Paper, ": ")
	if !found || !initials.MatchString(authors) {
		authors, title = "", s.Paper
	}
	fields := [][2]string{{"author", strings.Join(names(authors), " and ")}, {"title", title}}
	if s.Year > 0 {
		fields = append(fields, [2]string{"year", fmt.Sprint(s.Year)})
	}
	if s.ArXiv != "" {
		fields = append(fields, [2]string{"eprint", s.ArXiv}, [2]string{"archiveprefix", "arXiv"})
	}
	fields = append(fields, [2]string{"note", strings.Join(nonempty([]string{s.Version, s.Locus}), "; ")})
	var out strings.Builder
	fmt.Fprintf(&out, "@misc{%s%s,\n", source, map[bool]string{true: fmt.Sprint(s.Year)}[s.Year > 0])
	for _, f := range fields {
		if f[1] != "" {
			fmt.Fprintf(&out, "  %s = {%s},\n", f[0], braced(f[1]))
		}
	}
	return out.String() + "}"
}

// names separates authors at commas and the last "and".
func names(authors string) []string {
	return nonempty(list.Map(strings.Split(strings.ReplaceAll(authors, " and ", ", "), ","), strings.TrimSpace))
}

// braced escapes a text so that it stays within its braces and contains no TeX commands.
func braced(text string) string {
	return strings.NewReplacer("{", "", "}", "", `\`, "", "%", `\%`, "&", `\&`, "#", `\#`, "_", `\_`, "$", `\$`).Replace(
		strings.Join(strings.Fields(text), " "))
}
