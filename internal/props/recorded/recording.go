package recorded

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/strictjson"
	"github.com/thm-suite/thm/internal/tensors"
)

// Python is the recorder for PyTorch.
//
//go:embed thm_record.py
var Python string

// JAX is an example of a writer without PyTorch.
//
//go:embed thm_record_jax.py
var JAX string

// RecordingSchema is the version of the format of an [Index].
const RecordingSchema = "thm.recording/v1"

// Index is the file index.json of a recording.
type Index struct {
	Schema  string    `json:"schema"`
	Writer  string    `json:"writer,omitempty"`
	Every   int       `json:"every,omitempty"`
	Samples int       `json:"samples,omitempty"` // the most that a layer may have
	Bytes   int       `json:"bytes,omitempty"`   // the most that the folder may have
	Steps   int       `json:"steps,omitempty"`   // that were taken, recorded or not
	LeftOut []LeftOut `json:"left_out,omitempty"`
	Records []Record  `json:"records"`
}

// LeftOut names something that was not recorded, and says why.
type LeftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Record is one layer in one step.
type Record struct {
	Layer     string            `json:"layer"`
	Step      int               `json:"step"`
	Kind      string            `json:"kind"` // linear or conv2d
	File      string            `json:"file"`
	Before    string            `json:"before,omitempty"` // the second file
	Rate      float64           `json:"rate"`
	Optimizer string            `json:"optimizer"` // such as SGD
	Settings  map[string]any    `json:"settings,omitempty"`
	DType     string            `json:"dtype"`              // of the weights
	Products  string            `json:"products,omitempty"` // what factors are rounded to, as DType or tf32
	Device    string            `json:"device,omitempty"`
	Uses      int               `json:"uses,omitempty"` // of the weights in this step
	Reduction string            `json:"reduction,omitempty"`
	Batch     int               `json:"batch,omitempty"` // what a mean is over
	Loss      *float64          `json:"loss,omitempty"`
	Conv      *Conv             `json:"conv,omitempty"`
	Tags      map[string]string `json:"tags,omitempty"` // by array of uint16, bfloat16 or float16
}

// Conv is the geometry of a convolution.
type Conv struct {
	Kernel   [2]int `json:"kernel"`
	Stride   [2]int `json:"stride"`
	Padding  [2]int `json:"padding"`
	Dilation [2]int `json:"dilation"`
	Image    [4]int `json:"image"` // samples, channels, height, width
}

// Layer is a record with its arrays; those of the second file are nil until [Layer.ReadBefore].
type Layer struct {
	Record
	W, Next, G, H, Gamma     *mat.Dense
	P, ImageGrad             *mat.Dense // nil where they were not recorded
	GBefore, WBefore, Moment *mat.Dense
	dir                      string
}

// maxIndex is more than any index has bytes.
const maxIndex = 64 << 20

// Read reads the index of a recording.
func Read(dir string) (*Index, error) {
	path := filepath.Join(dir, "index.json")
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is not a recording: it has no index.json; thm record --python writes a recorder", dir)
	case info.Size() > maxIndex:
		return nil, fmt.Errorf("%s has %d bytes, wanted at most %d", path, info.Size(), maxIndex)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var x Index
	if err := strictjson.Decode(text, &x); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if x.Schema != RecordingSchema {
		return nil, fmt.Errorf("%s has the schema %q, wanted %s", path, x.Schema, RecordingSchema)
	}
	if len(x.Records) == 0 {
		return nil, fmt.Errorf("%s is empty: no step was recorded", path)
	}
	for i := range x.Records {
		if err := x.Records[i].valid(); err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", path, i, err)
		}
	}
	return &x, nil
}

// dtypes lists the types of weights. Factors may be rounded to tf32, too, which no weights are kept in.
var dtypes = []string{"float64", "float32", "bfloat16", "float16"}

func (r *Record) valid() error {
	if r.Products == "" {
		r.Products = r.DType
	}
	switch {
	case r.Layer == "" || r.Step < 0 || r.Batch < 0:
		return errors.New("wanted a layer, a step and a batch")
	case r.Kind != "linear" && r.Kind != "conv2d":
		return fmt.Errorf("the kind is %q, wanted linear or conv2d", r.Kind)
	case !filepath.IsLocal(r.File) || r.Before != "" && !filepath.IsLocal(r.Before):
		return fmt.Errorf("the file %q does not lie in the folder", r.File)
	case !slices.Contains(dtypes, r.DType) || !slices.Contains(dtypes, r.Products) && r.Products != "tf32":
		return fmt.Errorf("the dtype is %q with products in %q, wanted two of %v, or products in tf32", r.DType, r.Products,
			dtypes)
	case r.Reduction != "" && r.Reduction != "mean" && r.Reduction != "sum":
		return fmt.Errorf("the reduction is %q, wanted mean or sum", r.Reduction)
	case (r.Conv != nil) != (r.Kind == "conv2d"):
		return errors.New("wanted the geometry conv of a conv2d, and of nothing else")
	}
	if r.Conv == nil {
		return nil
	}
	for i := range 2 {
		if c := r.Conv; c.Kernel[i] < 1 || c.Stride[i] < 1 || c.Padding[i] < 0 || c.Dilation[i] < 1 ||
			c.Image[2*i] < 1 || c.Image[2*i+1] < 1 || c.Kernel[i] > 1<<10 || c.Dilation[i] > 1<<10 ||
			c.Padding[i] > 1<<10 || c.Stride[i] > 1<<10 {
			return errors.New("wanted a geometry conv of small whole numbers")
		}
	}
	return nil
}

