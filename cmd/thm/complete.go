package main

import (
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/theory"
)

// completePatterns offers the slugs and the sources that are not on the line yet.
func (p *program) completePatterns(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	source := ""
	for _, s := range p.statements() {
		if all := path.Dir(s.Slug) + "/*"; all != source {
			source = all
			out = append(out, cobra.CompletionWithDesc(all, "all claims of this source"))
		}
		out = append(out, cobra.CompletionWithDesc(s.Slug, s.Title))
	}
	out = slices.DeleteFunc(out, func(c cobra.Completion) bool {
		slug, _, _ := strings.Cut(c, "\t")
		return slices.Contains(args, slug)
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeSlug offers the slug of one claim.
func (p *program) completeSlug(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, s := range p.statements() {
		if len(args) == 0 {
			out = append(out, cobra.CompletionWithDesc(s.Slug, s.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completePrediction offers a slug that has closed forms, and then its parameters and their choices.
func (p *program) completePrediction(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if len(args) == 0 {
		for _, s := range p.statements() {
			if s.Predict != nil {
				out = append(out, cobra.CompletionWithDesc(s.Slug, s.Title))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	i := slices.IndexFunc(p.statements(), func(s *theory.Statement) bool { return s.Slug == args[0] })
	if i < 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	name, _, hasValue := strings.Cut(word, "=")
	for _, param := range settable(p.statements()[i]) {
		switch {
		case hasValue && param.Name == name:
			for _, choice := range param.Domain.Choices {
				out = append(out, name+"="+choice)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		case !hasValue:
			out = append(out, cobra.CompletionWithDesc(param.Name+"=", param.Meaning+", "+param.Domain.String()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
