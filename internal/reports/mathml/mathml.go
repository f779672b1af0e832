package mathml

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// deepest bounds the nesting of groups, so that hostile input cannot exhaust the stack.
const deepest = 100

// Convert returns a displayed formula as math elements that hold their LaTeX source as an annotation: one element, or
// one for each piece where the formula is cut by \quad or \qquad outside all braces, so that a narrow page can set
// the pieces below each other. The result is well-formed XML and safe to put into HTML.
//
// It returns an error that names the command and its position (in characters, from 1) when the formula leaves the
// subset or its braces, fences or environments do not match.
func Convert(tex string) (string, error) {
	if !utf8.ValidString(tex) {
		return "", fmt.Errorf("mathml: the formula is not valid UTF-8")
	}
	p := &parser{src: tex}
	var out strings.Builder
	for more := true; more; {
		start := p.pos
		if items := p.items(); len(items) > 0 {
			out.WriteString(displayed(items, strings.TrimSpace(p.src[start:p.pos])))
		}
		if more = cuts[p.peek()]; more {
			p.next()
		}
	}
	if p.err == nil && p.pos < len(p.src) {
		p.fail("unexpected %s", p.peek())
	}
	if p.err != nil {
		return "", p.err
	}
	return out.String(), nil
}

// cuts lists the spaces at which a formula may be broken.
var cuts = map[string]bool{`\quad`: true, `\qquad`: true}

func displayed(items []string, tex string) string {
	return `<math display="block"><semantics>` + element("mrow", strings.Join(items, "")) +
		`<annotation encoding="application/x-tex">` + escape(tex) + `</annotation></semantics></math>`
}

// parser reads a formula once, from left to right. After the first error it stands at the end of its input, so that
// every loop stops.
type parser struct {
	src   string
	pos   int
	depth int
	err   error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		at := utf8.RuneCountInString(p.src[:p.pos]) + 1
		p.err = fmt.Errorf("mathml: "+format+" at character %d", append(args, at)...)
	}
	p.pos = len(p.src)
}

// peek returns the next token without consuming it: a command with its backslash, or one character; "" at the end.
func (p *parser) peek() string {
	for p.pos < len(p.src) && strings.ContainsRune(" \t\r\n", rune(p.src[p.pos])) {
		p.pos++
	}
	rest := p.src[p.pos:]
	if rest == "" || rest[0] != '\\' {
		_, n := utf8.DecodeRuneInString(rest)
		return rest[:n]
	}
	n := 1
	for n < len(rest) && isLetter(rest[n]) {
		n++
	}
	if n == 1 && len(rest) > 1 { // a command of one character that is no letter
		_, size := utf8.DecodeRuneInString(rest[1:])
		n += size
	}
	return rest[:n]
}

func (p *parser) next() string {
	t := p.peek()
	p.pos += len(t)
	return t
}

// expect consumes the given token or fails.
func (p *parser) expect(token string) {
	if t := p.peek(); t != token {
		p.fail("expected %s, found %s", token, cmp.Or(t, theEnd))
		return
	}
	p.next()
}

// theEnd is what an error calls the token after the last.
const theEnd = "the end"

// closes lists the tokens that end a list of elements.
var closes = map[string]bool{"}": true, "&": true, `\\`: true, `\right`: true, `\middle`: true, `\end`: true}

// items reads elements up to a token that closes something, and leaves that token to the caller.
func (p *parser) items() []string {
	if p.depth++; p.depth > deepest {
		p.fail("nested deeper than %d", deepest)
	}
	defer func() { p.depth-- }()
	var out []string
	unary := true // whether a sign here has no left operand
	for {
		switch t := p.peek(); {
		case t == "", closes[t], cuts[t] && p.depth == 1:
			return out
		default:
			a := p.atom(unary)
			out = append(out, p.scripts(a))
			if a.spaced && p.operandFollows() {
				out = append(out, space(spaces[","]))
			}
			unary = a.operator
		}
	}
}

// atom is one element, with the properties that its neighbours depend on.
type atom struct {
	xml      string
	under    bool // scripts go below and above
	operator bool // a sign that follows is unary
	spaced   bool // a thin space separates it from an operand that follows
}

// scripts reads the scripts of an atom.
func (p *parser) scripts(a atom) string {
	var sub, sup string
	for p.err == nil {
		switch t := p.peek(); {
		case t == "_" && sub == "":
			p.next()
			sub = p.argument()
		case t == "^" && sup == "":
			p.next()
			sup = p.argument()
		case t == "'" && sup == "":
			sup = mo(p.primes())
			if p.peek() == "^" { // f'^2
				p.next()
				sup = "<mrow>" + sup + p.argument() + "</mrow>"
			}
		case t == "_" || t == "^" || t == "'":
			p.fail("a second %s", t)
		default:
			return attach(a, sub, sup)
		}
	}
	return ""
}

func (p *parser) primes() string {
	n := 0
	for p.peek() == "'" {
		p.next()
		n++
	}
	return strings.Repeat("′", n)
}

func attach(a atom, sub, sup string) string {
	name := "msub"
	switch {
	case sub == "" && sup == "":
		return a.xml
	case sub == "":
		name = "msup"
	case sup != "":
		name = "msubsup"
	}
	if a.under {
		name = map[string]string{"msub": "munder", "msup": "mover", "msubsup": "munderover"}[name]
	}
	return element(name, a.xml+sub+sup)
}

// argument reads the argument of a command or a script: a group, or one token. The result is one element.
func (p *parser) argument() string {
	switch t := p.peek(); {
	case t == "{":
		return p.group()
	case t >= "0" && t <= "9" && len(t) == 1:
		return element("mn", p.next())
	case t == "" || t == "^" || t == "_" || closes[t]:
		p.fail("expected an argument, found %s", cmp.Or(t, theEnd))
		return ""
	}
	return p.atom(true).xml
}

// group reads {…} as one element.
func (p *parser) group() string {
	p.expect("{")
	items := p.items()
	p.expect("}")
	if len(items) == 1 {
		return items[0]
	}
	return element("mrow", strings.Join(items, ""))
}

// verbatim reads the braces after \text and its like, which hold no mathematics.
func (p *parser) verbatim() string {
	p.expect("{")
	end := strings.IndexByte(p.src[p.pos:], '}')
	if end < 0 {
		p.fail("a brace is not closed")
		return ""
	}
	s := p.src[p.pos : p.pos+end]
	if i := strings.IndexAny(s, `{\$`); i >= 0 {
		p.pos += i
		p.fail("no commands or braces inside text; found %s", p.peek())
		return ""
	}
	p.pos += end + 1
	return s
}

// operandFollows reports whether the next token would collide with the name of a function.
func (p *parser) operandFollows() bool {
	t := p.peek()
	switch t {
	case "", "}", "&", "(", ")", "[", "]", "^", "_", ",", "=", "+", "-", "<", ">", "|", "/", ":", ";":
		return false
	}
	name := strings.TrimPrefix(t, `\`)
	if name == t { // a letter or a digit
		return true
	}
	_, letter := identifiers[name]
	return letter || functions[name] || alphabets[name].upper != 0 || strings.HasSuffix(name, "frac") ||
		accents[name].mark != ""
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }

func element(name, content string) string { return "<" + name + ">" + content + "</" + name + ">" }

func mo(text string) string { return element("mo", escape(text)) }

func space(width string) string { return `<mspace width="` + width + `"></mspace>` }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escape makes text safe in XML. Control characters, which XML does not allow, become U+FFFD.
func escape(s string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, s))
}
