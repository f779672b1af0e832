package history

import (
	"fmt"
	"html"
	"strings"
)

// markup is HTML that is written as it is.
type markup string

// writer writes HTML. It stands in for html/template: with that in a binary the linker keeps every exported method of
// every type, since a template can call any, and benchgate is half as large again.
type writer struct{ strings.Builder }

// put formats values, in which only markup is not escaped.
func (w *writer) put(format string, values ...any) {
	for i, v := range values {
		switch v := v.(type) {
		case markup, int:
		default:
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	fmt.Fprintf(w, format, values...)
}

// when is a text if a condition holds.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// table begins or ends a table that scrolls, with the words of its head; one that begins with # is of numbers.
func (w *writer) table(label, class string, head ...string) {
	w.put(`<div class="scroll" tabindex="0" role="region" %s><table%s><thead><tr>`, markup(label), markup(class))
	for _, word := range head {
		text, number := strings.CutPrefix(word, "#")
		w.put(`<th scope="col"%s>%s</th>`, markup(when(number, ` class="num"`)), text)
	}
	w.put("</tr></thead>\n<tbody>\n")
}

func (w *writer) endTable() { w.put("</tbody></table></div>\n") }

func (v *pageView) html() []byte {
	w := &writer{}
	w.put(pageHead, v.Sentence, markup(v.CSS), v.Sentence, v.Class, v.Verdict.Name, v.Verdict.Reason)
	v.changes(w)
	w.put(pageReading, fmt.Sprint(v.Policy.Alpha), when(v.Policy.Block > 1,
		fmt.Sprintf(", with blocks of %d runs kept together", v.Policy.Block)), fmt.Sprintf("%.3g", v.Policy.Margin))
	v.charts(w)
	v.costs(w)
	v.runs(w)
	w.put("</main>\n<footer><p>Made by thm bench track page. The page loads nothing and runs no script.</p></footer>\n" +
		"</body>\n</html>\n")
	return []byte(w.String())
}

func (v *pageView) changes(w *writer) {
	if len(v.Changes) == 0 {
		w.put("<p>None was found.</p>\n")
		return
	}
	w.table(`aria-labelledby="changes"`, "", "Benchmark", "Verdict", "#Run", "Commit", "#Before", "#After", "#Change",
		"#p (whole table)")
	for _, c := range v.Changes {
		w.put(`<tr><th scope="row"><a href="#%s">%s</a></th><td><span class="verdict %s">%s</span></td><td class="num">%d`+
			`</td><td class="slug">%s</td><td class="num">%s</td><td class="num">%s</td><td class="num">%s</td>`+
			`<td class="num">%s</td></tr>`+"\n", c.Anchor, c.Row, c.Class, c.Word, c.Run, c.Commit, c.Before, c.After, c.Ratio,
			c.P)
	}
	w.endTable()
}

func (v *pageView) charts(w *writer) {
	w.put("<section aria-labelledby=\"charts\">\n<h2 id=\"charts\" tabindex=\"-1\">Benchmarks</h2>\n")
	for _, p := range v.Packages {
		w.put("<h3>%s</h3>\n<div class=\"figures small\">\n", p.Name)
		for _, c := range p.Charts {
			w.put(`<figure id="%s">%s<figcaption><b>%s</b><span>%s, newest %s</span><span class="quiet">%s</span>`+
				"</figcaption></figure>\n", c.Anchor, c.SVG, c.Name, c.Unit, c.Newest, c.Caption)
		}
		w.put("</div>\n")
		if len(p.Rest) == 0 {
			continue
		}
		w.put("<details><summary>%d rows that have never varied</summary>\n", len(p.Rest))
		w.table(`aria-label="Rows that have never varied"`, "", "Benchmark", "#Value", "#Runs")
		for _, r := range p.Rest {
			w.put(`<tr><th scope="row">%s</th><td class="num">%s</td><td class="num">%d</td></tr>`+"\n", r.Name, r.Value,
				r.Runs)
		}
		w.endTable()
		w.put("</details>\n")
	}
	w.put("</section>\n")
}

func (v *pageView) costs(w *writer) {
	if len(v.Fits) == 0 {
		return
	}
	w.put(pageCosts)
	for _, f := range v.Fits {
		w.put(`<figure>%s<figcaption><b class="slug">%s</b> <span class="verdict %s">%s</span> %s. <span class="quiet">`+
			"Local exponents: %s. %s</span></figcaption></figure>\n", f.SVG, f.Family, f.Class, f.Verdict, f.Sentence,
			strings.Join(f.Local, ", "), f.Setup)
	}
	w.put("</div>\n</section>\n")
}

func (v *pageView) runs(w *writer) {
	w.put("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n")
	w.table(`aria-labelledby="runs"`, ` class="runs"`, "#Run", "Date (UTC)", "Commit", "Machine", "Processor", "Go",
		"Sample", "Load", "#Samples")
	for _, r := range v.Runs {
		w.put(`<tr><th scope="row" class="num">%d</th><td>%s</td><td class="slug">%s</td><td class="slug%s">%s%s</td><td>%s`+
			`</td><td>%s</td><td>%s</td><td>%s</td><td class="num">%d%s</td></tr>`+"\n", r.Number, r.Day, r.Revision(),
			when(r.Moved, " moved"), strings.TrimSpace(r.Machine+" "+r.Label), when(r.Moved, " (changed)"), r.Config["cpu"],
			r.Config["goversion"], r.Benchtime, r.Load, r.Samples, when(r.Failed > 0, fmt.Sprintf(", %d failed", r.Failed)))
	}
	w.endTable()
	w.put("</section>\n")
}

const pageHead = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>thm bench: %s</title>
<style>%s
.small { grid-template-columns: repeat(auto-fit, minmax(min(100%%, 24rem), 1fr)); }
.small figcaption b { overflow-wrap: anywhere; font-family: var(--mono); font-weight: 600; font-size: 0.92em; }
.small figcaption span { display: block; }
.small .figure { overflow: visible; }
@media (max-width: 30rem) { .small .figure .tick { font-size: 14.5px; } } /* a chart is then drawn at two thirds of
its size */
.runs th[scope=row] { min-width: 0; width: 1%%; }
.runs td:nth-child(2) { white-space: nowrap; }
.runs .moved { color: var(--undecided); font-weight: 600; }
</style>
</head>
<body>
<a class="skip" href="#charts">Skip to the charts</a>
<header class="page">
<p class="product">thm bench · the history of benchmarks</p>
<h1>%s</h1>
<p><span class="verdict %s">newest run: %s</span></p>
<p>%s.</p>
</header>
<main>
<section aria-labelledby="changes">
<h2 id="changes">Change points</h2>
`

const pageReading = `<details class="reading" open>
<summary>How to read this</summary>
<p>Each chart shows the median of every run in its 95 %% interval, in order of time and with commits below; pointing
at a run shows its date, machine and value. The <a href="#runs">list of runs</a> has all commits, dates and machines.
A mark + after a commit: there were changes that are not committed. Runs of different machines, or with samples of
different length, are separate curves and are never compared.</p>
<p>A <b>change point</b> is where a series splits into two parts that differ more than the best split of the same runs
in random order does. The level is α = %s for all series of a machine together, at one look at the history%s. The
first change point of a series has that level exactly if runs are exchangeable; further ones nearly so. Runs that
depend on each other (a machine with good and bad weeks) raise false alarms. Worse and better are changes beyond %s of
the value; units that do not vary are compared exactly.</p>
</details>
</section>
`

const pageCosts = `<section aria-labelledby="costs">
<h2 id="costs">Costs</h2>
<p>How time grows with the size n: the slope of log time over log n in the newest run, with Student’s 95 %% interval.
Every size counts once, by its median, so that the interval also covers how far times are from a power of n. Sizes
that overhead and the first-level cache dominate are shown and not fitted.</p>
<div class="figures">
`
