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

func (w *writer) changes(a *Analysis) {
	if a.summary() == noChange {
		w.put("<p>None was found.</p>\n")
		return
	}
	w.table(`aria-labelledby="changes"`, "", "Benchmark", "Verdict", "#Run", "Commit", "#Before", "#After", "#Change",
		"#p (whole table)")
	for i, c := range a.changes() {
		r := a.Rows[i]
		w.put(`<tr><th scope="row"><a href="#row-%d">%s, %s</a></th><td><span class="verdict %s">%s</span></td>`+
			`<td class="num">%d</td><td class="slug">%s</td><td class="num">%s</td>`+
			`<td class="num">%s</td><td class="num">%s</td><td class="num">%s</td></tr>`+"\n",
			i+1, r.Name, r.Unit, wordClass[c.word()], c.word(), c.Run+1, a.Runs[c.Run].Revision(),
			quantity(r.Unit, float64(c.Before)), quantity(r.Unit, float64(c.After)),
			percentage(c.Ratio), probability(c.P, r.Exact))
	}
	w.endTable()
}

func (w *writer) charts(a *Analysis, look Look) {
	w.put("<section aria-labelledby=\"charts\">\n<h2 id=\"charts\" tabindex=\"-1\">Benchmarks</h2>\n")
	var still []Row
	for i, r := range a.Rows {
		if i == 0 || r.Package != a.Rows[i-1].Package {
			w.put("<h3>%s</h3>\n<div class=\"figures small\">\n", r.Package)
		}
		if id := fmt.Sprintf("row-%d", i+1); r.drawn() {
			w.put(`<figure id="%s">%s<figcaption><b>%s</b><span>%s, newest %s</span><span class="quiet">%s</span>`+
				"</figcaption></figure>\n", id, markup(look.Draw(a.chart(r, id), id, a.places(r))), r.Name, r.Unit,
				measured(r.Unit, r.newestSeries().newest()), r.caption())
		} else {
			still = append(still, r)
		}
		if i+1 == len(a.Rows) || r.Package != a.Rows[i+1].Package {
			w.put("</div>\n")
			w.still(still)
			still = nil
		}
	}
	w.put("</section>\n")
}

// still lists the rows of a package that have never varied: lines in place of charts.
func (w *writer) still(rows []Row) {
	if len(rows) == 0 {
		return
	}
	w.put("<details><summary>%d rows that have never varied</summary>\n", len(rows))
	w.table(`aria-label="Rows that have never varied"`, "", "Benchmark", "#Value", "#Runs")
	for _, r := range rows {
		w.put(`<tr><th scope="row">%s</th><td class="num">%s</td><td class="num">%d</td></tr>`+"\n", r.Name,
			quantity(r.Unit, float64(r.newestSeries().newest().Center)), r.runs())
	}
	w.endTable()
	w.put("</details>\n")
}

func (w *writer) costs(fits []Fit, look Look) {
	if len(fits) == 0 {
		return
	}
	w.put(pageCosts)
	for i, f := range fits {
		id := fmt.Sprintf("cost-%d", i+1)
		w.put(`<figure>%s<figcaption><b class="slug">%s</b> <span class="verdict %s">%s</span> %s. <span class="quiet">`+
			"Local exponents: %s. %s</span></figcaption></figure>\n", markup(look.Draw(f.cost(id), id, nil)), f.Family,
			fitClass[f.Verdict], f.Verdict, f.Sentence(), strings.Join(f.local(), ", "), f.Setup)
	}
	w.put("</div>\n</section>\n")
}

func (w *writer) runs(runs []Manifest) {
	w.put("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n")
	w.table(`aria-labelledby="runs"`, ` class="runs"`, "#Run", "Date (UTC)", "Commit", "Machine", "Processor", "Go",
		"Sample", "Load", "#Samples")
	for i, r := range runs {
		load := "unknown"
		if len(r.Load) == 2 {
			load = fmt.Sprintf("%.1f to %.1f", r.Load[0], r.Load[1])
		}
		moved := i > 0 && runs[i-1].Setup() != r.Setup()
		w.put(`<tr><th scope="row" class="num">%d</th><td>%s</td><td class="slug">%s</td><td class="slug%s">%s%s</td><td>%s`+
			`</td><td>%s</td><td>%s</td><td>%s</td><td class="num">%d%s</td></tr>`+"\n", i+1, r.Date.Format(day),
			r.Revision(), when(moved, " moved"), strings.TrimSpace(r.Machine+" "+r.Label), when(moved, " (changed)"),
			r.Config["cpu"], r.Config["goversion"], r.Benchtime, load, r.Samples,
			when(r.Failed > 0, fmt.Sprintf(", %d failed", r.Failed)))
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
