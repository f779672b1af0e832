package tensors

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// header is the Python dictionary at the front of an .npy file.
type header struct {
	descr   string // dtype, such as "<f8"
	fortran bool   // elements are stored column by column
	shape   []int
}

var errStructured = errors.New("is a structured array, wanted one dtype for all elements")

// parseHeader reads a dictionary literal with the keys descr, fortran_order and shape, in any order.
func parseHeader(text string) (header, error) {
	var h header
	p := parser{text}
	seen := map[string]bool{}
	if !p.skip("{") {
		return h, p.unexpected("{")
	}
	for !p.skip("}") {
		key, err := p.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] {
			return h, fmt.Errorf("has a damaged header: two entries %q", key)
		}
		seen[key] = true
		if !p.skip(":") {
			return h, p.unexpected(":")
		}
		if err := p.value(key, &h); err != nil {
			return h, err
		}
		if !p.skip(",") && !strings.HasPrefix(p.rest, "}") {
			return h, p.unexpected("}")
		}
	}
	if p.skip(""); p.rest != "" {
		return h, p.unexpected("its end")
	}
	if len(seen) != 3 {
		return h, errors.New("has a damaged header: wanted the entries descr, fortran_order and shape")
	}
	return h, nil
}

// parser holds what is left of a header.
type parser struct{ rest string }

// skip passes white space and the token, if it comes next, and white space behind it.
func (p *parser) skip(token string) bool {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = strings.TrimLeft(rest, " \t\r\n")
	}
	return ok
}

func (p *parser) unexpected(wanted string) error {
	if p.rest == "" {
		return fmt.Errorf("has a damaged header: it ends before %s", wanted)
	}
	return fmt.Errorf("has a damaged header: wanted %s at %s", wanted, strconv.Quote(p.rest[:min(len(p.rest), 16)]))
}

func (p *parser) value(key string, h *header) (err error) {
	switch key {
	case "descr":
		if strings.HasPrefix(p.rest, "[") || strings.HasPrefix(p.rest, "(") {
			return errStructured
		}
		h.descr, err = p.quoted()
	case "fortran_order":
		h.fortran = p.skip("True")
		if !h.fortran && !p.skip("False") {
			err = p.unexpected("True or False")
		}
	case "shape":
		h.shape, err = p.tuple()
	default:
		err = fmt.Errorf("has a damaged header: unknown entry %s", strconv.Quote(key[:min(len(key), 16)]))
	}
	return err
}

// quoted reads a string in single or double quotes. No escape is meaningful in a header.
func (p *parser) quoted() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if !p.skip(quote) {
			continue
		}
		if text, rest, ok := strings.Cut(p.rest, quote); ok {
			p.rest = rest
			p.skip("")
			return text, nil
		}
	}
	return "", p.unexpected("a quoted name")
}

// tuple reads a shape such as "(3, 4)", "(3,)" or "()". Python 2 wrote integers with a final L.
func (p *parser) tuple() ([]int, error) {
	if !p.skip("(") {
		return nil, p.unexpected("(")
	}
	var shape []int
	for !p.skip(")") {
		digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
		if digits == 0 {
			return nil, p.unexpected("a shape")
		}
		n, err := strconv.Atoi(p.rest[:digits])
		if err != nil || n > MaxElements {
			return nil, fmt.Errorf("has an extent of %s, wanted at most %d elements", clip(p.rest[:digits]),
				MaxElements)
		}
		shape = append(shape, n)
		p.rest = p.rest[digits:]
		p.skip("L")
		if !p.skip(",") && !strings.HasPrefix(p.rest, ")") {
			return nil, p.unexpected(")")
		}
	}
	return shape, nil
}
