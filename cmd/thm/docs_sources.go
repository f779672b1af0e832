package main

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/theory"
)

// sourcesTable counts the claims of each source.
func (p *program) sourcesTable() string {
	var out strings.Builder
	out.WriteString("\n| source | claims | of them theorems | printed errors | readings that fail |\n| --- | ---: | ---: | ---: | ---: |\n")
	type counts struct{ claims, theorems, errata, readings int }
	bySource, order := map[string]*counts{}, []string{}
	for _, s := range p.statements() {
		source, _, _ := strings.Cut(s.Slug, "/")
		if bySource[source] == nil {
			bySource[source] = &counts{}
			order = append(order, source)
		}
		c := bySource[source]
		c.claims++
		if s.Standing == theory.Theorem {
			c.theorems++
		}
		c.errata += len(s.Errata)
		c.readings += len(s.Readings)
	}
	for _, source := range order {
		c := bySource[source]
		fmt.Fprintf(&out, "| [`%s`](doc/claims.md) | %d | %d | %d | %d |\n", source, c.claims, c.theorems, c.errata, c.readings)
	}
	return out.String() + "\n"
}
