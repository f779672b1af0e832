package mathml

import (
	"cmp"
	"strings"
)

// structure reads commands that build something from their arguments.
func (p *parser) structure(name string) atom {
	switch name {
	case "frac", "dfrac", "tfrac":
		return atom{xml: element("mfrac", p.argument()+p.argument())}
	case "binom":
		return atom{xml: `<mrow><mo>(</mo><mfrac linethickness="0">` +
			p.argument() + p.argument() + "</mfrac><mo>)</mo></mrow>"}
	case "overline":
		// no font stretches a macron
		return atom{xml: `<mrow style="border-top:0.06em solid;padding-top:0.1em">` + p.argument() + "</mrow>"}
	case "sqrt":
		return p.root()
	case "text", "mathrm", "operatorname":
		return p.words(name)
	case "left":
		return p.fenced()
	case "begin":
		return p.environment()
	}
	p.pos -= len(`\` + name)
	p.fail(`unknown command \%s`, name)
	return atom{}
}

func (p *parser) root() atom {
	if p.peek() != "[" {
		return atom{xml: element("msqrt", p.argument())}
	}
	p.next()
	end := strings.IndexByte(p.src[p.pos:], ']')
	if end < 0 {
		p.fail("a bracket is not closed")
		return atom{}
	}
	index := &parser{src: p.src[p.pos : p.pos+end], depth: p.depth}
	items := index.items()
	if index.err != nil || index.pos < len(index.src) {
		p.fail("the index of the root is not a formula")
		return atom{}
	}
	p.pos += end + 1
	return atom{xml: element("mroot", p.argument()+element("mrow", strings.Join(items, "")))}
}

// words reads upright text. The name of an operator is set apart from its operand.
func (p *parser) words(command string) atom {
	s := p.verbatim()
	if _, known := limits[s]; known && command == "operatorname" {
		a, _ := symbol(s, false)
		return a
	}
	switch {
	case command == "text" || strings.ContainsAny(s, " -"):
		return atom{xml: element("mtext", escape(strings.ReplaceAll(s, " ", "\u00a0"))),
			spaced: command == "operatorname"}
	case command == "operatorname":
		return atom{xml: upright(s), operator: true, spaced: true}
	}
	return atom{xml: upright(s)}
}

// upright returns an identifier that is not slanted. MathML slants identifiers of one letter.
func upright(s string) string {
	if len([]rune(s)) == 1 {
		return `<mi mathvariant="normal">` + escape(s) + "</mi>"
	}
	return element("mi", escape(s))
}

// delimiter reads the fence after \left, \right, \middle or \big.
func (p *parser) delimiter() string {
	t := p.peek()
	name := strings.TrimPrefix(t, `\`)
	fence := cmp.Or(opening[name], closing[name], bars[name])
	switch {
	case t == ".":
		p.next()
		return ""
	case t != "" && strings.Contains("()[]|/", t):
		p.next()
		return t
	case name != t && fence != "":
		p.next()
		return fence
	}
	p.fail("expected a fence, found %s", cmp.Or(t, theEnd))
	return ""
}

// fenced reads \left … \middle … \right.
func (p *parser) fenced() atom {
	stretched := func(form, f string) string {
		if f == "" {
			return ""
		}
		return `<mo form="` + form + `" fence="true" stretchy="true" symmetric="true">` + f + "</mo>"
	}
	out := stretched("prefix", p.delimiter())
	out += strings.Join(p.items(), "")
	for p.peek() == `\middle` {
		p.next()
		out += stretched("infix", p.delimiter()) + strings.Join(p.items(), "")
	}
	p.expect(`\right`)
	return atom{xml: element("mrow", out+stretched("postfix", p.delimiter()))}
}

// environment reads \begin{name} … \end{name}: a table between fences.
func (p *parser) environment() atom {
	name := p.verbatim()
	var before, after string
	cell := func(int) string { return "<mtd>" } // centred
	switch name {
	case "matrix":
	case "pmatrix":
		before, after = "<mo>(</mo>", "<mo>)</mo>"
	case "bmatrix":
		before, after = "<mo>[</mo>", "<mo>]</mo>"
	case "cases":
		before = "<mo>{</mo>"
		cell = func(int) string { return `<mtd style="text-align:left">` }
	case "aligned":
		cell = func(column int) string {
			if column%2 == 0 {
				return `<mtd displaystyle="true" style="text-align:right;padding-right:0">`
			}
			return `<mtd displaystyle="true" style="text-align:left;padding-left:0">`
		}
	default:
		p.fail("unknown environment %s", name)
		return atom{}
	}
	table := p.table(cell)
	p.expect(`\end`)
	if closed := p.verbatim(); p.err == nil && closed != name {
		p.fail("environment %s ends as %s", name, closed)
	}
	return atom{xml: element("mrow", before+element("mtable", table)+after)}
}

// table reads rows of cells up to \end. Cell opens a cell of a column.
func (p *parser) table(cell func(column int) string) string {
	var rows, row strings.Builder
	for column := 0; p.err == nil; {
		row.WriteString(cell(column) + element("mrow", strings.Join(p.items(), "")) + "</mtd>")
		switch p.peek() {
		case "&":
			p.next()
			column++
			continue
		case `\\`:
			p.next()
			rows.WriteString(element("mtr", row.String()))
			row.Reset()
			column = 0
			if p.peek() == `\end` { // a line break after the last row
				return rows.String()
			}
			continue
		}
		break
	}
	return rows.String() + element("mtr", row.String())
}
