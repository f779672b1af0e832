package record

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/figure"
)

// RooflineFile is the figure of the documents.
const RooflineFile = "reports/published/roofline.svg"

// published reads a measurement that is drawn.
func published[R any](read func(file string) (R, error), root, file, command string) (R, error) {
	r, err := read(filepath.Join(root, file))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; measure it with %s", err, command)
	}
	return r, err
}

// readRecord reads that of the kernels.
func readRecord(root string) (*Record, error) {
	return published(Read, root, KernelsFile, KernelsCommand)
}

// Speed is the table of speeds in Markdown, with the figure, where the figures are from, and other machines next to it.
func Speed(root string) (string, error) {
	machines, err := readMachines(root)
	if err != nil {
		return "", err
	}
	r := machines[0]
	var out strings.Builder
	out.WriteString("\n| operation | n | thm | gonum / thm |")
	for _, side := range r.Peers.Peers {
		fmt.Fprintf(&out, " thm / %s |", side.Name)
	}
	out.WriteString("\n| --- | ---: | ---: | ---: |" + strings.Repeat(" ---: |", len(r.Peers.Peers)) + "\n")
	for _, row := range r.Peers.Rows {
		if row.Peer != r.Peers.Peers[0].Name {
			continue // its row is written with that of the first peer
		}
		fmt.Fprintf(&out, "| %s | %d | %s | %s |", row.Name, row.N, milliseconds(row.OursSeconds), gonumCell(r, row))
		for _, side := range r.Peers.Peers {
			out.WriteString(" " + peerCell(r, row, side.Name) + " |")
		}
		out.WriteString("\n")
	}
	out.WriteString("\n" + provenanceLines(r) + "\n\n" + sideBySide(machines) + onTwoThreads(machines) + threads(r))
	fmt.Fprintf(&out, "![%s](%s)\n\n", rooflineCaption(r), "../"+RooflineFile)
	return out.String(), nil
}

// gonumCell returns the ratio of gonum's time to ours.
func gonumCell(r *Record, row peers.Row) string {
	i := slices.IndexFunc(r.Gonum, func(t peers.Timing) bool { return t.Name == row.Name && t.N == row.N })
	if i < 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", r.Gonum[i].Seconds/row.OursSeconds)
}

// peerCell is the ratio of times with its interval.
func peerCell(r *Record, row peers.Row, peer string) string {
	return fastestCell(r.Peers, row, func(x peers.Row) bool { return x.Peer == peer })
}

// noBreak stands for a space within code, where a line must not end.
const noBreak = "\x1f"

func verbatim(text string) string { return "`" + strings.ReplaceAll(text, " ", noBreak) + "`" }

// provenanceLines is provenance in lines.
func provenanceLines(r *Record) string {
	return strings.ReplaceAll(strings.Join(terminal.Wrap(provenance(r), 118), "\n"), noBreak, " ")
}

// provenance says what was measured, where and how.
func provenance(r *Record) string {
	var sides []string
	for _, side := range r.Peers.Peers {
		library := "OpenBLAS core type " + side.Core
		if side.Core == "-" {
			library = "another BLAS"
		}
		sides = append(sides, fmt.Sprintf("%s is NumPy %s on %s", side.Name, side.Version, library))
	}
	return fmt.Sprintf("Processor time on one thread: medians over rounds, and medians of the ratio within a round, "+
		"with a %.0f %% interval. A ratio below 1 means that thm is faster than NumPy. %s. Measured by %s on %s at %s, "+
		"kernel %s, on %s with %d processors and load %s. Drawn by %s.",
		100*r.Peers.Level, strings.Join(sides, "; "), verbatim(r.Command), r.Date, revision(r.Facts), r.Peers.Kernel,
		r.CPU, r.CPUs, r.Load, verbatim("go run ./cmd/thm docs"))
}

// rooflineCaption describes the figure in words.
func rooflineCaption(r *Record) string {
	text := fmt.Sprintf("Roofline: speed against arithmetic intensity on one thread. Memory delivers %.1f GB/s",
		r.Roofline.Bytes/1e9)
	for _, roof := range r.Roofline.Roofs {
		best := 0.0
		for _, p := range r.Roofline.Points {
			if p.Impl == roof.Impl {
				best = max(best, p.Flops)
			}
		}
		text += fmt.Sprintf("; the peak of %s is %.0f Gflop/s, of which its best product reaches %.0f %%", roof.Impl,
			roof.Flops/1e9, 100*best/roof.Flops)
	}
	return text + "."
}

// RooflineFigure draws the points of every implementation under the roofs.
func RooflineFigure(root string) (string, error) {
	r, err := readRecord(root)
	if err != nil {
		return "", err
	}
	f := figure.Figure{ID: "roofline", Title: "Roofline", Caption: rooflineCaption(r),
		X: figure.Axis{Label: "flops for each byte of the operands", Log: true},
		Y: figure.Axis{Label: "Gflop/s on one thread; lines: what memory and arithmetic allow", Log: true}}
	lo, hi := math.Inf(1), 0.0
	var names []string
	for _, p := range r.Roofline.Points {
		lo, hi = min(lo, p.Intensity), max(hi, p.Intensity)
		if !slices.Contains(names, p.Impl) {
			names = append(names, p.Impl)
		}
	}
	for _, name := range names {
		points := figure.Curve{Name: name, Style: figure.Points}
		for _, p := range r.Roofline.Points {
			if p.Impl == name {
				points.Add(p.Intensity, p.Flops/1e9)
			}
		}
		f.Curves = append(f.Curves, points)
		for _, roof := range r.Roofline.Roofs {
			if roof.Impl == name {
				f.Curves = append(f.Curves, roofCurve(r, roof, lo, hi))
			}
		}
	}
	return draw.Standalone(strings.Replace(draw.SVG(f, "roofline"), `viewBox="0 0 480 `, `viewBox="-10 -4 500 `,
		1)), nil
}

// roofCurve is the bound of one kernel: the bandwidth up to the ridge, then the peak.
func roofCurve(r *Record, roof Roof, lo, hi float64) figure.Curve {
	c := figure.Curve{Name: roof.Impl, Style: figure.Dashed}
	for _, x := range []float64{lo, roof.Flops / r.Roofline.Bytes, hi} {
		if x >= lo && x <= hi {
			c.Add(x, min(roof.Flops, x*r.Roofline.Bytes)/1e9)
		}
	}
	return c
}
