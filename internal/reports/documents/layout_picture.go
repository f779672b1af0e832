package documents

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// The measures of the picture, in pixels.
const (
	pictureWidth = 780.0
	lineHeight   = 17.0
	letterWidth  = 6.3 // on average, of the small text
	pictureGap   = 8.0
)

// layoutPicture draws the layers on top of each other: a package imports downwards, and theory and impl stand side by
// side. Every box names the folders of its layer.
func layoutPicture(root string) (string, error) {
	all, err := folders(os.DirFS(root))
	if err != nil {
		return "", err
	}
	var boxes strings.Builder
	y := pictureGap
	half := (pictureWidth - 3*pictureGap) / 2
	names := func(layer string) []string { return folderNames(all, layer) }
	for _, layer := range []string{"cmd", "reports", "bench", "props"} {
		y += pictureGap + box(&boxes, pictureGap, y, pictureWidth-2*pictureGap, layer, names(layer))
	}
	left := box(&boxes, pictureGap, y, half, "theory", names("theory"))
	right := box(&boxes, 2*pictureGap+half, y, half, "impl", names("impl"))
	y += pictureGap + max(left, right)
	y += pictureGap + box(&boxes, pictureGap, y, pictureWidth-2*pictureGap, "internal", names("internal"))
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]g %[2]g" width="%[1]g" height="%[2]g" `+
		`role="img" aria-label="The layers: each imports its own folders and those below" font-size="12" `+
		`font-family="system-ui,sans-serif" fill="#1b1b1b"><rect width="100%%" height="100%%" fill="#fff"/>%[3]s</svg>`+"\n",
		pictureWidth, y, boxes.String()), nil
}

// folderNames returns the folders of a layer, two levels deep, without its name.
func folderNames(all []folder, layer string) []string {
	var names []string
	for _, f := range all {
		name := strings.TrimPrefix(strings.TrimPrefix(f.dir, "internal/"), layer+"/")
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "internal/"), "/")
		if f.layer == layer && f.dir != layer && f.dir != "internal/"+layer && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// box draws a layer and returns its height.
func box(out *strings.Builder, x, y, width float64, layer string, names []string) float64 {
	lines := []string{""}
	for _, name := range names {
		last := &lines[len(lines)-1]
		if *last != "" && float64(len(*last)+len(name)+3)*letterWidth > width-100 {
			lines = append(lines, "")
			last = &lines[len(lines)-1]
		}
		*last += strings.Repeat("   ", min(1, len(*last))) + name
	}
	height := float64(len(lines))*lineHeight + 14
	fmt.Fprintf(out, `<rect x="%g" y="%g" width="%g" height="%g" rx="4" fill="#f4f6f8" stroke="#5b6b7b"/>`, x, y, width,
		height)
	fmt.Fprintf(out, `<text x="%g" y="%g" font-weight="bold">%s</text>`, x+12, y+lineHeight+2, layer)
	for i, line := range lines {
		fmt.Fprintf(out, `<text x="%g" y="%g" xml:space="preserve">%s</text>`, x+82, y+float64(i+1)*lineHeight+2, line)
	}
	return height
}
