package draw

import (
	"math"
	"strconv"
	"strings"
)

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹")

// Power is 10 to the k, with a raised exponent.
func Power(k int) string { return "10" + superscripts.Replace(strconv.Itoa(k)) }

// Number writes x for a reader, with three significant digits.
func Number(x float64) string { return Digits(x, 3) }

// Digits writes x with at most n significant digits, but never cuts the integer part of a number below 10⁵. Powers of
// ten have raised exponents, and a minus sign is a minus sign.
func Digits(x float64, n int) string {
	size := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case x == 0:
		return "0"
	case size < 1e-3 || size >= 99999.5:
		return scientific(x, n-1)
	}
	before := 1 + int(math.Floor(math.Log10(size))) // digits before the point; not positive below 1
	return minus(trimmed(strconv.FormatFloat(x, 'f', max(0, n-before), 64)))
}

// trimmed removes zeros at the end of a decimal fraction.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// scientific writes m×10ᵏ with at most the given number of decimals in m.
func scientific(x float64, decimals int) string {
	if x == 0 {
		return "0"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
	mantissa = trimmed(mantissa)
	k, _ := strconv.Atoi(exponent)
	if mantissa == "1" {
		return Power(k)
	}
	return minus(mantissa) + "×" + Power(k)
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// width estimates the width of text in em of a wide sans-serif face (DejaVu Sans), so that text fits in any other.
func width(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", r):
			w += 0.45
		case strings.ContainsRune(" .,:;'|ijlI", r):
			w += 0.35
		case strings.ContainsRune("mwMW—…", r):
			w += 0.98
		case 'A' <= r && r <= 'Z':
			w += 0.72
		case r < 0x2000:
			w += 0.64
		default:
			w += 0.84
		}
	}
	return w
}

// wrapped breaks text between words into lines of at most the given width in em. A longer word gets a line of its
// own and is cut.
func wrapped(text string, limit float64) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		word = cut(word, limit)
		if n := len(lines); n > 0 && width(lines[n-1]+" "+word) <= limit {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// cut shortens text to the given width in em.
func cut(text string, limit float64) string {
	if width(text) <= limit {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && width(string(runes)+"…") > limit {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
