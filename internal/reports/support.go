package reports

import (
	"html/template"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/results"
)

// reference is a claim that another one names.
type reference struct {
	Slug, Title string
	Href        template.URL
	Verdict     verdictView
	Known       bool // it is in this report
}

// support holds for every claim of a report the claims that it rests on and those that rest on it.
type support struct {
	entries map[string]entry
	order   []string
	usedBy  map[string][]string
}

func supported(entries []entry) *support {
	s := &support{entries: map[string]entry{}, usedBy: map[string][]string{}}
	for _, e := range entries {
		s.entries[e.slug()] = e
		s.order = append(s.order, e.slug())
		for _, lemma := range e.restsOn() {
			s.usedBy[lemma] = append(s.usedBy[lemma], e.slug())
		}
	}
	return s
}

func (e entry) restsOn() []string {
	if e.statement == nil {
		return nil
	}
	return e.statement.RestsOn
}

func (e entry) verdict() verdictView {
	if e.result == nil {
		return notVerified
	}
	return verdictViews[e.result.Verdict]
}

// refer describes a claim for those that name it.
func (s *support) refer(slug string, l links) reference {
	e, known := s.entries[slug]
	if !known {
		return reference{Slug: slug, Verdict: notVerified}
	}
	return reference{slug, e.title(), l.to(slug), e.verdict(), true}
}

func (s *support) references(slugs []string, l links) []reference {
	return list.Map(slugs, func(slug string) reference { return s.refer(slug, l) })
}

// closure follows a relation from a claim to the end, the claim itself left out.
func closure(slug string, next func(string) []string) []string {
	var out []string
	seen := map[string]bool{slug: true}
	var walk func(string)
	walk = func(at string) {
		for _, s := range next(at) {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
				walk(s)
			}
		}
	}
	walk(slug)
	return out
}

// fallen returns the claims that a claim rests on, directly or through others, and that this run did not find to hold.
func (s *support) fallen(slug string) []string {
	lemmas := closure(slug, func(at string) []string { return s.entries[at].restsOn() })
	return slices.DeleteFunc(lemmas, func(lemma string) bool {
		e, known := s.entries[lemma]
		return !known || e.result != nil && e.result.Verdict == results.Holds
	})
}

// graph draws how claims depend on each other: small, with the names of sources, and large, with all names and the
// papers.
func (s *support) graph(l links, papers map[string]string) (small, large template.HTML) {
	var nodes []draw.Node
	for _, slug := range s.order {
		e := s.entries[slug]
		source, name, _ := strings.Cut(slug, "/")
		v := e.verdict()
		node := draw.Node{ID: slug, Text: v.Sign + " " + name, Title: e.title() + ": " + v.Word, Class: v.Class,
			Link: l.claim(slug), Band: source + ": " + papers[source], From: e.restsOn()}
		if fallen := s.fallen(slug); len(fallen) > 0 {
			node.Class += " shaken"
			node.Title += "; rests on " + strings.Join(fallen, ", ")
		}
		nodes = append(nodes, node)
	}
	const title = "How claims depend on each other: every claim stands to the right of those that it uses"
	large = template.HTML(draw.Graph(nodes, title, "dependencies"))
	for i, n := range nodes {
		nodes[i].Title = n.ID + ", " + n.Title
		nodes[i].Band, _, _ = strings.Cut(n.ID, "/")
	}
	return template.HTML(draw.Map(nodes, title, "map")), large
}
