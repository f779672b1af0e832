package command

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/reports/console"
)

func (p *program) predictCommand() *cobra.Command {
	var f commonFlags
	cmd := &cobra.Command{
		Use:   "predict SLUG [NAME=VALUE...]",
		Short: "Evaluate the closed forms of a claim at your parameters",
		Long: `Evaluate the closed forms of a claim. Parameters that are left out take their
defaults; thm show SLUG lists them with their meanings and domains.`,
		Example: `  thm predict {claim}
  thm predict {claim} {settings}
  thm predict {name} --json`,
		Args:              cli.Args(1, -1, "a SLUG and then NAME=VALUE pairs"),
		ValidArgsFunction: p.completePrediction,
		RunE: func(_ *cobra.Command, words []string) error {
			c, err := runs.One(p.claims, words[0])
			if err != nil {
				return err
			}
			given, err := assignments(words[1:])
			if err != nil {
				return err
			}
			return p.predict(c.Statement, given, f)
		},
	}
	f.add(cmd, "json")
	return cmd
}

// assignments reads NAME=VALUE words. The statement says whether there is such a parameter, and whether a value lies in
// its domain.
func assignments(words []string) (map[string]string, error) {
	out := map[string]string{}
	for _, word := range words {
		name, text, found := strings.Cut(word, "=")
		_, twice := out[name]
		switch {
		case !found || name == "" || text == "":
			return nil, fmt.Errorf("%q is not of the form NAME=VALUE", word)
		case twice:
			return nil, fmt.Errorf("%s is given twice", name)
		}
		out[name] = text
	}
	return out, nil
}

// prediction is the JSON output of thm predict. A number outside the hypotheses is "NaN".
type prediction struct {
	Schema      string         `json:"schema"`
	Slug        string         `json:"slug"`
	Inputs      map[string]any `json:"inputs"` // defaults included
	Predictions []quantity     `json:"predictions"`
}

type quantity struct {
	Name    string         `json:"name"`
	Symbol  string         `json:"symbol"`
	Value   results.Number `json:"value"`
	Meaning string         `json:"meaning"`
	Limit   string         `json:"limit,omitempty"` // for an asymptotic value: the variable that is large or small
	Bound   string         `json:"bound,omitempty"` // as in [theory.Quantity]
}

func (p *program) predict(s *theory.Statement, given map[string]string, f commonFlags) error {
	quantities, err := inTime(s, given)
	if err != nil {
		return err
	}
	out := prediction{"thm.predict/v1", s.Slug, inputs(s, given), []quantity{}}
	undefined := 0
	for _, q := range quantities {
		if math.IsNaN(q.Value) {
			undefined++
		}
		out.Predictions = append(out.Predictions, quantity{q.Name, q.Symbol, results.Number(q.Value), q.Meaning, q.Limit,
			q.Bound})
	}
	if undefined == len(quantities) {
		if _, err := s.Values(given); err != nil {
			return err
		}
		return fmt.Errorf("%s says nothing at %s: each parameter lies in its domain, but together they violate a "+
			"hypothesis; see thm show %s", s.Slug, theory.Given(given), s.Slug)
	}
	return p.present(f, out, func(terminal.Style) string {
		return inputLine(s, given) + "\n\n" + console.Prediction(quantities).Render(terminal.Style{})
	})
}

// patience is the time that a prediction may take.
const patience = time.Second

// inTime evaluates a statement, or refuses after a second, because some parameters need more terms than anybody waits
// for. An unfinished evaluation ends with the program.
func inTime(s *theory.Statement, given map[string]string) ([]theory.Quantity, error) {
	type answer struct {
		quantities []theory.Quantity
		err        error
		panicked   any
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			a.panicked = recover()
			answers <- a
		}()
		a.quantities, a.err = s.Evaluate(given)
	}()
	select {
	case a := <-answers:
		if a.panicked != nil {
			panic(a.panicked)
		}
		return a.quantities, a.err
	case <-time.After(patience):
		return nil, fmt.Errorf("%s has no answer within a second at %s; take smaller parameters", s.Slug, theory.Given(given))
	}
}

// inputs returns all parameters of a prediction: numbers as numbers, choices as text.
func inputs(s *theory.Statement, given map[string]string) map[string]any {
	out := map[string]any{}
	for _, param := range theory.Settable(s.Params) {
		text := valueOf(param, given)
		if x, err := strconv.ParseFloat(text, 64); err == nil && len(param.Domain.Choices) == 0 {
			out[param.Name] = results.Number(x)
		} else {
			out[param.Name] = text
		}
	}
	return out
}

// valueOf returns the text that a parameter is set to.
func valueOf(param theory.Param, given map[string]string) string {
	if text, ok := given[param.Name]; ok {
		return text
	}
	return param.Default
}

func inputLine(s *theory.Statement, given map[string]string) string {
	words := []string{s.Slug}
	for _, param := range theory.Settable(s.Params) {
		words = append(words, param.Name+"="+valueOf(param, given))
	}
	return strings.Join(words, " ")
}

// completePrediction offers a slug that has closed forms, and then its parameters and their choices.
func (p *program) completePrediction(_ *cobra.Command, args []string, word string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
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
	for _, param := range theory.Settable(p.statements()[i].Params) {
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
