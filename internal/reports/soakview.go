package reports

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/theory"
)

// soakView holds the data of a soak for its template.
type soakView struct {
	frame
	Sentence, Command, Effort, Tool, Schema string
	Totals                                  []term
	Axis                                    template.HTML
	Budget                                  budgetView
	Red                                     []seedView
	Green                                   string
	Items, Declined                         []itemView
	Rest                                    int
	Others                                  []otherView
}

// otherView is a program of another commit, and the claims that are known from it.
type otherView struct{ Commit, Claims string }

// budgetView is the chance that a run is red although all claims are true.
type budgetView struct {
	Total, Limit string
	Over         bool
	Parts        []partView
	Largest      []partView
	Note         string
}

type partView struct{ Name, Items, Chance string }

// seedView is a seed at which something was red.
type seedView struct {
	Seed    uint64
	Claims  []string
	Command string
}

// itemView is a criterion or a control over all seeds.
type itemView struct {
	Claim, Name, Check, Kind, Worst, Median, Chance, Share string
	Seed                                                   uint64
	Strip                                                  template.HTML
}

// shownItems is the number of criteria and controls that a page lists: those that are the likeliest to be red.
const shownItems = 100

// SoakPage returns the page of a soak: one file that needs nothing else. The program is the text that calls the
// command. The statements say which of the claims are findings.
func SoakPage(s *soak.Summary, statements []*theory.Statement, program, command string) ([]byte, error) {
	v := soakView{Sentence: SoakSentence(s), Command: command, Effort: string(s.Effort), Tool: s.Tool.Version,
		Schema: s.Schema, Axis: template.HTML(draw.StripAxis()), Budget: budget(s.Budget())}
	v.frame = framed("thm soak: " + v.Sentence)
	seconds := 0.0
	var green []uint64
	for _, at := range s.Seeds {
		seconds += at.Seconds
		if len(at.Red) == 0 {
			green = append(green, at.Seed)
			continue
		}
		v.Red = append(v.Red, seedView{at.Seed, at.Red, fmt.Sprintf("%s check %s --effort %s --seed %d", program, at.Red[0],
			s.Effort, at.Seed)})
	}
	v.Green = ranges(green)
	findings, with := findingsOf(s, statements), ""
	if findings > 0 {
		with = "and " + plural(findings, "finding", "findings")
	}
	v.Totals = []term{{"Seeds", whole(len(s.Seeds)), string(s.Effort) + " effort"},
		{"Claims", whole(s.Claims - findings), with}, {"Criteria and wrong versions", whole(len(s.Items)), ""},
		{"Processor time", duration(seconds), ""}}
	for _, o := range s.Others {
		v.Others = append(v.Others, otherView{o.Commit, strings.Join(o.Claims, ", ")})
	}
	v.Items = list.Map(s.Items[:min(shownItems, len(s.Items))], item)
	v.Rest = len(s.Items) - len(v.Items)
	v.Declined = list.Map(list.Where(s.Items, func(x soak.Item) bool { return x.Declined > 0 }), item)
	return execute("soak.html", v)
}

// findingsOf counts the findings in a soak.
func findingsOf(s *soak.Summary, statements []*theory.Statement) int {
	findings, soaked := map[string]bool{}, map[string]bool{}
	for _, st := range statements {
		findings[st.Slug] = st.Standing == theory.Finding
	}
	for _, x := range s.Items {
		if findings[x.Claim] {
			soaked[x.Claim] = true
		}
	}
	return len(soaked)
}

// SoakSentence sums a soak up.
func SoakSentence(s *soak.Summary) string {
	red := len(list.Where(s.Seeds, func(at soak.Seed) bool { return len(at.Red) > 0 }))
	switch n := len(s.Seeds); {
	case n == 0:
		return "No seed has run."
	case red == 0 && n == 1:
		return "The seed is green."
	case red == 0:
		return fmt.Sprintf("All %d seeds are green.", n)
	default:
		return fmt.Sprintf("%d of %s red.", red, plural(n, "seed is", "seeds are"))
	}
}

func item(x soak.Item) itemView {
	v := itemView{Claim: x.Claim, Name: x.Name, Kind: string(x.Form), Worst: number(x.Worst),
		Median: number(x.Median), Seed: x.WorstSeed, Chance: chance(float64(x.Chance), float64(x.Upper))}
	group := draw.Check
	if x.Control {
		v.Kind, group = "wrong version", draw.Control
	}
	if x.Check != x.Name {
		v.Check = x.Check
	}
	if x.Cases > 0 && x.Declined > 0 {
		v.Share = fmt.Sprintf("%s of %s", whole(x.Declined), whole(x.Cases))
	}
	worst, median := float64(x.Worst), float64(x.Median)
	mark := draw.Mark{Group: group, Value: max(worst, median), Lower: min(worst, median)}
	v.Strip = template.HTML(draw.Strip([]draw.Mark{mark},
		"ratios from "+v.Median+", the median, to "+v.Worst+", the one nearest to the limit"))
	return v
}

// chance writes a probability with the end of its interval.
func chance(estimate, upper float64) string {
	if upper <= estimate {
		return draw.Number(estimate)
	}
	return draw.Number(estimate) + " (≤ " + draw.Number(upper) + ")"
}

// budget words the chance that a run is red.
func budget(b soak.Budget) budgetView {
	v := budgetView{Total: chance(b.Total.Estimate, b.Total.Upper), Limit: draw.Number(soak.Limit),
		Over: b.Overspent() != ""}
	for _, p := range b.Parts {
		v.Parts = append(v.Parts, partView{p.Name, whole(p.Items), chance(p.Chance.Estimate, p.Chance.Upper)})
	}
	for _, r := range b.Largest {
		v.Largest = append(v.Largest, partView{r.Claim, r.What, chance(r.Chance.Estimate, r.Chance.Upper)})
	}
	if m := b.Measured; m != nil && len(m.Seeds) > 0 {
		v.Note = fmt.Sprintf("Chances without a derivation were measured at %s effort over %s, and extrapolated; "+
			"upper ends are those of 99 %% intervals.", m.Effort, plural(len(m.Seeds), "seed", "seeds"))
	}
	if b.Unmeasured > 0 {
		v.Note += fmt.Sprintf(" Not measured: %s.", plural(b.Unmeasured, "criterion or wrong version",
			"criteria and wrong versions"))
	}
	return v
}

// ranges writes sorted numbers as ranges, such as 2–20, 41.
func ranges(numbers []uint64) string {
	out := ""
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && numbers[k+1] == numbers[k]+1 {
			k++
		}
		if out != "" {
			out += ", "
		}
		out += fmt.Sprint(numbers[i])
		if k > i {
			out += fmt.Sprintf("–%d", numbers[k])
		}
		i = k + 1
	}
	return out
}
