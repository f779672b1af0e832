package tensors_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/tensors"
)

// An instance of a claim is a struct; its params say which shapes fit together.
func Example() {
	type instance struct {
		W    *mat.Dense `npy:"W"`
		H    *mat.Dense `npy:"H"`
		Step float64    `npy:"step"`
	}
	params := []tensors.Field{
		{Name: "W", Shape: "m×n", Meaning: "weights of the layer"},
		{Name: "H", Shape: "n×B", Meaning: "inputs of the layer, one sample per column"},
		{Name: "step", Meaning: "step size"},
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "layer.npz")
	for _, samples := range []*mat.Dense{mat.NewDense(3, 5, nil), mat.NewDense(5, 3, nil)} {
		if err := tensors.Encode(path, instance{mat.NewDense(2, 3, nil), samples, 0.1}); err != nil {
			panic(err)
		}
		file, err := tensors.Read(path)
		if err != nil {
			panic(err)
		}
		file.Path = "layer.npz" // the example is the same in every directory
		var got instance
		fmt.Println(tensors.Decode(file, &got, params), got.Step, file.Unit() == 0x1p-53)
	}
	// Output:
	// <nil> 0.1 true
	// layer.npz: H has shape 5×3, wanted n×B with n = 3 from W (2×3); its transpose would fit 0 true
}
