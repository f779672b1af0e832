package optim_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
)

// Different rules on one model: the hidden stage by the virtual covariance, the last one by gradient descent.
func ExampleTrainer() {
	r := rand.New(rand.NewPCG(1, 2))
	model := nn.NewDenseModel(r, []int{6, 12, 2}, nn.GELU, nn.SoftmaxCrossEntropy)
	x, y := gaussian(r, 40, 6), nn.OneHot(make([]int, 40), 2)
	trainer := &optim.Trainer{Model: model, Rules: []optim.Rule{
		&optim.VCL{Gamma: 0.5, Solver: procrustes.Auto{Target: procrustes.TrueShift}},
		optim.SGD{Gamma: 0.5},
	}}
	before := model.Value(x, y)
	for range 5 {
		if _, err := trainer.Epoch(r, x, y, 8); err != nil {
			fmt.Println(err)
			return
		}
	}
	_, reports, _ := trainer.Step(x, y)
	fmt.Println(reports[0].Rule, "by", reports[0].Method+",", reports[1].Rule)
	fmt.Println("loss below a tenth:", model.Value(x, y) < before/10)
	// Output:
	// vcl by factor, sgd
	// loss below a tenth: true
}
