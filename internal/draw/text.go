package draw

import (
	"fmt"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"math"
	"strings"
)

// The measures of a figure on a terminal, in characters.
const (
	textWidth  = 64
	textHeight = 16
)

// signs are the characters of series on a terminal.
var signs = []rune("ox+*#%")

// Text draws a figure with characters, for a terminal: its title, the drawing and what its characters stand for.
func Text(f figure.Figure) string {
	if heats(f) {
		return f.Title + "\n\n" + heatText(f)
	}
	p := &plot{Figure: f}
	p.series = grouped(f.Curves)
	p.fit()
	p.x.from, p.x.to = 0, textWidth-1
	p.y.from, p.y.to = textHeight-1, 0
	cells := list.Fill(textHeight, func(int) []rune { return []rune(strings.Repeat(" ", textWidth)) })
	for _, layer := range layers {
		for k, s := range p.series {
			for _, c := range s.curves {
				if c.Style == layer {
					p.letters(cells, c, signs[k%len(signs)])
				}
			}
		}
	}
	var names []string
	for k, s := range p.series {
		names = append(names, fmt.Sprintf("%c %s", signs[k%len(signs)], s.name))
	}
	return f.Title + "\n\n" + p.framed(cells) + strings.Join(names, "   ") + "\n"
}

// letters sets the characters of one curve: where its points are, and between them on a line.
func (p *plot) letters(cells [][]rune, c figure.Curve, sign rune) {
	set := func(x, y float64) {
		i, j := int(math.Round(y)), int(math.Round(x))
		if i >= 0 && i < textHeight && j >= 0 && j < textWidth {
			cells[i][j] = sign
		}
	}
	switch c.Style {
	case figure.Band:
		for _, side := range [][]float64{c.Lo, c.Hi} {
			p.letters(cells, figure.Curve{Style: figure.Line, X: c.X, Y: side}, sign)
		}
		return
	case figure.Bars:
		p.columns(c, set)
		return
	}
	for i := range c.X {
		x, y, ok := p.pixel(c, i)
		if !ok {
			continue
		}
		set(x, y)
		if c.Style == figure.Points {
			continue
		}
		if nextX, nextY, joined := p.pixel(c, i+1); joined {
			for k := range textWidth {
				t := float64(k) / textWidth
				set(x+t*(nextX-x), y+t*(nextY-y))
			}
		}
	}
}

// columns fills the bars of a histogram.
func (p *plot) columns(c figure.Curve, set func(x, y float64)) {
	base := p.y.clamped(0)
	for i := range min(len(c.Y), len(c.X)-1) {
		left, right, top := p.x.at(c.X[i]), p.x.at(c.X[i+1]), p.y.at(c.Y[i])
		if math.IsNaN(left) || math.IsNaN(right) || math.IsNaN(top) || c.Y[i] == 0 {
			continue
		}
		for x := math.Ceil(left); x < max(right, math.Ceil(left)+1); x++ {
			for y := math.Round(top); y <= base; y++ {
				set(x, y)
			}
		}
	}
}

// framed puts the ends of both axes and their labels around a drawing.
func (p *plot) framed(cells [][]rune) string {
	end := func(s scale, v float64) string {
		if s.log {
			v = math.Pow(10, v)
		}
		return Number(v)
	}
	top, bottom := end(p.y, p.y.hi), end(p.y, p.y.lo)
	margin := max(len([]rune(top)), len([]rune(bottom)))
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", p.Y.Label)
	for i, row := range cells {
		label := map[int]string{0: top, textHeight - 1: bottom}[i]
		fmt.Fprintf(&out, "%*s │%s\n", margin, label, strings.TrimRight(string(row), " "))
	}
	left, right := end(p.x, p.x.lo), end(p.x, p.x.hi)
	fmt.Fprintf(&out, "%*s └%s\n", margin, "", strings.Repeat("─", textWidth))
	gap := max(1, textWidth-len([]rune(left))-len([]rune(right)))
	fmt.Fprintf(&out, "%*s  %s%s%s\n", margin, "", left, strings.Repeat(" ", gap), right)
	fmt.Fprintf(&out, "%*s  %s\n", margin, "", p.X.Label)
	return out.String()
}

// The characters of heat maps on a terminal: where a scale has signs, digits are positive and letters negative values.
const (
	ramp      = " .:-=+*#%@"
	positives = " 123456789"
	negatives = " abcdefghi"
)

// heatText draws matrices below one another, each cell two characters wide so that it is about square.
func heatText(f figure.Figure) string {
	s := shadesOf(f)
	var out strings.Builder
	for _, c := range f.Curves {
		block := (max(len(c.X)*2, len(c.Y)) + textWidth - 1) / textWidth
		if len(f.Curves) > 1 {
			out.WriteString(c.Name + "\n")
		}
		for i := 0; i < len(c.Y); i += block {
			var row strings.Builder
			for j := 0; j < len(c.X); j += block {
				row.WriteString(strings.Repeat(s.letter(meanOf(c, i, j, block)), 2))
			}
			out.WriteString("│" + row.String() + "│\n")
		}
		if block > 1 {
			fmt.Fprintf(&out, "a character stands for the mean of %d×%d cells\n", block, block)
		}
		out.WriteString("\n")
	}
	if s.signed() {
		fmt.Fprintf(&out, "%s: 1 to 9 positive up to %s, a to i negative down to %s\n", label(f), Number(s.hi),
			Number(s.lo))
	} else {
		fmt.Fprintf(&out, "%s: %s from %s to %s\n", label(f), strings.TrimSpace(ramp), Number(s.lo), Number(s.hi))
	}
	return out.String()
}

func label(f figure.Figure) string {
	if f.Z.Label == "" {
		return "value"
	}
	return f.Z.Label
}

// letter is the character of a value; a question mark says that it has no shade.
func (s shades) letter(z float64) string {
	k, ok := s.of(z)
	at := func(from string) string {
		return from[int(math.Ceil(k.opacity()*9-1e-9)):][:1]
	}
	switch {
	case !ok:
		return "?"
	case !s.signed():
		return at(ramp)
	case k < 0:
		return at(negatives)
	}
	return at(positives)
}

// meanOf returns the mean of the block of cells from (i, j) on; NaN where one of them is.
func meanOf(c figure.Curve, i, j, block int) float64 {
	sum, n := 0.0, 0
	for a := i; a < min(i+block, len(c.Y)); a++ {
		row := c.Z[a*len(c.X):]
		for _, z := range row[j:min(j+block, len(c.X))] {
			sum, n = sum+z, n+1
		}
	}
	return sum / float64(n)
}
