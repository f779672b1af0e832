package mathml

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// atom reads one element without its scripts.
func (p *parser) atom(unary bool) atom {
	t := p.peek()
	switch {
	case t == "{":
		return atom{xml: p.group()}
	case strings.HasPrefix(t, `\`):
		return p.command(unary)
	case t >= "0" && t <= "9":
		return atom{xml: element("mn", p.number())}
	}
	p.next()
	r, _ := utf8.DecodeRuneInString(t)
	switch {
	case unicode.IsLetter(r):
		return atom{xml: element("mi", escape(t))}
	case r == '(' || r == '[':
		return atom{xml: fence(t, "prefix"), operator: true}
	case r == ')' || r == ']':
		return atom{xml: fence(t, "postfix")}
	case r == '|':
		return atom{xml: overbar(t), operator: unary}
	case r == '/':
		return atom{xml: `<mo lspace="0" rspace="0">/</mo>`, operator: true}
	case r == '!':
		return atom{xml: mo("!")}
	case r == '-' || r == '+':
		return sign(map[rune]string{'-': "−", '+': "+"}[r], unary)
	case r == '*':
		return atom{xml: mo("∗"), operator: true}
	case strings.ContainsRune("=<>,;:.≤≥≠≈→·×±∈", r):
		return atom{xml: mo(t), operator: true}
	}
	p.pos -= len(t)
	p.fail("no meaning for %s", t)
	return atom{}
}

// number reads digits with at most one decimal point between them.
func (p *parser) number() string {
	digits := func(i int) int {
		for i < len(p.src) && '0' <= p.src[i] && p.src[i] <= '9' {
			i++
		}
		return i
	}
	end := digits(p.pos)
	if end+1 < len(p.src) && p.src[end] == '.' && digits(end+1) > end+1 {
		end = digits(end + 1)
	}
	s := p.src[p.pos:end]
	p.pos = end
	return s
}

// sign returns a plus or minus, with the spacing of a prefix if it has no left operand.
func sign(text string, unary bool) atom {
	if unary {
		return atom{xml: `<mo form="prefix">` + text + "</mo>", operator: true}
	}
	return atom{xml: mo(text), operator: true}
}

func fence(text, form string) string {
	return `<mo form="` + form + `" stretchy="false">` + escape(text) + "</mo>"
}

func overbar(text string) string {
	return `<mo stretchy="false" lspace="0" rspace="0">` + text + "</mo>"
}

// command reads a command and its arguments.
func (p *parser) command(unary bool) atom {
	name := p.next()[1:]
	if a, ok := symbol(name, unary); ok {
		return a
	}
	if accent, ok := accents[name]; ok {
		return atom{xml: fmt.Sprintf(`<mover accent="true">%s<mo stretchy="%t">%s</mo></mover>`, p.argument(),
			accent.stretch, accent.mark)}
	}
	if _, ok := alphabets[name]; ok {
		return atom{xml: p.styled(name)}
	}
	if size, ok := sizes[name]; ok {
		f := p.delimiter()
		return atom{xml: `<mo stretchy="true" symmetric="true" minsize="` + size + `" maxsize="` + size + `">` + f +
			"</mo>",
			operator: unary}
	}
	return p.structure(name)
}

// symbol returns the element of a command for one symbol.
func symbol(name string, unary bool) (atom, bool) {
	if s, ok := identifiers[name]; ok {
		if capital, _ := utf8.DecodeRuneInString(s); 'Α' <= capital && capital <= 'Ω' {
			return atom{xml: upright(s)}, true // as LaTeX has it
		}
		return atom{xml: element("mi", escape(s))}, true
	}
	if s, ok := operators[name]; ok {
		if name == "pm" || name == "mp" || name == "neg" || name == "lnot" {
			return sign(s, unary), true
		}
		return atom{xml: mo(s), operator: true}, true
	}
	if s, ok := big[name]; ok {
		return atom{xml: `<mo movablelimits="true">` + s + "</mo>", under: true, operator: true}, true
	}
	if s, ok := integrals[name]; ok {
		return atom{xml: mo(s), operator: true}, true
	}
	if s, ok := limits[name]; ok {
		return atom{xml: `<mo movablelimits="true" lspace="0.167em" rspace="0">` + s + "</mo>", under: true,
			operator: true,
			spaced:   true}, true
	}
	if functions[name] {
		return atom{xml: element("mi", name), operator: true, spaced: true}, true
	}
	if s, ok := opening[name]; ok {
		return atom{xml: fence(s, "prefix"), operator: true}, true
	}
	if s, ok := closing[name]; ok {
		return atom{xml: fence(s, "postfix")}, true
	}
	if s, ok := bars[name]; ok {
		return atom{xml: overbar(s), operator: unary}, true
	}
	if w, ok := spaces[name]; ok {
		return atom{xml: space(w), operator: unary}, true
	}
	return atom{}, false
}

// styled reads the argument of \mathbf and its like: letters, digits and spelt-out Greek.
func (p *parser) styled(name string) string {
	if p.peek() != "{" {
		return p.styledToken(name)
	}
	p.expect("{")
	var out strings.Builder
	for p.err == nil && p.peek() != "}" && p.peek() != "" {
		out.WriteString(p.styledToken(name))
	}
	p.expect("}")
	return element("mrow", out.String())
}

func (p *parser) styledToken(name string) string {
	t := p.peek()
	text := t
	if s, ok := identifiers[strings.TrimPrefix(t, `\`)]; ok && strings.HasPrefix(t, `\`) {
		text = s
	}
	r, _ := utf8.DecodeRuneInString(text)
	s, ok := alphabets[name].letter(r)
	if !ok {
		p.fail(`no letter %s in \%s`, cmp.Or(t, theEnd), name)
		return ""
	}
	p.next()
	return element("mi", string(s))
}