// Number is a setting of the optimizer, 0 where it has none.
func (r Record) Number(name string) float64 {
	switch x := r.Settings[name].(type) {
	case float64:
		return x
	case bool:
		if x {
			return 1
		}
	}
	return 0
}

// Load reads the arrays of a record and checks that their shapes fit.
func (r Record) Load(dir string) (*Layer, error) {
	l := &Layer{Record: r, dir: dir}
	err := l.read(r.File, map[string]**mat.Dense{"W": &l.W, "W_next": &l.Next, "G": &l.G, "H": &l.H, "Gamma": &l.Gamma},
		map[string]**mat.Dense{"P": &l.P, "X_grad": &l.ImageGrad})
	if err != nil {
		return nil, err
	}
	m, n := l.W.Dims()
	_, columns := l.H.Dims()
	wanted := []struct {
		name       string
		is         *mat.Dense
		rows, cols int
	}{{"W_next", l.Next, m, n}, {"G", l.G, m, n}, {"H", l.H, n, columns}, {"Gamma", l.Gamma, m, columns},
		{"P", l.P, n, columns}}
	if c := r.Conv; c != nil {
		wanted = append(wanted, struct {
			name       string
			is         *mat.Dense
			rows, cols int
		}{"X_grad", l.ImageGrad, c.Image[0] * c.Image[1], c.Image[2] * c.Image[3]})
		if places := c.Places(); l.ImageGrad != nil && (c.Image[0]*places[0]*places[1] != columns ||
			c.Image[1]*c.Kernel[0]*c.Kernel[1] != n) {
			return nil, fmt.Errorf("%s: H is %d×%d, which the geometry of the convolution does not give", l.path(r.File), n,
				columns)
		}
	}
	for _, w := range wanted {
		if w.is == nil {
			continue
		}
		if rows, cols := w.is.Dims(); rows != w.rows || cols != w.cols {
			return nil, fmt.Errorf("%s: %s is %d×%d, wanted %d×%d with W of %d×%d and H of %d columns", l.path(r.File), w.name,
				rows, cols, w.rows, w.cols, m, n, columns)
		}
	}
	return l, nil
}

// ReadBefore reads the second file. It is for naming mistakes alone: what does not fit is left nil.
func (l *Layer) ReadBefore() {
	if l.Before == "" || l.GBefore != nil || l.WBefore != nil {
		return
	}
	into := map[string]**mat.Dense{"G_before": &l.GBefore, "W_before": &l.WBefore, "momentum": &l.Moment}
	_ = l.read(l.Before, nil, into)
	m, n := l.W.Dims()
	for _, at := range into {
		if *at != nil {
			if rows, cols := (*at).Dims(); rows != m || cols != n {
				*at = nil
			}
		}
	}
}

func (l *Layer) path(file string) string { return filepath.Join(l.dir, file) }

func (l *Layer) read(file string, needed, optional map[string]**mat.Dense) error {
	f, err := tensors.Read(l.path(file))
	if err != nil {
		return err
	}
	found := 0
	for _, a := range f.Arrays {
		at, ok := needed[a.Name]
		if ok {
			found++
		} else if at, ok = optional[a.Name]; !ok {
			return fmt.Errorf("%s: %q is no array of a recording", l.path(file), a.Name)
		}
		if *at, err = a.Matrix(l.Tags[a.Name]); err != nil {
			return fmt.Errorf("%s: %w", l.path(file), err)
		}
	}
	if found < len(needed) {
		return fmt.Errorf("%s: wanted the arrays W, W_next, G, H and Gamma, found %d of them", l.path(file), found)
	}
	return nil
}

// Places returns the number of positions of the kernel, down and across.
func (c Conv) Places() [2]int {
	var out [2]int
	for i := range 2 {
		out[i] = (c.Image[2+i]+2*c.Padding[i]-c.Dilation[i]*(c.Kernel[i]-1)-1)/c.Stride[i] + 1
	}
	return out
}

// Fold adds the columns of gradients in patches to those in the image that the patches were taken from.
func (c Conv) Fold(patches *mat.Dense) *mat.Dense {
	samples, channels, height, width := c.Image[0], c.Image[1], c.Image[2], c.Image[3]
	places, out := c.Places(), mat.NewDense(samples*channels, height*width, nil)
	for row := range channels * c.Kernel[0] * c.Kernel[1] {
		channel, down, across := row/(c.Kernel[0]*c.Kernel[1]), row/c.Kernel[1]%c.Kernel[0], row%c.Kernel[1]
		from := patches.RawRowView(row)
		for at, x := range from {
			sample, place := at/(places[0]*places[1]), at%(places[0]*places[1])
			y := place/places[1]*c.Stride[0] - c.Padding[0] + down*c.Dilation[0]
			z := place%places[1]*c.Stride[1] - c.Padding[1] + across*c.Dilation[1]
			if y >= 0 && y < height && z >= 0 && z < width {
				out.RawRowView(sample*channels + channel)[y*width+z] += x
			}
		}
	}
	return out
}
