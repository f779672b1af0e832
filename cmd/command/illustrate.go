package command

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// illustrateLate illustrates the help of all commands when somebody asks for help or completes a word, which is seldom.
func (p *program) illustrateLate(root *cobra.Command) {
	once := sync.OnceFunc(func() { p.illustrate(root) })
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, words []string) {
		once()
		help(cmd, words)
	})
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if cmd.Name() == cobra.ShellCompRequestCmd {
			once()
		}
	}
}

// illustrate fills in the name of this program and claims of its catalogue in the help of a command and its
// subcommands. In an example, {program} is that name, {claim} is a claim, {settings} are parameters of it, {name} and
// {source} are parts of its slug; {simulated} is a claim to try at {sizes}, over {sweep}; {tensors} is one to certify,
// {counterexample} its file, and {tabled} one to certify by a table; {arxiv} is a paper, and {locus} a theorem of it
// that is a claim. Lines for which the catalogue has no example are removed.
func (p *program) illustrate(cmd *cobra.Command) {
	words := p.illustrations()
	var lines []string
	for line := range strings.Lines(cmd.Example) {
		if line = words.Replace(line); !strings.Contains(line, "{") {
			lines = append(lines, line)
		}
	}
	cmd.Example = strings.TrimSuffix(strings.Join(lines, ""), "\n")
	cmd.Long = words.Replace(cmd.Long)
	for _, text := range []*string{&cmd.Short, &cmd.Long, &cmd.Example} {
		*text = p.named(*text)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = p.named(f.Usage) })
	for _, below := range cmd.Commands() {
		p.illustrate(below)
	}
}

// named replaces the name of the command in a text by the name of this program.
func (p *program) named(text string) string { return ownName.ReplaceAllString(text, p.Name+" $1") }

// ownName matches the name of the command before a subcommand, an argument or a flag.
var ownName = regexp.MustCompile(`\bthm (bench|certify|check|completion|costs|data|diff|digest|docs|` +
	`evidence|experiment|falsify|help|kernels|list|merge|new|observe|plan|predict|` +
	`publish|record|report|schema|show|soak|try|verifies|version)\b`)

// illustrations returns the words of examples. It prefers claims that make good examples, if the catalogue has them.
func (p *program) illustrations() *strings.Replacer {
	var words []string
	add := func(key, value string) {
		if value != "" {
			words = append(words, "{"+key+"}", value)
		}
	}
	if c := p.illustration("vcl/residual", func(props.Claim) bool { return true }); c != nil {
		slug := c.Statement.Slug
		add("claim", slug)
		add("source", path.Dir(slug))
		add("name", path.Base(slug))
		add("settings", settings(c.Statement.Params, 2))
	}
	if c := p.illustration("onestep/spike", func(c props.Claim) bool { return c.Try != nil }); c != nil {
		add("simulated", c.Statement.Slug)
		all := slices.Concat(c.Try.Params, c.Statement.Params)
		add("sizes", settings(all, 3))
		if at := slices.IndexFunc(all, func(x theory.Param) bool { return x.Name == "n" }); at >= 0 {
			add("sweep", "n="+all[at].Default+":1600")
		}
	}
	if c := p.illustration("latent/hessian", func(c props.Claim) bool { return cited(c) != "" }); c != nil {
		add("arxiv", c.Statement.Source.ArXiv)
		add("locus", cited(*c))
	}
	if c := p.illustration("emergence/sampling", func(c props.Claim) bool {
		_, tables := c.Certifiable()
		return len(tables) > 0
	}); c != nil {
		add("tabled", c.Statement.Slug)
	}
	if c := p.illustration("vcl/residual", func(c props.Claim) bool {
		instances, _ := c.Certifiable()
		return len(instances) > 0
	}); c != nil {
		add("tensors", c.Statement.Slug)
		add("counterexample", strings.ReplaceAll(c.Statement.Slug, "/", "-"))
	}
	add("program", p.Name)
	return strings.NewReplacer(words...)
}

// illustration returns the claim of a slug, or else the first suitable one.
func (p *program) illustration(slug string, does func(props.Claim) bool) *props.Claim {
	at := slices.IndexFunc(p.claims, func(c props.Claim) bool { return c.Statement.Slug == slug })
	if at < 0 {
		at = slices.IndexFunc(p.claims, does)
	}
	if at < 0 {
		return nil
	}
	return &p.claims[at]
}

// cited returns the first theorem or lemma of a paper that the source of a claim names.
func cited(c props.Claim) string {
	if c.Statement.Source.ArXiv == "" {
		return ""
	}
	return regexp.MustCompile(`(Theorem|Lemma) \d+`).FindString(c.Statement.Source.Locus)
}

// settings returns the first numbers among parameters, at their defaults.
func settings(params []theory.Param, n int) string {
	var out []string
	for _, param := range params {
		if param.Domain != nil && len(out) < n { // not a matrix
			out = append(out, param.Name+"="+param.Default)
		}
	}
	return strings.Join(out, " ")
}
