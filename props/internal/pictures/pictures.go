// Package pictures draws the figures of kernels that several claims share.
package pictures

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
)

// Kernel is a kernel matrix with a name.
type Kernel struct {
	Name string
	K    mat.Matrix
}

// Kernels draws kernel matrices of the same samples (n×n) in the order of their labels (n), on one scale of colours.
func Kernels(caption string, labels []float64, kernels ...Kernel) props.Figure {
	order := list.Fill(len(labels), func(i int) int { return i })
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(labels[i], labels[j]) })
	f := props.Figure{ID: "kernels", Title: "The kernel before and after it adapts", Caption: caption,
		X: props.Axis{Label: "sample, by label"}, Y: props.Axis{Label: "sample, by label"}, Z: props.Axis{Label: "kernel"}}
	for _, k := range kernels {
		sorted := mat.NewDense(len(order), len(order), nil)
		sorted.Apply(func(i, j int, _ float64) float64 { return k.K.At(order[i], order[j]) }, sorted)
		f.Curves = append(f.Curves, props.HeatMap(k.Name, sorted))
	}
	return f
}

// Spectrum is a list of eigenvalues or singular values with a name.
type Spectrum struct {
	Name   string
	Values []float64
}

// KernelSpectra draws the eigenvalues of kernel matrices.
func KernelSpectra(caption string, kernels ...Kernel) props.Figure {
	var spectra []Spectrum
	for _, k := range kernels {
		n, _ := k.K.Dims()
		values, _ := must.Both(linalg.SymEigen(mat.NewSymDense(n, mat.DenseCopyOf(k.K).RawMatrix().Data), false))
		spectra = append(spectra, Spectrum{k.Name, values})
	}
	return Spectra("spectra", "Spectra of the kernels", caption, "eigenvalue", true, spectra...)
}

// Spectra draws values over their rank, largest first. Values that are not positive are left out if log is set.
func Spectra(id, title, caption, label string, log bool, spectra ...Spectrum) props.Figure {
	f := props.Figure{ID: id, Title: title, Caption: caption, X: props.Axis{Label: "rank"},
		Y: props.Axis{Label: label, Log: log}}
	for _, s := range spectra {
		sorted, c := slices.Clone(s.Values), props.Curve{Name: s.Name, Style: props.Points}
		slices.SortFunc(sorted, func(a, b float64) int { return cmp.Compare(b, a) })
		for k, v := range sorted {
			if v > 0 || !log {
				c.X, c.Y = append(c.X, float64(k+1)), append(c.Y, v)
			}
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}
