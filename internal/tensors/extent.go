package tensors

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// extent is a symbolic extent of an array, such as n, 3, n+1, ck² or 3(k+1): a polynomial in letters that never
// decreases in any of them. Juxtaposition is multiplication, so every letter is one rune, with primes and subscripts
// behind it.
type extent struct {
	op     byte // 'n' number, 'v' letter, '+' sum, '*' product, '^' power
	value  float64
	letter string
	args   []extent
	text   string // what was parsed, on the outermost
}

// errShape is why a shape is refused that a program hands over.
var errShape = errors.New("tensors: a shape is extents such as n, 3, n+1, 2n, ck² or 3(k+1), at most two, with × " +
	"between them")

// parseShape reads a shape such as "m×n". The empty shape is a scalar.
func parseShape(text string) ([]extent, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var shape []extent
	for _, part := range strings.Split(text, "×") {
		part = spaced.Replace(strings.TrimSpace(part))
		p := shapeParser{part}
		e, ok := p.sum(0)
		if !ok || p.rest != "" {
			return nil, errShape
		}
		e.text = part
		shape = append(shape, e)
	}
	if len(shape) > 2 {
		return nil, errShape
	}
	return shape, nil
}

// spaced drops the space around signs. Elsewhere a space is an error: "m x n" is not the product of three letters.
var spaced = strings.NewReplacer(" + ", "+", " - ", "-", " − ", "−", " · ", "·", " * ", "*")

const (
	superscripts = "¹²³⁴⁵⁶⁷⁸⁹"
	subscripts   = "₀₁₂₃₄₅₆₇₈₉"
)

// shapeParser holds what is left of an extent.
type shapeParser struct{ rest string }

func (p *shapeParser) peek() rune {
	r, _ := utf8.DecodeRuneInString(p.rest)
	return r
}

func (p *shapeParser) take(set string) (rune, bool) {
	r, size := utf8.DecodeRuneInString(p.rest)
	if size == 0 || !strings.ContainsRune(set, r) {
		return 0, false
	}
	p.rest = p.rest[size:]
	return r, true
}

// sum reads terms with + between them; after −, a number.
func (p *shapeParser) sum(depth int) (extent, bool) {
	first, ok := p.product(depth)
	if !ok {
		return extent{}, false
	}
	terms := []extent{first}
	for {
		sign, found := p.take("+-−")
		if !found {
			break
		}
		term, ok := p.product(depth)
		if !ok || sign != '+' && term.op != 'n' {
			return extent{}, false
		}
		if sign != '+' {
			term.value = -term.value
		}
		terms = append(terms, term)
	}
	if len(terms) == 1 {
		return first, true
	}
	return extent{op: '+', args: terms}, true
}

func (p *shapeParser) product(depth int) (extent, bool) {
	first, ok := p.power(depth)
	if !ok {
		return extent{}, false
	}
	factors := []extent{first}
	for {
		_, dotted := p.take("·*")
		if next := p.peek(); !dotted && next != '(' && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			break
		}
		factor, ok := p.power(depth)
		if !ok {
			return extent{}, false
		}
		factors = append(factors, factor)
	}
	if len(factors) == 1 {
		return first, true
	}
	return extent{op: '*', args: factors}, true
}

func (p *shapeParser) power(depth int) (extent, bool) {
	base, ok := p.atom(depth)
	if !ok {
		return extent{}, false
	}
	if r, found := p.take(superscripts); found {
		return extent{op: '^', value: 1 + float64(digit(superscripts, r)), args: []extent{base}}, true
	}
	return base, true
}

func (p *shapeParser) atom(depth int) (extent, bool) {
	if _, ok := p.take("("); ok {
		const deepest = 8
		if depth == deepest {
			return extent{}, false
		}
		e, ok := p.sum(depth + 1)
		_, closed := p.take(")")
		return e, ok && closed
	}
	if digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789")); digits > 0 {
		n, err := strconv.Atoi(p.rest[:digits])
		p.rest = p.rest[digits:]
		return extent{op: 'n', value: float64(n)}, err == nil && n > 0 && n <= MaxElements
	}
	r, size := utf8.DecodeRuneInString(p.rest)
	if !unicode.IsLetter(r) {
		return extent{}, false
	}
	before := p.rest
	p.rest = p.rest[size:]
	for found := true; found; {
		_, found = p.take("′'" + subscripts)
	}
	return extent{op: 'v', letter: strings.TrimSuffix(before, p.rest)}, true
}

// digit returns the place of a digit in its alphabet.
func digit(alphabet string, r rune) int {
	return utf8.RuneCountInString(alphabet[:strings.IndexRune(alphabet, r)])
}

// letters lists the letters of the extent, each once, in their order.
func (e extent) letters() []string {
	var names []string
	e.walk(func(letter string) {
		for _, name := range names {
			if name == letter {
				return
			}
		}
		names = append(names, letter)
	})
	return names
}

func (e extent) walk(visit func(letter string)) {
	if e.op == 'v' {
		visit(e.letter)
	}
	for _, arg := range e.args {
		arg.walk(visit)
	}
}

// at evaluates the extent. Values beyond 2⁵³ are rounded; no array is that long.
func (e extent) at(letter func(string) float64) float64 {
	switch e.op {
	case 'n':
		return e.value
	case 'v':
		return letter(e.letter)
	case '^':
		return math.Pow(e.args[0].at(letter), e.value)
	}
	total := e.args[0].at(letter)
	for _, arg := range e.args[1:] {
		if e.op == '+' {
			total += arg.at(letter)
		} else {
			total *= arg.at(letter)
		}
	}
	return total
}

// solve finds the one natural number that, put for the unknown letter, gives the extent that length.
func (e extent) solve(length int, unknown string, known func(string) float64) (int, bool) {
	value := func(x int) float64 {
		return e.at(func(letter string) float64 {
			if letter == unknown {
				return float64(x)
			}
			return known(letter)
		})
	}
	lo, hi := 0, 2*MaxElements // value(lo) ≤ length < value(hi), where there is a solution
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; value(mid) <= float64(length) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, value(lo) == float64(length)
}
