package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/props"
)

// citation says by which paper and by which place in it claims are chosen; by neither if it is empty.
type citation struct{ arxiv, locus string }

func (c *citation) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.arxiv, "arxiv", "", "only claims of the paper with this number")
	cmd.Flags().StringVar(&c.locus, "locus", "", "only claims at this place in it, as in 'Theorem 2'")
}

// choose returns the claims of a paper that stand at a place in it, or of which a false form or a reading does.
func (c citation) choose(claims []props.Claim) ([]props.Claim, error) {
	if c == (citation{}) {
		return claims, nil
	}
	number := strings.TrimPrefix(strings.ToLower(c.arxiv), "arxiv:")
	place := regexp.MustCompile(`(?i)(^|\PL)` + regexp.QuoteMeta(strings.TrimSpace(c.locus)) + `($|[^\pL\pN])`)
	chosen := slices.DeleteFunc(slices.Clone(claims), func(claim props.Claim) bool {
		s := claim.Statement
		places := []string{s.Source.Locus}
		for _, e := range s.Errata {
			places = append(places, e.Locus)
		}
		for _, r := range s.Readings {
			places = append(places, r.Locus)
		}
		return number != "" && s.Source.ArXiv != number || c.locus != "" && !slices.ContainsFunc(places, place.MatchString)
	})
	if len(chosen) == 0 && len(claims) > 0 {
		return nil, fmt.Errorf("no claim has --arxiv %q and --locus %q; thm list --wide says which there are", c.arxiv,
			c.locus)
	}
	return chosen, nil
}
